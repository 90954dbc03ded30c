"""The lexicon: lists of English words, each a file of ``lexicon/`` that is read once.

A file opens with comment lines, which begin with ``#`` and say what it lists and what its
marks mean. Every other line is an entry: a word in lower case, then its fields. Fields are
marks, such as ``masculine``, or further words, such as the nicknames of a given name.
Entries are in alphabetical order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType


@cache
def entries(name: str) -> Mapping[str, tuple[str, ...]]:
    """The entries of a file: each word with its fields."""
    text = (files("petra.english") / "lexicon" / f"{name}.txt").read_text(encoding="utf-8")
    lines = (line.split() for line in text.splitlines() if not line.startswith("#"))
    return MappingProxyType({word: tuple(fields) for word, *fields in lines})


@cache
def words(name: str, *marks: str) -> frozenset[str]:
    """The words of a file that have at least one of the marks; without marks, all its words."""
    fields = entries(name)
    if unused := set(marks).difference(*fields.values()):
        raise ValueError(f"No word of lexicon/{name}.txt is marked {', '.join(sorted(unused))}.")
    return frozenset(word for word in fields if not marks or not set(marks).isdisjoint(fields[word]))


def alternatives(name: str, *marks: str) -> str:
    """A regular expression that matches any of the words that ``words`` returns."""
    return "|".join(re.escape(word) for word in sorted(words(name, *marks)))
