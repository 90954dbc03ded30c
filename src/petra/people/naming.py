"""What to call a person: the most informative of their mentions."""

from __future__ import annotations

from collections.abc import Iterable

from petra.people.mentions import Mention
from petra.people.vocabulary import LINKERS, PARTICLES, TITLES, is_suffix, plain

_BY_KIND = {"name": 2, "nominal": 1, "pronoun": 0}


def name_of(mentions: Iterable[Mention]) -> str:
    """The name of a person with these mentions, in text order.

    A name goes before a nominal and a nominal before a pronoun. Among names the one
    with the most words that tell people apart (titles, particles and suffixes do not
    count, though they are kept), then the longest, then the earliest; among nominals
    the same; of pronouns the first.
    """
    return spelled(max(mentions, key=_information))  # the first of equals


def spelled(mention: Mention) -> str:
    """A mention as one writes it on a line: every run of white space as one space."""
    return " ".join(mention.text.split())


def _information(mention: Mention) -> tuple[int, int, int]:
    if mention.kind == "pronoun":
        return (_BY_KIND[mention.kind], 0, 0)
    words = mention.text.split()
    telling = [word for word in words if not (word in PARTICLES or word in LINKERS or _is_dressing(word))]
    return (_BY_KIND[mention.kind], len(telling), len(spelled(mention)))


def _is_dressing(word: str) -> bool:
    return is_suffix(word) or plain(word) in TITLES
