"""Attribution of quotations: the words beside one that say who speaks, "said Jane" or "the old man replied"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from petra.english import lexicon
from petra.english.heads import head_span
from petra.english.vocabulary import ORDINARY_WORDS, plain

# "She began, ", but not "She began to cry".
_VERBS = "|".join(
    r"\s+".join((verb, *particles)) + (r"(?!\s+to)" if verb == "began" else "")
    for verb, particles in lexicon.entries("speech_verbs").items()
)
_VERB = rf"(?:{_VERBS})\b"
ABBREVIATED_TITLE = r"(?:Mrs?|Ms|Dr|St)\."
_PRONOUN = r"(?:[Hh]e|[Ss]he|I)\b"
_NAME = rf"""(?:(?:poor|dear|old|little|young|good)\s+)?(?:{ABBREVIATED_TITLE}\s+)?
    [A-Z][\w’'-]+(?:\s+[A-Z][\w’'-]+){{0,2}}"""
_DETERMINER = r"(?:[Tt]he|[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Tt]heir|[Aa]n?)\b"
_WORD = rf"(?:\s+(?!(?:I|{lexicon.alternatives('function_words', 'phrase-break')})\b)[\w’'-]+)"
_AFTER_VERB = rf"(?P<subject>{_PRONOUN}|{_DETERMINER}{_WORD}{{1,4}}|{_NAME})"  # "said Jane": as far as it goes
_BEFORE_VERB = rf"(?P<subject>{_PRONOUN}|{_DETERMINER}{_WORD}{{1,4}}?|{_NAME})"  # "Jane said": up to the verb
_ADVERB_OF_SAYING = rf"(?:(?:\w+ly|{lexicon.alternatives('function_words', 'adverb')})\s+)?"
_OPENING = r"[\s,–—-]*(?:and\s+)?"
_CLAUSE_END = re.compile(r"[,.!?…](?=\s)")
_SENTENCE_END = re.compile(r"[.!?…:]|,(?=\s+[A-Z])|,\Z")
_UP_TO_QUOTATION = r"""[^.!?;“”"]{0,50}\Z"""
_ADVERB = re.compile(r"\s+[a-z]+ly\Z")


def _patterns(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.VERBOSE) for pattern in patterns)


_AFTER = _patterns(
    rf"{_OPENING}{_VERB}\s+{_AFTER_VERB}",
    rf"{_OPENING}{_BEFORE_VERB}\s+{_ADVERB_OF_SAYING}{_VERB}",
    # Whatever they do, "he" and "she" that open no sentence go with the quotation, and so does a verb: "chuckled Tom".
    rf"{_OPENING}(?P<subject>he|she)\b",
    rf"{_OPENING}[a-z]+ed\s+(?P<subject>{_PRONOUN}|{_NAME})",
)
_BEFORE = _patterns(
    rf"(?:\A|\s){_BEFORE_VERB}\s+{_ADVERB_OF_SAYING}{_VERB}{_UP_TO_QUOTATION}",
    # The subject of a sentence goes with its last verb too: "She rose, took the letter, and said:"
    rf"(?:\A|[.!?]|\n)\s*(?:Then,?\s+)?{_BEFORE_VERB}\s[^.!?;“”\"]*\band\s+(?:\w+\s+)?{_VERB}{_UP_TO_QUOTATION}",
)


_SAYING = re.compile(rf"\b{_VERB}")


class Attribution(NamedTuple):
    """The words that name the speaker of a quotation."""

    place: int  # where the subject begins, counted from the start of the text searched
    subject: str  # in the words of the text


def attribution_after(text: str) -> Attribution | None:
    """The attribution at the beginning of the text that follows a quotation."""
    return _first(pattern.match(text) for pattern in _AFTER)


def attribution_inside(text: str) -> tuple[Attribution, int, int] | None:
    """The first attribution within what a dash opens, and the range of its sentence: "Yes, said Ada. I know."."""
    for found in _CLAUSE_END.finditer(text):
        told = _first(pattern.match(text, found.end()) for pattern in _AFTER[:2])
        if told is not None:
            end = _SENTENCE_END.search(text, told.place + len(told.subject))
            return told, found.end(), len(text) if end is None else end.end()
    return None


def attribution_before(text: str) -> Attribution | None:
    """The attribution at the end of the text before a quotation."""
    return _first(pattern.search(text) for pattern in _BEFORE)


def last_verb(text: str, start: int, end: int) -> int | None:
    """Where the last verb of saying in a range of a text begins."""
    places = [found.start() for found in _SAYING.finditer(text, start, end)]
    return places[-1] if places else None


def _first(matches: Iterable[re.Match[str] | None]) -> Attribution | None:
    """The first match whose subject may be a person."""
    for found in matches:
        if found is None:
            continue
        subject = _noun_phrase(found["subject"])
        if plain(subject.split()[-1]) not in ORDINARY_WORDS:
            return Attribution(found.start("subject"), subject)
    return None


def _noun_phrase(subject: str) -> str:
    """A subject without what follows its noun: "the old man" of "the old man with a smile"."""
    subject = _ADVERB.sub("", subject)
    return subject[: head_span(subject)[1]]
