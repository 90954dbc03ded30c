"""Ascriptions: the words beside a quotation that say who speaks, "said Jane" or "the old man replied"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from petra.english.heads import head_span
from petra.english.vocabulary import ORDINARY_WORDS, plain

_VERB = r"""(?:said|says|cried|cries|asked|asks|replied|replies|answered|answers|returned|exclaimed|added|continued|
    observed|remarked|whispered|inquired|enquired|repeated|began(?!\s+to)|muttered|murmured|shouted|resumed|rejoined|
    interposed|responded|demanded|pursued|suggested|declared|growled|interrupted|retorted|roared|sighed|laughed|
    protested|explained|concluded|announced|stammered|gasped|screamed|went\s+on|put\s+in|broke\s+in)\b"""
_PRONOUN = r"(?:[Hh]e|[Ss]he|I)\b"
_NAME = r"""(?:(?:poor|dear|old|little|young|good)\s+)?(?:(?:Mrs?|Ms|Dr|St)\.\s+)?
    [A-Z][\w’'-]+(?:\s+[A-Z][\w’'-]+){0,2}"""
_DETERMINER = r"(?:[Tt]he|[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Tt]heir|[Aa]n?)\b"
_WORD = r"(?:\s+(?!(?:he|she|I|it|they|we|who|and|is|was|were|had|have|be|been)\b)[\w’'-]+)"
_AFTER_VERB = rf"(?P<subject>{_PRONOUN}|{_DETERMINER}{_WORD}{{1,4}}|{_NAME})"  # "said Jane": as far as it goes
_BEFORE_VERB = rf"(?P<subject>{_PRONOUN}|{_DETERMINER}{_WORD}{{1,4}}?|{_NAME})"  # "Jane said": up to the verb
_OPENING = r"[\s–—-]*(?:and\s+)?"
_LEADING_ON = r"""[^.!?;“”"]{0,50}\Z"""
_ADVERB = re.compile(r"\s+[a-z]+ly\Z")


def _patterns(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.VERBOSE) for pattern in patterns)


_AFTER = _patterns(
    rf"{_OPENING}{_VERB}\s+{_AFTER_VERB}",
    rf"{_OPENING}{_BEFORE_VERB}\s+(?:\w+ly\s+)?{_VERB}",
    # Whatever they do, "he" and "she" that open no sentence go with the quotation, and so does a verb: "chuckled Tom".
    rf"{_OPENING}(?P<subject>he|she)\b",
    rf"{_OPENING}[a-z]+ed\s+(?P<subject>{_PRONOUN}|{_NAME})",
)
_BEFORE = _patterns(
    rf"(?:\A|\s){_BEFORE_VERB}\s+(?:\w+ly\s+)?{_VERB}{_LEADING_ON}",
    # The subject of a sentence goes with its last verb too: "She rose, took the letter, and said:"
    rf"(?:\A|[.!?]|\n)\s*(?:Then,?\s+)?{_BEFORE_VERB}\s[^.!?;“”\"]*\band\s+(?:\w+\s+)?{_VERB}{_LEADING_ON}",
)


class Ascription(NamedTuple):
    """Who is said to speak."""

    place: int  # where the words begin, counted from the start of those searched
    subject: str  # in the words of the text


def ascription_after(text: str) -> Ascription | None:
    """Who is said to speak in the words that follow a quotation."""
    return _first(pattern.match(text) for pattern in _AFTER)


def speaker_before(text: str) -> str | None:
    """Who is said to speak in the words that lead to a quotation."""
    found = _first(pattern.search(text) for pattern in _BEFORE)
    return None if found is None else found.subject


def _first(matches: Iterable[re.Match[str] | None]) -> Ascription | None:
    """The first that tells a person."""
    for found in matches:
        if found is None:
            continue
        subject = _without_rest(found["subject"])
        if plain(subject.split()[-1]) not in ORDINARY_WORDS:
            return Ascription(found.start("subject"), subject)
    return None


def _without_rest(subject: str) -> str:
    """A subject without what follows its noun: "the old man" of "the old man with a smile"."""
    subject = _ADVERB.sub("", subject)
    return subject[: head_span(subject)[1]]
