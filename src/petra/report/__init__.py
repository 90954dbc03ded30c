"""Report: people as tables, JSON and one self-contained HTML page."""
