"""The columns of a memory log's picture: where the text has people, token by token.

Letters: P places along the text, T tokens, N cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petra.log.memory_log import MemoryLog

_CONTEXT = 2  # places shown on either side of people
_LEAST_SKIPPED = 4  # places; fewer are shown rather than skipped
_LONGEST_LABEL = 18  # characters
# What no font draws: control characters and halves of surrogate pairs.
_UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Column:
    """One place along the text, or several places in a row that are skipped."""

    start: int  # half-open character range
    end: int
    label: str  # what the text has there, on one line
    joins: bool = False  # goes on with the word of the column before
    skipped: int = 0  # how many places are skipped here; 0 for a place that is shown

    @property
    def is_gap(self) -> bool:
        return self.skipped > 0


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """The finest ranges of a text that no token of some logs crosses, in order.

    For one log these are its tokens. Logs by different tokenizers share the places
    where their tokens begin and end together, so that they can be compared.
    """

    starts: NDArray[np.int64]  # (P,)
    ends: NDArray[np.int64]  # (P,)

    def __len__(self) -> int:
        return len(self.starts)

    def of_tokens(self, log: MemoryLog, tokens: range) -> NDArray[np.int64]:
        """The place of each token of a log, (T,)."""
        found = np.searchsorted(self.starts, log.starts[tokens.start : tokens.stop], side="right") - 1
        return np.maximum(found, 0).astype(np.int64)

    def overlapping(self, start: int, end: int) -> slice:
        """The places that share characters with a range."""
        first = int(np.searchsorted(self.ends, start, side="right"))
        return slice(first, max(first, int(np.searchsorted(self.starts, end, side="left"))))


def places_of(logs: Sequence[MemoryLog], start: int, end: int) -> Places:
    """The places that logs of one text share between two characters of it."""
    parts = [(log, log.tokens_in(start, end)) for log in logs]
    starts = np.concatenate([log.starts[tokens.start : tokens.stop] for log, tokens in parts])
    ends = np.concatenate([log.ends[tokens.start : tokens.stop] for log, tokens in parts])
    covering = ends > starts  # a token that covers nothing goes with the place before it
    order = np.lexsort((ends[covering], starts[covering]))
    starts, ends = starts[covering][order], ends[covering][order]
    if not len(starts):
        return Places(starts, ends)
    reach = np.maximum.accumulate(ends)
    first = np.flatnonzero(np.concatenate([[True], starts[1:] >= reach[:-1]]))
    return Places(starts[first], reach[np.concatenate([first[1:], [len(starts)]]) - 1])


def gates_at(places: Places, log: MemoryLog, tokens: range) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """o and c at each place, (P, N): the largest among its tokens, as the paper takes spans."""
    overwrite, coref = np.zeros((2, len(places), log.num_cells), dtype=np.float32)
    if len(places):
        at = places.of_tokens(log, tokens)
        np.maximum.at(overwrite, at, log.overwrite_prob[tokens.start : tokens.stop])
        np.maximum.at(coref, at, log.coref_prob[tokens.start : tokens.stop])
    return overwrite, coref


def flags_at(places: Places, log: MemoryLog, tokens: range, flags: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether any token of each place has a flag, (P,); flags are given for all tokens, (T,)."""
    return values_at(places, log, tokens, flags).astype(np.bool_)


def values_at(places: Places, log: MemoryLog, tokens: range, values: NDArray[Any]) -> NDArray[np.int64]:
    """The value of each place, (P, ...): the last one other than 0 among its tokens, given for all tokens, (T, ...)."""
    found = np.zeros((len(places), *values.shape[1:]), dtype=np.int64)
    if len(places):
        given = values[tokens.start : tokens.stop]
        at = np.nonzero(given)
        into = (places.of_tokens(log, tokens)[at[0]], *at[1:])
        found[into] = given[at]
    return found


def joins_at(places: Places, log: MemoryLog, tokens: range) -> NDArray[np.bool_]:
    """Whether each place goes on with the log's word at the place before, (P,)."""
    first, last = np.full((2, len(places)), -1, dtype=np.int64)
    if len(places):
        at, words = places.of_tokens(log, tokens), log.words[tokens.start : tokens.stop]
        last[at] = words  # of several tokens at a place, NumPy keeps the last
        first[at[::-1]] = words[::-1]
    joins = np.zeros(len(places), dtype=np.bool_)
    joins[1:] = (first[1:] == last[:-1]) & (first[1:] >= 0)
    return joins


def shown_around(people: NDArray[np.bool_], joins: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which places to show, (P,), given where people are.

    Those with people and a few around them, whole words, and gaps too short to be skipped.
    """
    shown: NDArray[np.bool_] = people.copy()
    for distance in range(1, _CONTEXT + 1):
        shown[distance:] |= people[:-distance]
        shown[:-distance] |= people[distance:]
    if not shown.any():
        return shown
    words = np.cumsum(~joins)  # a number for each word
    shown = np.isin(words, words[shown])
    for is_shown, run in _runs(shown):
        if not is_shown and len(run) < _LEAST_SKIPPED:
            shown[run.start : run.stop] = True
    return shown


def make_columns(
    text: str, places: Places, shown: NDArray[np.bool_], joins: NDArray[np.bool_]
) -> tuple[list[Column], NDArray[np.int64]]:
    """A column for each place that is shown and for each gap between them, and the place of each, -1 for a gap."""
    columns: list[Column] = []
    at: list[int] = []
    for is_shown, run in _runs(shown):
        if not is_shown:
            columns.append(Column(int(places.starts[run[0]]), int(places.ends[run[-1]]), "…", skipped=len(run)))
            at.append(-1)
            continue
        for place in run:
            start, end = int(places.starts[place]), int(places.ends[place])
            # After a gap nothing can be joined to.
            columns.append(Column(start, end, one_line(text[start:end]), bool(joins[place]) and place > run[0]))
            at.append(place)
    return columns, np.array(at, dtype=np.int64)


def fold(columns: Sequence[Column], width: int) -> tuple[range, ...]:
    """The columns as lines of at most so many, broken between words.

    The last line may be an eighth longer, rather than leave a few columns to another.
    """
    lines: list[range] = []
    begin = 0
    while len(columns) - begin > width + width // 8:
        end = begin + width
        while end > begin and columns[end].joins:
            end -= 1
        if end == begin:  # a word longer than a line
            end = begin + width
        lines.append(range(begin, end))
        begin = end
    if begin < len(columns):
        lines.append(range(begin, len(columns)))
    return tuple(lines)


def _runs(values: NDArray[np.bool_]) -> Iterator[tuple[bool, range]]:
    """Neighbours of one value, as ranges."""
    for value, group in groupby(range(len(values)), key=values.tolist().__getitem__):
        run = list(group)
        yield value, range(run[0], run[-1] + 1)


def one_line(words: str, longest: int = _LONGEST_LABEL) -> str:
    """Words as they can be drawn: on one line, without what no font has, cut off where they are too long."""
    line = " ".join(_UNPRINTABLE.sub("\ufffd", words).split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
