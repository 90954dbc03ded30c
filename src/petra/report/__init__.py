"""Report: people as tables, JSON and a self-contained HTML page, memory logs as pictures."""
