"""The reading of a text token by token, as plain values for a page that plays it (schema ``petra.steps/1``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petra.domain import Person
from petra.log.memory_log import MemoryLog
from petra.people.occupancy import EMPTY_CELL, Occupancy

SCHEMA = "petra.steps/1"
_DIGITS = 3  # of probabilities: more than can be seen on the page


def steps_json(
    log: MemoryLog, people: Sequence[Person], occupancy: Occupancy, first: int, count: int
) -> dict[str, Any]:
    """Some steps of a reading: what each token is, what the memory decided, and who is in each cell after it.

    ``written`` and ``meant`` are the decisions: which cell a person was written to, and
    which cell's person was referred to. ``before`` of a step is the text between the token
    before and this one, so that the texts in a row are the text as given.
    """
    first = min(first, log.num_tokens)
    last = min(first + count, log.num_tokens)
    rows = slice(first, last)
    persons, inside = occupancy.persons, occupancy.inside
    mentioned = np.flatnonzero(persons)
    named = {*np.unique(inside[rows]).tolist(), *np.unique(persons[rows]).tolist()} - {EMPTY_CELL}
    return {
        "schema": SCHEMA,
        "tokens": log.num_tokens,
        "cells": log.num_cells,
        "threshold": log.threshold,
        "read_by": log.read_by,
        "first": first,
        "mention_before": _nearest(mentioned[mentioned < first][-1:]),
        "mention_after": _nearest(mentioned[mentioned >= last][:1]),
        "people": [{"id": person.id, "name": person.name} for person in people if person.id in named],
        "steps": [
            {
                **_token(log, token),
                "person": int(persons[token]) or None,
                "mention_prob": round(float(log.mention_prob[token]), _DIGITS),
                "overwrite_prob": _rounded(log.overwrite_prob[token]),
                "coref_prob": _rounded(log.coref_prob[token]),
                "usage": _rounded(log.usage[token]),
                "written": occupancy.written[token].tolist(),
                "meant": occupancy.meant[token].tolist(),
                "inside": [person or None for person in inside[token].tolist()],
            }
            for token in range(first, last)
        ],
    }


def _token(log: MemoryLog, token: int) -> dict[str, Any]:
    start, end = int(log.starts[token]), int(log.ends[token])
    before = int(log.ends[token - 1]) if token else 0  # may lie past the start: tokens can share a character
    return {"start": start, "end": end, "before": log.text[before:start], "text": log.text[max(before, start) : end]}


def _rounded(values: NDArray[np.float32]) -> list[float]:
    return [round(value, _DIGITS) for value in values.tolist()]


def _nearest(token: NDArray[np.int64]) -> int | None:
    return int(token[0]) if len(token) else None
