"""A memory log small enough for the page of a novel.

Only the tokens that a picture of the log would show are kept, with those gates that are
more than nothing, in hundredths. They are written as bytes, each token as

    the characters between it and the token before (UTF-16 units)
    its length
    2 * (tokens left out before it) + (1 if it goes on with the word of the token before)
    how many gates follow
    for each gate: 4 * cell + 2 * (1 if the decision used it) + (0 for o, 1 for c), then its value

where every number is in base 128, lowest digits first, 128 added to all but the last.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from itertools import chain, pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from petra.log.memory_log import MemoryLog
from petra.people.occupancy import Occupancy
from petra.report.page.shown import ShownText
from petra.report.picture.columns import gates_at, joins_at, places_of, shown_around, values_at
from petra.report.picture.panels import notable_at

_SCALE = 100  # values are kept in hundredths, as they are read
_Scalar = TypeVar("_Scalar", bound=np.generic)


def pack_log(log: MemoryLog, occupancy: Occupancy, shown: ShownText) -> str:
    """The log in base 64; the occupancy says which of its gates the decisions used."""
    return base64.b64encode(bytes(_digits(_numbers(log, occupancy, shown)))).decode("ascii")


def _numbers(log: MemoryLog, occupancy: Occupancy, shown: ShownText) -> Iterator[int]:
    whole = log.tokens_in(0, len(log.text))
    places = places_of([log], 0, len(log.text))
    overwrite, coref = gates_at(places, log, whole)
    joins = joins_at(places, log, whole)
    strongest = np.maximum(overwrite, coref).max(axis=1, initial=0)
    notable = notable_at(places, log, whole, strongest, log.threshold)
    kept = np.flatnonzero(shown_around(notable, joins))
    starts, ends = (shown.units[shown.places[offsets[kept]]].tolist() for offsets in (places.starts, places.ends))
    values = np.rint(np.minimum(_by_row(overwrite, coref)[kept], 1) * _SCALE).astype(np.int64)
    decided = _by_row(*(values_at(places, log, whole, flags) for flags in (occupancy.written, occupancy.meant)))[kept]
    tokens, rows = np.nonzero(values)
    numbers = 4 * (rows // 2) + 2 * decided[tokens, rows] + rows % 2
    gates = np.stack([numbers, values[tokens, rows]], axis=1).tolist()
    bounds = np.searchsorted(tokens, np.arange(len(kept) + 1)).tolist()
    done = 0
    for token, (before, place) in enumerate(pairwise([-1, *kept.tolist()])):
        left_out = place - before - 1
        first, last = bounds[token], bounds[token + 1]
        yield from (starts[token] - done, ends[token] - starts[token])
        yield from (2 * left_out + int(joins[place] and not left_out), last - first)
        yield from chain.from_iterable(gates[first:last])
        done = ends[token]


def _by_row(overwrite: NDArray[_Scalar], coref: NDArray[_Scalar]) -> NDArray[_Scalar]:
    """Values of o and of c side by side for each cell, (tokens, 2 N)."""
    return np.stack([overwrite, coref], axis=2).reshape(len(overwrite), 2 * overwrite.shape[1])


def _digits(numbers: Iterator[int]) -> Iterator[int]:
    for number in numbers:
        while number > 127:
            yield number % 128 + 128
            number //= 128
        yield number
