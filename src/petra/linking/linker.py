"""The linker: links each mention to a person in memory or to a new one.

Letters: N cells, P candidates, H hidden size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from petra.linking.context import MentionContext
from petra.linking.discourse import Discourse
from petra.linking.features import FeatureRow
from petra.linking.scorer import FeatureWeights, complete, shares
from petra.log.rows import Floats


class Memory(Protocol):
    """The memory of people as linking uses it (``petra.memory.inference.person_memory.PersonMemory``)."""

    num_cells: int

    @property
    def in_cells(self) -> Sequence[int | None]: ...

    @property
    def next_cell(self) -> int: ...

    @property
    def last_used(self) -> NDArray[np.int64]: ...

    def usage(self, tokens: NDArray[np.int64], last_used: NDArray[np.int64]) -> Floats: ...

    def scores(self, hidden: Floats, token: int, people: Sequence[int]) -> Floats: ...

    def commit(self, person: int, hidden: Floats, token: int, *, named: bool) -> int | None: ...


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Link:
    """The decision on one mention, with the scores and features that it follows from."""

    person: int
    mention: MentionContext
    candidates: tuple[int, ...]  # P people; a new person, whose number would be the next, comes after them
    memory_scores: Floats  # (P,)
    features: tuple[FeatureRow, ...]  # of the P candidates and of a new person
    shares: Floats  # (P + 1,) of the softmax
    coref_prob: Floats  # (N,) shares of the people in the cells
    overwrite_prob: Floats  # (N,) that of everybody else, at the cell they would take

    @property
    def share(self) -> float:
        """The share of the softmax of the person chosen."""
        return float(self.shares.max())


class Linker:
    """Links mentions one by one, in the order of their heads.

    Everybody in a cell is a candidate of every mention. People in the register, who were
    not mentioned for long, are candidates only of mentions that call them back by their
    words (``Discourse.called_back``): not of "she".
    """

    def __init__(self, memory: Memory, weights: FeatureWeights) -> None:
        self._memory = memory
        self._weights = complete(weights)
        self._discourse = Discourse()
        self._count = 0  # people so far

    @property
    def num_people(self) -> int:
        """How many people are in memory."""
        return len(self._discourse)

    def knows(self, person: int) -> bool:
        """Whether a person is still in memory."""
        return self._discourse.knows(person)

    def link(self, mention: MentionContext, hidden: Floats, token: int) -> Link:
        """Decide on a mention with h_t (H,) at its head token, and write it to the memory."""
        people = self._candidates(mention)
        memory_scores = self._memory.scores(hidden, token, people) if people else np.zeros(0, dtype=np.float32)
        features = self._discourse.features(mention, people)
        found = shares(memory_scores, features, self._weights)  # (P + 1,)
        place = int(found.argmax())
        is_known = place < len(people)
        self._count += not is_known
        link = Link(
            person=people[place] if is_known else self._count,
            mention=mention,
            candidates=tuple(people),
            memory_scores=memory_scores,
            features=tuple(features),
            shares=found,
            **self._gates(people, found),
        )
        self._discourse.commit(mention, link.person)
        dropped = self._memory.commit(link.person, hidden, token, named=mention.cues.kind == "name")
        if dropped is not None:
            self._discourse.forget(dropped)
        return link

    def _candidates(self, mention: MentionContext) -> list[int]:
        """The people in the cells, then those called back from the register, without those that are excluded."""
        in_cells = [person for person in self._memory.in_cells if person is not None]
        called_back = sorted(self._discourse.called_back(mention.cues) - set(in_cells))
        return [
            person
            for person in (*in_cells, *called_back)
            if person not in mention.excludes and self._discourse.may_be(mention.cues, person)
        ]

    def _gates(self, people: Sequence[int], found: Floats) -> dict[str, Floats]:
        """The shares as gates of the cells: those of the register and of a new person are an overwrite."""
        share_of = dict(zip(people, found.tolist(), strict=False))
        in_cells = [0.0 if person is None else share_of.pop(person, 0.0) for person in self._memory.in_cells]
        coref_prob = np.array(in_cells, dtype=np.float32)
        overwrite_prob = np.zeros_like(coref_prob)
        overwrite_prob[self._memory.next_cell] = sum(share_of.values()) + float(found[-1])
        return {"coref_prob": coref_prob, "overwrite_prob": overwrite_prob}
