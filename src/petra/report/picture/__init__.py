"""Pictures of memory logs: what they show, and the files PNG, SVG, PDF and HTML."""
