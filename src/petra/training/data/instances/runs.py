"""Capitalised words in a row: what may be somebody's name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from petra.english.not_people import SHIP_PREFIXES
from petra.english.sentences import Passage, SentenceWord
from petra.english.vocabulary import (
    ORDINARY_WORDS,
    PARTICLES,
    PERSON_NOUNS,
    TITLES,
    is_initial,
    is_pronoun,
    is_suffix,
    plain,
)

_NO_NAMES = ORDINARY_WORDS | (PERSON_NOUNS - TITLES)
_PLACE_TITLES = frozenset(("st", "saint"))
_ALIAS_SIGNS = frozenset(("born", "née", "né", "alias"))  # before another name of the same person


@dataclass(frozen=True, slots=True)
class Run:
    """Capitalised words in a row, with titles separated."""

    words: range  # without titles
    titles: tuple[str, ...]  # in small letters
    name: tuple[str, ...]  # the words as written, without a suffix such as Jr.
    before: str  # the word before, in small letters; empty at the head of a passage
    after: str  # the word after, if a blank parts it


def find_runs(passage: Passage) -> Iterator[Run]:
    """The runs of a passage that may be a name; ships, aliases and parts of longer names are left out."""
    words = passage.words
    place = 0
    while place < len(words):
        end = place + 1
        if may_name(words[place]):
            while end < len(words) and (step := _continuation(words, end)):
                end += step
            if run := _run(words, place, end):
                yield run
        place = end


def may_name(word: SentenceWord) -> bool:
    """Whether a word is written as a part of a name."""
    text = word.text
    if not text[0].isupper() or plain(text) in _NO_NAMES or is_pronoun(text):
        return False
    return any(letter.islower() for letter in text) or is_initial(text) or is_suffix(text)


def _continuation(words: Sequence[SentenceWord], place: int) -> int:
    """How many words from here on belong to the run before: 0, 1, or 2 with a particle."""
    before, word = words[place - 1], words[place]
    dotted = word.gap == ". " and (is_initial(before.text) or plain(before.text) in TITLES)
    if before.possessive or word.sentence != before.sentence or not (word.gap == " " or dotted):
        return 0
    if may_name(word):
        return 1
    following = words[place + 1 : place + 2]
    return 2 if word.text in PARTICLES and any(it.gap == " " and may_name(it) for it in following) else 0


def _run(words: Sequence[SentenceWord], start: int, end: int) -> Run | None:
    first = start
    while first < end and plain(words[first].text) in TITLES:
        first += 1
    last = end - 1 if end - first > 1 and is_suffix(words[end - 1].text) else end
    titles = tuple(plain(word.text) for word in words[start:first])
    before = words[start - 1].text if start else ""
    following = words[end] if end < len(words) and words[end].gap == " " else None
    longer = following is not None and following.capitalised and not words[end - 1].possessive
    if first >= last or longer or before in SHIP_PREFIXES | _ALIAS_SIGNS or _PLACE_TITLES & set(titles):
        return None
    return Run(
        words=range(first, end),
        titles=titles,
        name=tuple(word.text for word in words[first:last]),
        before=before.lower(),
        after=following.lower if following is not None else "",
    )
