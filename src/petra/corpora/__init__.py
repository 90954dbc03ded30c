"""Annotated data -> instances: where the corpora are, and a reader for each."""
