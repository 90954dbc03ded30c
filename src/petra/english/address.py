"""Address: whether a mention is one that somebody is called by, "Come, Jane, and sit", or greeted, "Dear Jane,"."""

from __future__ import annotations

import re

_BEFORE = ",;!?.—–-“”\"‘'"
_AFTER = ",;!?.—–-”\"’'"
_GREETING = re.compile(
    r"(?:^|\n)[^\S\n]*(?:(?:my\s)?dear(?:est)?|hi|hiya|hello|hey|greetings|good\s(?:morning|afternoon|evening|day))"
    r"(?:\sthere)?,?[^\S\n]+\Z",
    re.IGNORECASE,
)
_AFTER_GREETING = re.compile(r"[^\S\n]*(?:[,:;!—–-]|\n)")
LONGEST_GREETING = 24  # characters before the mention, with the end of the line before


def is_address(before: str, after: str, *, opens: bool = False) -> bool:
    """Whether a name between these texts stands between punctuation, or opens what is said."""
    return (opens or before.rstrip()[-1:] in _BEFORE) and after[:1] in _AFTER


def is_greeting(before: str, after: str) -> bool:
    """Whether a mention between these texts is greeted at the beginning of a line: "Dear Ms Eze,".

    ``before`` begins where the text does, or has a line break before the greeting.
    """
    return _GREETING.search(before) is not None and _AFTER_GREETING.match(after) is not None
