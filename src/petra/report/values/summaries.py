"""The people of a text at a glance: what tables and pages say about each."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from petra.domain import KINDS, Person
from petra.people.naming import aliases_of

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, kw_only=True, slots=True)
class Summary:
    """One person in a few facts."""

    id: int
    name: str
    mentions: int
    kinds: str  # "2 names, 1 pronoun"
    other_names: tuple[str, ...]  # the most used first
    first_line: int  # of the text, from 1
    last_line: int
    corrected: bool  # by somebody


def summarise(people: Sequence[Person], text: str) -> list[Summary]:
    """The facts of each person, in the same order."""
    line = line_of(text)
    return [
        Summary(
            id=person.id,
            name=person.name,
            mentions=len(person.mentions),
            kinds=_kinds(person),
            other_names=tuple(alias.name for alias in aliases_of(person.mentions, person.name)),
            first_line=line(person.mentions[0].start),
            last_line=line(person.mentions[-1].start),
            corrected=person.corrected,
        )
        for person in people
    ]


def line_of(text: str) -> Callable[[int], int]:
    """A function that gives the line of a place in a text, from 1."""
    line_starts = [0, *(end.end() for end in _LINE_END.finditer(text))]
    return lambda place: bisect_right(line_starts, place)


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 name", "2 names"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _kinds(person: Person) -> str:
    counts = Counter(mention.kind for mention in person.mentions)
    return ", ".join(counted(counts[kind], kind) for kind in KINDS if counts[kind])
