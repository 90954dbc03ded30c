"""Address: whether a name stands in a text as one that somebody is called by, "Come, Jane, and sit"."""

from __future__ import annotations

_BEFORE = ",;!?.—–-“”\"‘'"
_AFTER = ",;!?.—–-”\"’'"


def is_address(before: str, after: str, *, opens: bool = False) -> bool:
    """Whether a name between these texts stands between punctuation, or opens what is said."""
    return (opens or before.rstrip()[-1:] in _BEFORE) and after[:1] in _AFTER
