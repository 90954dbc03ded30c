"""Texts that choose and measure a model are kept apart from those that it learns from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from petra.corpora.gap import GapInstance, read_gap

_SHARED_WORDS = 10  # in a row, that make a snippet too like a text of validation or test


def kept_apart(instances: Iterable[GapInstance], data: Path) -> Iterator[GapInstance]:
    """The instances that share no run of words with a text of GAP validation or test."""
    theirs = {words for split in ("validation", "test") for it in read_gap(data, split) for words in _runs(it.text)}
    return (it for it in instances if theirs.isdisjoint(_runs(it.text)))


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return (tuple(words[place : place + _SHARED_WORDS]) for place in range(len(words) - _SHARED_WORDS + 1))
