"""Other names: the words that give a person another name, "Samuel Clemens, better known as Mark Twain"."""

from __future__ import annotations

import re

LONGEST = 60  # characters between the two mentions

_NOUN = r"(?:name|pseudonym|alias|nickname)"
_BEFORE = rf"(?:[,;]?\s+\(?|\s*[(–—]\s*|['’]s\s+(?=\w*\s*{_NOUN}\b))"
_HOW = (
    r"(?:(?:also|better|formerly|previously|later|now|popularly|professionally|commonly|otherwise|sometimes|widely)\s+)"
)
_NAME = rf"(?:stage|pen|real|birth|maiden|full|legal|screen|code|assumed)?\s*{_NOUN}"
_MARKS = r"""[\s:,]*["“‘'`]{0,2}"""
_BETWEEN = re.compile(
    rf"""{_BEFORE}(?:
        (?:who\s+)?(?:(?:is|was|became|is\s+now|was\s+then)\s+)?{_HOW}*
        (?:known|referred\s+to|credited|billed)\s+(?:to\s+(?:\w+\s+){{1,3}})?(?:simply\s+)?
        (?:as|(?:by|under)\s+the\s+{_NAME}(?:\s+of)?)
      | (?:was\s+)?born(?:\s+as)?
      | (?:n[ée]e|alias|aka|a\.k\.a\.|{_HOW}+called)
      | (?:[a-z]+\s+){{0,3}}under\s+(?:the|an?)\s+{_NAME}(?:\s+of)?
      | (?:whose\s+)?{_NAME}(?:\s+(?:is|was|of|to))?
    )(?![\w-]){_MARKS}""",
    re.VERBOSE | re.IGNORECASE,
)
_CALLING = re.compile(rf"\b(?:call|name|renam|dubb?|styl)(?:e?s|e?d|ing|e)?\s+(?:him|her|my|your)self{_MARKS}\Z")


def gives_other_name(between: str) -> bool:
    """Whether a name is another one of whoever is mentioned before, by all that stands between."""
    return len(between) <= LONGEST and _BETWEEN.fullmatch(between) is not None


def calls_oneself(before: str) -> bool:
    """Whether somebody takes a name by what stands before it, a word such as "himself" last: "he called himself"."""
    return _CALLING.search(before) is not None
