"""How words are written: the patterns that divide English text into words.

Words are divided in two ways. ``tokens`` are all that stands in a text, marks included;
``bare_words`` are the words alone, without possessive endings. Both keep "O'Neil" and
"Jean-Luc" whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_ACCENT = r"\u0300-\u036f"  # written as a character of its own after the letter
LETTER = rf"(?:[^\W\d_][{_ACCENT}]*)"
LETTER_OR_DIGIT = rf"(?:[^\W_][{_ACCENT}]*)"
_TOKEN = re.compile(rf"['’]s\b|\w[\w{_ACCENT}]*(?:['’-](?!s\b)\w[\w{_ACCENT}]*)*|\S")
_POSSESSIVE = re.compile(r"['’][sS]$")
_DIVIDED = re.compile(r"(?<=[^\W\d_])-[^\S\n]*\n\s*(?=([^\W\d_]))")  # at the end of a line


def word_pattern(character: str = LETTER_OR_DIGIT, joints: str = "-'’") -> str:
    """A regular expression for a word: characters in a row, and more of them after a joint such as a hyphen."""
    return rf"{character}+(?:[{joints}]{character}+)*"


_WORD = re.compile(word_pattern(joints="-'’&"))


class BareWord(NamedTuple):
    """A word without its possessive ending."""

    start: int
    text: str
    end: int  # of the word with its ending


def tokens(text: str) -> list[re.Match[str]]:
    """The words, possessive endings and punctuation marks of a text."""
    return list(_TOKEN.finditer(text))


def bare_words(text: str) -> Iterator[BareWord]:
    """The words of a text: "the boys' mother's" has three."""
    for found in _WORD.finditer(text):
        start, end = found.span()
        written = found.group()
        bare = without_possessive(written)
        has_bare_apostrophe = bare[-1] in "sz" and text[end : end + 2] in ("' ", "’ ")  # "the boys' mother"
        yield BareWord(start, bare, end + (bare == written and has_bare_apostrophe))


def undivided(text: str) -> str:
    """A text in which no word is divided at the end of a line: "Bath-/sheba" is Bathsheba, "Jean-/Luc" is Jean-Luc."""
    return _DIVIDED.sub(lambda found: "" if found.group(1).islower() else "-", text)


def without_possessive(word: str) -> str:
    """A word without an ending 's."""
    return _POSSESSIVE.sub("", word)
