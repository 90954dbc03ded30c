"""Text to documents: reading, tokens with their character offsets, overlapping windows."""
