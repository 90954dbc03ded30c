"""Progress reports of long work."""

from __future__ import annotations

from collections.abc import Callable

Report = Callable[[int, int], None]  # called with the amount done and the whole


def silent(done: int, whole: int) -> None:
    """A report that does nothing."""
