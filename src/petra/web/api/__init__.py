"""The HTTP API: results, corrections, steps, and how they are described."""
