"""The name inside a mention, as one would write it: "Only old Benjamin" is Benjamin.

A mention holds more than the name: articles, adjectives, possessors, what is said of the
person. ``name_form`` takes these off by the head word, the capitals and the word lists;
how much of a name is in use, ``petra.people.naming`` judges from all mentions of a person.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from petra.english import lexicon
from petra.english.gender import KIN, given_name_gender
from petra.english.heads import head_span
from petra.english.names import Name, parse_name, without_style
from petra.english.vocabulary import (
    CONJUNCTIONS,
    DETERMINERS,
    LEADING_PARTICLES,
    LINKERS,
    ORDINARY_WORDS,
    PARTICLES,
    POSSESSIVE_DETERMINERS,
    TITLES,
    is_capitalised,
    is_pronoun,
    is_suffix,
    plain,
    takes_dot,
)
from petra.english.words import undivided, word_pattern

_EPITHETS = lexicon.words("epithets")
_PERSON_NOUNS = lexicon.words("person_nouns")
_INSIDE = PARTICLES | LINKERS | {"and", "&"}  # in small letters between the words of a name
_NEVER_FIRST = ORDINARY_WORDS | POSSESSIVE_DETERMINERS
_OPENING_TITLES = lexicon.words("titles", "dotted", "person")  # begin a name wherever they stand: "Mr."
_WORD = re.compile(rf"{word_pattern(joints='-’' + chr(39) + '.')}\.?|&")
_JOINT = re.compile(r"[-'’]")
_BREAK = re.compile(r"[;:!?…]|--|[–—]")
_NUMERAL = re.compile(r"[IVX]|[IVXLC]{2,}|\d+\.?")  # of a chapter, before the name that opens it: "VI Edna"
_POSSESSIVE = re.compile(r"['’]s?\Z")
_EMPHASIS = re.compile(r"(?<![^\W_])[_*]+|[_*]+(?![^\W_])")  # around words: "_Miss_ Bates"
_LONGEST = 400  # characters in which a name is looked for
_LONG = 5  # letters of a word that is no abbreviation, as "Edm." is


@dataclass(frozen=True, slots=True)
class NameForm:
    """A name as a mention writes it, without what is no part of it."""

    text: str  # with title and suffix: "Mr. Frank Churchill"
    name: Name  # the same taken apart
    epithet: str = ""  # an adjective with a capital right before it: "Little" of "Little Dorrit"
    has_article: bool = False  # "the" right before it or its epithet


def on_one_line(text: str) -> str:
    """A mention as one writes it on a line: words undivided, white space as single spaces, no marks of emphasis."""
    text = undivided(text)
    return " ".join(_EMPHASIS.sub("", text).split()) or " ".join(text.split())


@lru_cache(maxsize=8192)  # most mentions of a text are written like one before
def name_form(mention: str) -> NameForm | None:
    """The name inside a mention; none if there is no name in it."""
    text = without_style(on_one_line(mention[:_LONGEST]))
    words = [_Word(found.group(), *found.span()) for found in _WORD.finditer(text)]
    start, end = head_span(text)
    head = max((place for place, word in enumerate(words) if word.start < end), default=None)
    if head is None:
        return None
    is_several = text[start:end] in CONJUNCTIONS
    last = len(words) if is_several else _end(words, head)
    first = _start(words, last, text) if last and not is_several else 0
    while first < last - 1 and (words[first].is_ordinary or _NUMERAL.fullmatch(words[first].text)):
        first += 1
    epithet = ""
    while first < last - 1 and words[first].plain in _EPITHETS:
        epithet = words[first].text
        first += 1
    if not _is_name(words, first, last):
        return None
    written = _ended(text[words[first].start : words[last - 1].end])
    before = [word.plain for word in words[:first] if word.text != epithet]
    return NameForm(written, parse_name(written), epithet, before[-1:] == ["the"])


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int

    @property
    def plain(self) -> str:
        return plain(self.text)

    @property
    def is_named(self) -> bool:
        """Whether it is written like a word of a name: "Vale", "d'Ettorre", "Jr."."""
        return any(map(is_capitalised, filter(None, _JOINT.split(self.text)))) or is_suffix(self.text)

    @property
    def is_ordinary(self) -> bool:
        return self.plain in _NEVER_FIRST

    @property
    def is_possessor(self) -> bool:
        return _POSSESSIVE.search(self.text) is not None

    @property
    def ends_sentence(self) -> bool:
        bare = self.text.rstrip(".")
        return bare != self.text and len(bare) >= _LONG and not takes_dot(bare)


def _end(words: Sequence[_Word], head: int) -> int:
    """Where the name with this head word ends; 0 if the head is no name and none stands before it."""
    if not words[head].is_named:
        return _end_before(words, head)
    last = head + 1
    while last < len(words) and (is_suffix(words[last].text) or _NUMERAL.fullmatch(words[last].text)):
        last += 1
    if last == len(words) or words[last].text not in PARTICLES | LINKERS:
        return last
    further = list(takewhile(lambda word: word.is_named, words[last + 1 :]))  # "Joan of Arc", "William the Conqueror"
    is_place = not further or any(word.is_possessor for word in further)  # "Tom of New People's Party"
    return last if is_place else last + 1 + len(further)


def _end_before(words: Sequence[_Word], head: int) -> int:
    """Where a name ends that a mention goes on after: "Lucy dear", but no name in "Tiresome old fool"."""
    last = head
    while last and not words[last - 1].is_named:
        last -= 1
    if last == 0 or words[last - 1].is_possessor:
        return 0
    named = [word.plain for word in words[:last] if word.is_named and not word.is_ordinary]
    is_known = any(word in TITLES or given_name_gender(word) for word in named)
    is_called = words[head].plain in _PERSON_NOUNS and words[head].plain not in _EPITHETS and not is_known
    return last if is_known or (len(named) > 1 and not is_called) else 0


def _start(words: Sequence[_Word], last: int, text: str) -> int:
    """Where the name that ends before ``last`` begins: at the first of the words with a capital, in a row."""
    first = last
    while first:
        word = words[first - 1]
        gap = text[word.end : words[first].start] if first < last else ""
        if first < last and (_BREAK.search(gap) or word.is_possessor or word.ends_sentence):
            break
        before = words[first - 2] if first > 1 else None
        if not word.is_named and (first == last or not _goes_on(word, before)):
            break
        first -= 1
        if (
            word.plain in _OPENING_TITLES
            and first + 1 < last
            and (before is None or before.plain not in TITLES | {"and"})
        ):
            break
    return first


def _goes_on(word: _Word, before: _Word | None) -> bool:
    """Whether a word in small letters before a name is part of it: "de" of "Anne de Vere", "lady" of "lady Anne"."""
    if word.text in _INSIDE and before is not None and before.is_named and not before.is_ordinary:
        return True
    is_title = word.plain in TITLES and word.plain not in KIN
    is_determined = before is not None and before.plain in DETERMINERS | POSSESSIVE_DETERMINERS
    return word.text in LEADING_PARTICLES or (is_title and not is_determined)


def _is_name(words: Sequence[_Word], first: int, last: int) -> bool:
    """Whether some of the words of a mention are a name: none are an adjective, a pronoun, or a title with more."""
    if first >= last or words[first].plain in _EPITHETS or is_pronoun(words[first].text):
        return False
    is_named = any(word.is_named for word in words[first:last])
    return is_named and (last - first == len(words) or any(word.plain not in TITLES for word in words[first:last]))


def _ended(text: str) -> str:
    """A name without a possessive ending, or a dot that ends the sentence."""
    text = _POSSESSIVE.sub("", text)
    if text.endswith(".") and not takes_dot(text.split()[-1].rstrip(".")):
        return text.rstrip(".")
    return text
