"""Decontamination: training texts that overlap with the texts of GAP validation or test are dropped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol, TypeVar

from petra.corpora.gap import read_gap

_SHARED_WORDS = 10  # words in a row; a text that shares so many with validation or test is dropped


class _WithText(Protocol):
    @property
    def text(self) -> str: ...


T = TypeVar("T", bound=_WithText)


def decontaminate(texts: Iterable[T], data: Path) -> Iterator[T]:
    """The texts that share no ten words in a row with a text of GAP validation or test."""
    held_out = {words for split in ("validation", "test") for it in read_gap(data, split) for words in _ngrams(it.text)}
    return (it for it in texts if held_out.isdisjoint(_ngrams(it.text)))


def _ngrams(text: str) -> Iterator[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return (tuple(words[place : place + _SHARED_WORDS]) for place in range(len(words) - _SHARED_WORDS + 1))
