"""Whether a text looks English, and whether it looks like markup."""

from __future__ import annotations

import re

from petra.english.vocabulary import ORDINARY_WORDS, PRONOUNS
from petra.english.words import word_pattern

# Of the words of the examples and of the registers of `petra evaluate plain`, 48 to 64 of 100 are among these; of a
# page of French, German, Italian or Latin 5 to 12. A quarter lies between, nearer to lists and pages of code.
_COMMON = ORDINARY_WORDS | PRONOUNS
_LEAST_SHARE = 0.25
_LEAST_WORDS = 30  # with fewer it cannot be told
_MOST = 50_000  # characters that are looked at

_WORD = re.compile(word_pattern())
_TAG = re.compile(r"</?[A-Za-z][\w:-]*(?:\s[^<>]*)?/?>")
_LEAST_TAGS = 10
_CHARACTERS_A_TAG = 500  # a page has more tags than this; a text that mentions a few has fewer


def looks_english(text: str) -> bool:
    """Whether enough words of a text are common ones of English; True if there are too few words to tell."""
    words = [word.lower() for word in _WORD.findall(text[:_MOST])]
    letters = sum(character.isalpha() for character in text[:_MOST])
    latin = sum("a" <= character <= "ɏ" for character in text[:_MOST].lower())
    if letters >= _LEAST_WORDS and 2 * latin < letters:
        return False  # another script, whose words may not be told apart
    return len(words) < _LEAST_WORDS or sum(word in _COMMON for word in words) >= _LEAST_SHARE * len(words)


def looks_like_markup(text: str) -> bool:
    """Whether a text is a page of HTML or XML, tags and all."""
    opening = text[:_MOST]
    tags = len(_TAG.findall(opening))
    if opening.lstrip("\ufeff \t\r\n")[:9].lower().startswith(("<!doctype", "<html", "<?xml")):
        return True
    return tags >= _LEAST_TAGS and tags * _CHARACTERS_A_TAG >= len(opening)
