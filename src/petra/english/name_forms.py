"""The name inside a mention, as one would write it: "Only old Benjamin" is Benjamin.

A mention holds more than the name: articles, adjectives, possessors, what the name stands
beside. ``name_form`` takes these off by their capitals and by the word lists; how much of
a name people use, ``petra.people.naming`` judges from all the mentions of a person.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from petra.english import lexicon
from petra.english.names import Name, parse_name, without_style
from petra.english.vocabulary import (
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
from petra.english.words import word_pattern

_EPITHETS = lexicon.words("epithets")
_INSIDE = PARTICLES | LINKERS | {"and", "&"}  # in small letters between the words of a name
_NEVER_FIRST = ORDINARY_WORDS | POSSESSIVE_DETERMINERS
_WORD = re.compile(rf"{word_pattern(joints='-’' + chr(39) + '.')}\.?|&")
_BREAK = re.compile(r"[;:!?()\[\]\"“”…]|--|[–—]")
_NUMERAL = re.compile(r"[IVXLC]+\.?|\d+\.?")  # of a chapter, before the name that opens it: "VI Edna"
_POSSESSIVE = re.compile(r"['’]s?\Z")
_EMPHASIS = re.compile(r"(?<![^\W_])[_*]+|[_*]+(?![^\W_])")  # around words: "_Miss_ Bates"
_LONG = 5  # letters of a word that is no abbreviation, as "Edm." is


@dataclass(frozen=True, slots=True)
class NameForm:
    """A name as a mention writes it, without what is no part of it."""

    text: str  # with title and suffix: "Mr. Frank Churchill"
    name: Name  # the same taken apart
    epithet: str = ""  # an adjective with a capital right before it: "Little" of "Little Dorrit"
    has_article: bool = False  # "the" right before it or its epithet


def on_one_line(text: str) -> str:
    """A mention as one writes it on a line: white space as single spaces, and no marks of emphasis."""
    return " ".join(_EMPHASIS.sub("", text).split()) or " ".join(text.split())


def name_form(mention: str) -> NameForm | None:
    """The name inside a mention; none if no word of it looks like a name."""
    text = _first_part(without_style(on_one_line(mention)))
    words = [_Word(found.group(), *found.span()) for found in _WORD.finditer(text)]
    last = len(words)
    while last and not words[last - 1].is_named:
        last -= 1
    first = _opening(words, last, text)
    while first < last - 1 and (words[first].is_ordinary or _NUMERAL.fullmatch(words[first].text)):
        first += 1
    epithet = ""
    while first < last - 1 and words[first].plain in _EPITHETS:
        epithet = words[first].text
        first += 1
    is_owner = 0 < last < len(words) and words[last - 1].is_possessor  # "Emma's father"
    if first == last or is_owner or words[first].plain in _EPITHETS or is_pronoun(words[first].text):
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
        return is_capitalised(self.text) or is_suffix(self.text)

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


def _first_part(text: str) -> str:
    """What stands before a comma: "Emma, the heroine"; but "Martin King, Jr." and "Sarah, Duchess of York" whole."""
    head, _, rest = text.partition(",")
    following = _WORD.match(rest.strip())
    is_named = following is not None and (is_suffix(following.group()) or plain(following.group()) in TITLES)
    words = (word for word in _WORD.findall(head) if plain(word) not in _NEVER_FIRST | _EPITHETS)
    return head if not is_named and any(map(is_capitalised, words)) else text


def _opening(words: list[_Word], last: int, text: str) -> int:
    """Where the name that ends before ``last`` begins: at the first of the words with a capital, in a row."""
    first = last
    while first:
        word = words[first - 1]
        gap = text[word.end : words[first].start] if first < last else ""
        if first < last and (_BREAK.search(gap) or word.is_possessor or word.ends_sentence):
            break
        if not word.is_named:
            inside = first < last and word.text in _INSIDE
            after_name = first > 1 and words[first - 2].is_named and not words[first - 2].is_ordinary
            if not (inside and (after_name or word.text in LEADING_PARTICLES)):
                break
        first -= 1
    return first


def _ended(text: str) -> str:
    """A name without a possessive ending, or a dot that ends the sentence."""
    text = _POSSESSIVE.sub("", text)
    if text.endswith(".") and not takes_dot(text.split()[-1].rstrip(".")):
        return text.rstrip(".")
    return text
