"""A memory log small enough for the page of a novel.

Only the tokens that a picture of the log would show are kept, with those gates that are
more than nothing, in hundredths. They are written as bytes, each token as

    the characters between it and the token before (UTF-16 units)
    its length
    2 * (tokens left out before it) + (1 if it goes on with the word of the token before)
    how many gates follow
    for each gate: 2 * cell + (0 for o, 1 for c), then its value

where every number is in base 128, lowest digits first, 128 added to all but the last.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from petra.log.memory_log import MemoryLog
from petra.report.columns import gates_at, joins_at, places_of, shown_around
from petra.report.panels import NOTABLE
from petra.report.shown import ShownText

_SCALE = 100  # values are kept in hundredths, as they are read


def pack_log(log: MemoryLog, shown: ShownText) -> str:
    """The log in base 64."""
    return base64.b64encode(bytes(_digits(_numbers(log, shown)))).decode("ascii")


def _numbers(log: MemoryLog, shown: ShownText) -> Iterator[int]:
    whole = log.tokens_in(0, len(log.text))
    places = places_of([log], 0, len(log.text))
    overwrite, coref = gates_at(places, log, whole)
    joins = joins_at(places, log, whole)
    notable = np.maximum(overwrite, coref).max(axis=1, initial=0) >= np.float32(min(NOTABLE, log.threshold))
    kept = np.flatnonzero(shown_around(notable, joins))
    starts, ends = (shown.units[shown.places[offsets[kept]]].tolist() for offsets in (places.starts, places.ends))
    values = _hundredths(overwrite[kept], coref[kept])
    tokens, rows = np.nonzero(values)
    gates = np.stack([rows, values[tokens, rows]], axis=1).tolist()
    bounds = np.searchsorted(tokens, np.arange(len(kept) + 1)).tolist()
    done = 0
    for token, (before, place) in enumerate(pairwise([-1, *kept.tolist()])):
        left_out = place - before - 1
        first, last = bounds[token], bounds[token + 1]
        yield from (starts[token] - done, ends[token] - starts[token])
        yield from (2 * left_out + int(joins[place] and not left_out), last - first)
        yield from chain.from_iterable(gates[first:last])
        done = ends[token]


def _hundredths(overwrite: NDArray[np.float32], coref: NDArray[np.float32]) -> NDArray[np.int64]:
    """o and c side by side for each cell, (tokens, 2 N)."""
    both = np.stack([overwrite, coref], axis=2).reshape(len(overwrite), 2 * overwrite.shape[1])
    values: NDArray[np.int64] = np.rint(np.minimum(both, 1) * _SCALE).astype(np.int64)
    return values


def _digits(numbers: Iterator[int]) -> Iterator[int]:
    for number in numbers:
        while number > 127:
            yield number % 128 + 128
            number //= 128
        yield number
