"""People: which mentions are of one person, read from the log in order.

A person is one stretch of a cell between two overwrites (docs/people.md gives the
whole rule). ``PeopleReader`` takes the log bit by bit and keeps only who is in each
cell and the words that may still grow; ``find_people`` reads a whole log with it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petra.errors import ConfigError, LogError
from petra.log.memory_log import MemoryLog
from petra.people.decisions import Decision, decide
from petra.people.mentions import Mention, MentionReader
from petra.people.naming import name_of
from petra.people.stretches import Group
from petra.people.tail import Tail
from petra.people.words import Word, WordReader


@dataclass(frozen=True, slots=True)
class Person:
    """A person of a text, with every mention in text order."""

    id: int  # from 1, in order of first mention
    name: str
    mentions: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """A person is mentioned."""

    person_id: int
    mention: Mention
    is_new: bool  # for the first time


def find_people(log: MemoryLog, threshold: float | None = None) -> tuple[Person, ...]:
    """The people of a text, in order of first mention.

    ``threshold`` is the least probability of a gate that counts; the log's own unless given.
    """
    reader = PeopleReader(log.threshold if threshold is None else threshold)
    events = reader.feed(
        log.text,
        starts=log.starts,
        ends=log.ends,
        words=log.words,
        coref_prob=log.coref_prob,
        overwrite_prob=log.overwrite_prob,
    )
    return collect([*events, *reader.finish()])


def collect(events: Iterable[Event]) -> tuple[Person, ...]:
    """The people that events speak of."""
    mentions: defaultdict[int, list[Mention]] = defaultdict(list)
    for event in events:
        mentions[event.person_id].append(event.mention)
    return tuple(Person(number, name_of(found), tuple(found)) for number, found in sorted(mentions.items()))


class PeopleReader:
    """Finds people in a log that arrives bit by bit, each mention as soon as it is complete.

    The events do not depend on how the log was portioned. What is kept between two
    portions is who is in each cell and the last few words, whatever the text's length.
    """

    def __init__(self, threshold: float) -> None:
        if not 0 <= threshold <= 1:
            raise ConfigError(f"The threshold is {threshold}; it lies between 0 and 1.")
        self._threshold = threshold
        self._tail = Tail()
        self._words = WordReader(self._tail)
        self._mentions = MentionReader()
        self._cells: dict[int, int] = {}  # cell -> id of the person in it
        self._num_people = 0

    def feed(
        self,
        text: str,
        *,
        starts: NDArray[np.int64],
        ends: NDArray[np.int64],
        words: NDArray[np.int64],
        coref_prob: NDArray[np.float32],
        overwrite_prob: NDArray[np.float32],
    ) -> list[Event]:
        """Read on: the next part of the text, and rows of the log whose tokens lie in the text fed so far.

        Offsets count from the start of the whole text. Text may be fed before its tokens.
        """
        self._tail.append(text)
        if len(starts) and not (self._tail.start <= starts[0] and ends[-1] <= self._tail.end):
            raise LogError(
                f"Tokens at {starts[0]}..{ends[-1]} were fed, with text for {self._tail.start}..{self._tail.end}. "
                "Feed the rows in order, and the text that they cover with them or before."
            )
        decisions = decide(coref_prob, overwrite_prob, self._threshold)
        events: list[Event] = []
        tokens = zip(starts.tolist(), ends.tolist(), words.tolist(), strict=True)
        for row, (start, end, number) in enumerate(tokens):
            for word in self._words.read(start, end, number, decisions.get(row)):
                events += self._read(word)
        needed = self._mentions.needs_from
        self._tail.forget_before(self._words.needs_from if needed is None else needed)
        return events

    def finish(self) -> list[Event]:
        """The mentions that only the end of the text completes."""
        events = [event for word in self._words.finish() for event in self._read(word)]
        return [*events, *self._events(self._mentions.finish())]

    def _read(self, word: Word) -> Iterator[Event]:
        return self._events(self._mentions.read(word))

    def _events(self, groups: Iterable[Group]) -> Iterator[Event]:
        for group in groups:
            self._vacate(group.words[0].gap_decisions)
            if group.kind is None:
                self._vacate(group.decisions)
                continue
            known = self._num_people
            person, probability = self._attribute(group.decisions)
            mention = Mention(
                start=group.start,
                end=group.end,
                text=self._tail.slice(group.start, group.end),
                kind=group.kind,
                probability=probability,
            )
            yield Event(person, mention, is_new=person > known)

    def _vacate(self, decisions: Iterable[Decision]) -> None:
        """Cells written on words that make no mention hold nobody we could name."""
        for decision in decisions:
            for cell in decision.overwritten:
                self._cells.pop(cell, None)

    def _attribute(self, decisions: Iterable[Decision]) -> tuple[int, float]:
        """The person of a mention, by its strongest decision, and the probability.

        All cells that the mention writes hold that person from here on: a name whose
        words opened two cells is one person, and so is one both known and written anew.
        """
        newcomer = self._num_people + 1
        strength: dict[int, float] = {}  # of the strongest gate for each person in question
        probability: dict[int, float] = {}
        for decision in decisions:
            # Whoever wrote an empty cell did so below the threshold: its person appears here.
            person = newcomer if decision.is_new else self._cells.setdefault(decision.cell, newcomer)
            self._cells.update(dict.fromkeys(decision.overwritten, newcomer))
            strength[person] = max(decision.strength, strength.get(person, 0.0))
            probability[person] = max(decision.probability, probability.get(person, 0.0))
        chosen = max(strength, key=strength.__getitem__)  # the earliest of equals
        self._cells = {cell: chosen if person == newcomer else person for cell, person in self._cells.items()}
        self._num_people += chosen == newcomer
        return chosen, probability[chosen]
