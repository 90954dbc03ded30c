"""Who is in each memory cell after each token, told from a log and its people.

Letters: T tokens, N cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petra.domain import Person
from petra.log.memory_log import MemoryLog

NOBODY = 0


@dataclass(frozen=True, slots=True, eq=False)
class Occupancy:
    """Who is where, by their ids; 0 is nobody."""

    persons: NDArray[np.int32]  # (T,) who is mentioned at a token; of nested mentions, the inner one's person
    inside: NDArray[np.int32]  # (T, N) who is in a cell after the token


def find_occupants(log: MemoryLog, people: Sequence[Person]) -> Occupancy:
    """Follow the people of a log through its cells.

    A cell holds whoever is mentioned where it is overwritten, until the next overwrite.
    Written where nobody is mentioned, it holds nobody; meant while nobody is known to
    be in it, it holds whoever is mentioned there. A gate counts from the log's threshold.
    """
    persons = _persons(log, people)
    least = np.float32(log.threshold)
    inside = np.zeros((log.num_tokens, log.num_cells), dtype=np.int32)
    now = np.zeros(log.num_cells, dtype=np.int32)
    done = 0
    gates = np.maximum(log.overwrite_prob, log.coref_prob)
    for token in np.flatnonzero((gates >= least).any(axis=1)).tolist():
        inside[done:token] = now
        written = log.overwrite_prob[token] >= least
        meant = (log.coref_prob[token] >= least) & (now == NOBODY)
        now[written | meant] = persons[token]
        done = token
    inside[done:] = now
    return Occupancy(persons, inside)


def _persons(log: MemoryLog, people: Sequence[Person]) -> NDArray[np.int32]:
    persons = np.zeros(log.num_tokens, dtype=np.int32)
    mentions = ((mention, person.id) for person in people for mention in person.mentions)
    for mention, person in sorted(mentions, key=lambda item: item[0].start - item[0].end):  # the longest first
        tokens = log.tokens_in(mention.start, mention.end)
        persons[tokens.start : tokens.stop] = person
    return persons
