"""The server itself: its limits, what it refuses, and how it runs."""
