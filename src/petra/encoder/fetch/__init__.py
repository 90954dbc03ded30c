"""Encoders of the catalogue on this machine: fetched once from one of several sources, checked, then used offline."""

from petra.encoder.fetch.fetching import fetch
from petra.encoder.fetch.store import folder_of, is_fetched, source_of

__all__ = ["fetch", "folder_of", "is_fetched", "source_of"]
