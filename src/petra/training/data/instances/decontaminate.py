"""Decontamination: training instances that overlap with the texts of GAP validation or test are dropped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from petra.corpora.gap import GapInstance, read_gap

_SHARED_WORDS = 10  # words in a row; an instance that shares so many with validation or test is dropped


def decontaminate(instances: Iterable[GapInstance], data: Path) -> Iterator[GapInstance]:
    """The instances that share no ten words in a row with a text of GAP validation or test."""
    held_out = {words for split in ("validation", "test") for it in read_gap(data, split) for words in _ngrams(it.text)}
    return (it for it in instances if held_out.isdisjoint(_ngrams(it.text)))


def _ngrams(text: str) -> Iterator[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return (tuple(words[place : place + _SHARED_WORDS]) for place in range(len(words) - _SHARED_WORDS + 1))
