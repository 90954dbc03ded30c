"""Occupancy: who is in each memory cell after each token, and which gates the decisions used.

Letters: T tokens, N cells, M mentions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from petra.domain import Person
from petra.english.vocabulary import CLITICS
from petra.log.memory_log import MemoryLog
from petra.log.mentions import LogMentions
from petra.reading.by_token.decisions import decide

EMPTY_CELL = 0

_Persons = NDArray[np.int32]
_Flags = NDArray[np.bool_]

# What follows a mention and is no part of it, although its gates count for it: Jane's, Malcolm X.
_ENDING = re.compile(rf"['’](?:{'|'.join(sorted(CLITICS))})(?!\w)|(?<=\b[^\W\d_])\.", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class Occupancy:
    """The people at the tokens and in the cells of a log, by their ids; 0 is nobody."""

    persons: _Persons  # (T,) who is mentioned at a token; of nested mentions, the inner one's person
    inside: _Persons  # (T, N) who is in a cell after the token
    written: _Flags  # (T, N) whether the decision on the token was to write to the cell: o_t^i counted
    meant: _Flags  # (T, N) whether it was to refer to the person in the cell: c_t^i counted


def find_occupancy(log: MemoryLog, people: Sequence[Person], threshold: float | None = None) -> Occupancy:
    """Follow people, which were found in the log with this threshold, through its cells.

    Read mention by mention, a person is in one cell: the one that the head token of a
    mention writes to, if the person was in none, until somebody else is written to it.
    Read token by token, a cell holds whoever is mentioned where it is overwritten, until
    the next overwrite. Written where nobody is mentioned, it holds nobody; referred to
    while nobody is known to be in it, it holds whoever is mentioned there.
    """
    least = log.threshold if threshold is None else threshold
    if log.read_by == "mention" and log.mentions is not None:
        return _by_mention(log, log.mentions, people, least)
    return _by_token(log, people, least)


def decided_tokens(log: MemoryLog, threshold: float | None = None) -> _Flags:
    """The tokens that a decision of at least the threshold was made on, (T,)."""
    least = np.float32(log.threshold if threshold is None else threshold)
    if log.read_by == "mention" and log.mentions is not None:
        decided = np.zeros(log.num_tokens, dtype=np.bool_)
        decided[log.mentions.heads[log.mention_prob[log.mentions.heads] >= least]] = True
        return decided
    reached: _Flags = np.maximum(log.overwrite_prob, log.coref_prob).max(axis=1) >= least
    return reached


class _Committed(NamedTuple):
    """A mention written to the memory."""

    token: int  # its head
    person: int  # by the numbers of the log
    span: tuple[int, int]
    cell: int
    is_written: bool  # with an overwrite: a new person, or one back from the register


def _by_mention(log: MemoryLog, mentions: LogMentions, people: Sequence[Person], least: float) -> Occupancy:
    persons = _mentioned(log, people)
    inside = np.zeros((log.num_tokens, log.num_cells), dtype=np.int32)
    written, meant = np.zeros((2, log.num_tokens, log.num_cells), dtype=np.bool_)
    shown = {(mention.start, mention.end): person.id for person in people for mention in person.mentions}
    ids = {each.person: shown[each.start, each.end] for each in mentions if (each.start, each.end) in shown}
    now = np.zeros(log.num_cells, dtype=np.int32)
    done = 0
    for token, person, span, cell, is_written in _commits(log, mentions):
        inside[done:token] = now
        now[cell] = shown.get(span, ids.get(person, EMPTY_CELL))
        done = token
        if span in shown and log.mention_prob[token] >= np.float32(least):
            # The head word of one mention may lie within another: here its own person counts.
            persons[token] = shown[span]
            (written if is_written else meant)[token, cell] = True
    inside[done:] = now
    return Occupancy(persons, inside, written, meant)


def _commits(log: MemoryLog, mentions: LogMentions) -> Iterator[_Committed]:
    """The mentions in the order in which they were decided on, that of their heads, with the cells they went to.

    The cells were written by the people of the first pass; they hold whom the mention is of by the second.
    """
    cells: dict[int, int] = {}  # person of the first pass -> cell
    people: dict[int, int] = {}  # cell -> that person
    for mention in sorted(mentions, key=lambda mention: mention.head):
        person = mention.person if mention.read_as is None else mention.read_as
        is_written = person not in cells
        if is_written:
            cell = int(log.overwrite_prob[mention.head].argmax())
            cells.pop(people.get(cell, EMPTY_CELL), None)
            cells[person], people[cell] = cell, person
        yield _Committed(mention.head, mention.person, (mention.start, mention.end), cells[person], is_written)


def _by_token(log: MemoryLog, people: Sequence[Person], least: float) -> Occupancy:
    persons = _mentioned(log, people)
    deciding = _mentioned(log, people, with_endings=True)
    inside = np.zeros((log.num_tokens, log.num_cells), dtype=np.int32)
    written, meant = np.zeros((2, log.num_tokens, log.num_cells), dtype=np.bool_)
    now = np.zeros(log.num_cells, dtype=np.int32)
    done = 0
    for token, decision in decide(log.coref_prob, log.overwrite_prob, least).items():
        inside[done:token] = now
        person = deciding[token]
        if not decision.is_new:
            meant[token, decision.cell] = True
            now[decision.cell] = now[decision.cell] or person
        overwritten = list(decision.overwritten)
        written[token, overwritten] = True
        now[overwritten] = person
        done = token
    inside[done:] = now
    return Occupancy(persons, inside, written, meant)


def _mentioned(log: MemoryLog, people: Sequence[Person], *, with_endings: bool = False) -> _Persons:
    """Who is mentioned at each token, (T,); the inner of nested mentions counts."""
    persons = np.zeros(log.num_tokens, dtype=np.int32)
    mentions = ((mention, person.id) for person in people for mention in person.mentions)
    for mention, person in sorted(mentions, key=lambda item: item[0].start - item[0].end):  # the longest first
        end = mention.end
        if with_endings and (ending := _ENDING.match(log.text, end)):
            end = ending.end()
        tokens = log.tokens_in(mention.start, end)
        persons[tokens.start : tokens.stop] = person
    return persons
