"""Aliases: the words that give a person another name, "Samuel Clemens, better known as Mark Twain"."""

from __future__ import annotations

import re

from petra.english import lexicon

LONGEST = 60  # characters between the two mentions

_NOUN = rf"(?:{lexicon.alternatives('aliases', 'noun')})"
_BEFORE = rf"(?:[,;]?\s+\(?|\s*[(–—]\s*|['’]s\s+(?=\w*\s*{_NOUN}\b))"
_ADVERB = rf"(?:(?:{lexicon.alternatives('aliases', 'adverb')})\s+)"
_NAME = rf"(?:{lexicon.alternatives('aliases', 'modifier')})?\s*{_NOUN}"
_MARKS = r"""[\s:,]*["“‘'`]{0,2}"""
_BETWEEN = re.compile(
    rf"""{_BEFORE}(?:
        (?:who\s+)?(?:(?:is|was|became|is\s+now|was\s+then)\s+)?{_ADVERB}*
        (?:known|referred\s+to|credited|billed)\s+(?:to\s+(?:\w+\s+){{1,3}})?(?:simply\s+)?
        (?:as|(?:by|under)\s+the\s+{_NAME}(?:\s+of)?)
      | (?:was\s+)?born(?:\s+as)?
      | (?:n[ée]e|alias|aka|a\.k\.a\.|{_ADVERB}+called)
      | (?:[a-z]+\s+){{0,3}}under\s+(?:the|an?)\s+{_NAME}(?:\s+of)?
      | (?:whose\s+)?{_NAME}(?:\s+(?:is|was|of|to))?
    )(?![\w-]){_MARKS}""",
    re.VERBOSE | re.IGNORECASE,
)
_SELF_NAMING = re.compile(rf"\b(?:call|name|renam|dubb?|styl)(?:e?s|e?d|ing|e)?\s+(?:him|her|my|your)self{_MARKS}\Z")


def gives_alias(between: str) -> bool:
    """Whether all that stands between two mentions says that the second is another name for the first."""
    return len(between) <= LONGEST and _BETWEEN.fullmatch(between) is not None


def gives_own_alias(before: str) -> bool:
    """Whether the text before a name ends by saying that somebody takes it: "he called himself"."""
    return _SELF_NAMING.search(before) is not None
