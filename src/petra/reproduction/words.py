"""Numbers as people read them."""

from __future__ import annotations

from collections.abc import Sequence


def duration(seconds: float) -> str:
    """A time as one would say it: 45 s, 12 min, 3 h 20 min."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


def listed(items: Sequence[str]) -> str:
    """Words in a row: a, b and c."""
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]])) if items else "none"
