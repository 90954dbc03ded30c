"""Texts read mention by mention from a little script: the mentions, and whom a scripted memory takes each for.

    read("Jane met Tom. She smiled.", ("Jane", "name", "jane"), ("Tom", "name", "tom"), ("She", "pronoun", "jane"))

A mark is for the next place where its words stand or, with a ">" before them, for one
inside the last mark without it. With an empty label the memory has no opinion. Tokens
are runs of up to four letters or digits, and each other character on its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from petra.domain import KINDS, Kind, Person
from petra.linking.scorer import initial_weights
from petra.log.rows import LogRows
from petra.people.finding import collect
from petra.reading.by_mention.resolver import Resolver
from petra.text.piece import Piece

MAX_WIDTH = 30
LABELS = 64  # whom a memory can tell apart
Mark = tuple[str, Kind, str] | tuple[str, Kind, str, float]


class Spans(NamedTuple):
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    kind_prob: NDArray[np.float32]
    feminine_prob: NDArray[np.float32] | None = None


class ScriptedMemory:
    """A memory whose score is +strength for the person last labelled alike, -strength for another, else 0.

    The register takes everybody.
    """

    def __init__(self, num_cells: int = 8, strength: float = 3.0) -> None:
        self.num_cells = num_cells
        self._strength = strength
        self._vectors: dict[int, NDArray[np.float32]] = {}
        self._last: dict[int, int] = {}
        self._cells: list[int | None] = [None] * num_cells

    @property
    def in_cells(self) -> Sequence[int | None]:
        return list(self._cells)

    @property
    def next_cell(self) -> int:
        return min(range(self.num_cells), key=lambda cell: self._last.get(self._cells[cell] or 0, -1))

    @property
    def last_used(self) -> NDArray[np.int64]:
        return np.array([self._last.get(person or 0, -1) for person in self._cells], dtype=np.int64)

    def usage(self, tokens: NDArray[np.int64], last_used: NDArray[np.int64]) -> NDArray[np.float32]:
        return (0.98 ** np.maximum(tokens[:, None] - last_used, 0) * (last_used >= 0)).astype(np.float32)

    def scores(self, hidden: NDArray[np.float32], token: int, people: Sequence[int]) -> NDArray[np.float32]:
        return np.array([self._score(hidden, self._vectors[person]) for person in people], dtype=np.float32)

    def commit(self, person: int, hidden: NDArray[np.float32], token: int, *, named: bool) -> int | None:
        if person not in self._cells:
            self._cells[self.next_cell] = person
        if hidden.any() or person not in self._vectors:
            self._vectors[person] = hidden
        self._last[person] = token
        return None

    def _score(self, hidden: NDArray[np.float32], vector: NDArray[np.float32]) -> float:
        if not (hidden.any() and vector.any()):
            return 0.0
        return self._strength if np.array_equal(hidden, vector) else -self._strength


@dataclass(frozen=True, kw_only=True, eq=False)
class Script:
    """What a reader of people is fed."""

    text: str
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    words: NDArray[np.int64]
    hidden: NDArray[np.float32]
    candidates: Spans

    @property
    def piece(self) -> Piece:
        return Piece(self.text, self.starts, self.ends, self.words)


def written(text: str, *marks: Mark) -> Script:
    """The tokens, states and candidates of a text; a mark's tokens have the state of its label."""
    words = list(re.finditer(r"[^\W_]+|[^\w\s]|_", text))
    starts, ends, numbers = [], [], []
    for number, word in enumerate(words):
        for begin in range(word.start(), word.end(), 4):
            starts.append(begin)
            ends.append(min(begin + 4, word.end()))
            numbers.append(number)
    labels = sorted({mark[2] for mark in marks} - {""})
    assert len(labels) <= LABELS
    hidden = np.zeros((len(starts), LABELS), dtype=np.float32)
    spans: list[tuple[int, int, NDArray[np.float32]]] = []
    outer, place = 0, 0
    for mark, kind, label, *given in marks:
        spelling, is_inside = mark.lstrip(">"), mark.startswith(">")
        at = re.compile(rf"(?<!\w){re.escape(spelling)}(?!\w)").search(text, outer if is_inside else place)
        assert at is not None, spelling
        if not is_inside:
            outer, place = at.span()
        first = next(t for t in range(len(starts)) if starts[t] >= at.start())
        last = next(t for t in reversed(range(len(starts))) if ends[t] <= at.end())
        if label:
            hidden[first : last + 1] = np.eye(LABELS, dtype=np.float32)[labels.index(label)]
        prob = np.zeros(3, dtype=np.float32)
        prob[KINDS.index(kind)] = given[0] if given else 0.9
        spans.append((first, last, prob))
    spans.sort(key=lambda span: span[:2])
    return Script(
        text=text,
        starts=np.array(starts, dtype=np.int64),
        ends=np.array(ends, dtype=np.int64),
        words=np.array(numbers, dtype=np.int64),
        hidden=hidden,
        candidates=Spans(
            np.array([span[0] for span in spans], dtype=np.int64),
            np.array([span[1] for span in spans], dtype=np.int64),
            np.array([span[2] for span in spans], dtype=np.float32).reshape(-1, 3),
        ),
    )


def read_script(
    script: Script, memory: ScriptedMemory | None = None, *, max_width: int = MAX_WIDTH
) -> tuple[tuple[Person, ...], LogRows]:
    resolver = Resolver(memory or ScriptedMemory(), threshold=0.5, max_width=max_width, weights=initial_weights())
    most = resolver.feed(script.piece, hidden=script.hidden, candidates=script.candidates)
    whole = most.followed_by(resolver.finish())
    return collect(whole.events), whole.rows


def read(text: str, *marks: Mark, num_cells: int = 8, strength: float = 3.0) -> dict[str, list[str]]:
    """Name of each person -> the mentions."""
    people, _ = read_script(written(text, *marks), ScriptedMemory(num_cells, strength))
    assert [person.id for person in people] == list(range(1, len(people) + 1))
    return {person.name: [mention.text for mention in person.mentions] for person in people}
