"""Linking: who a mention is of, among the people in memory and a new one.

Letters: N cells, P people in question, H hidden size.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from petra.english.names import Name, Relation
from petra.english.nicknames import related
from petra.linking.cues import Cues, Profile
from petra.linking.features import Weights, evidence
from petra.linking.scene import Scene

Floats = NDArray[np.float32]


class Memory(Protocol):
    """What linking needs of a memory of people (``petra.memory.person_memory.PersonMemory``)."""

    num_cells: int

    @property
    def in_cells(self) -> Sequence[int | None]: ...

    @property
    def next_cell(self) -> int: ...

    def usage(self, tokens: NDArray[np.int64]) -> Floats: ...

    def scores(self, hidden: Floats, token: int, people: Sequence[int]) -> Floats: ...

    def commit(self, person: int, hidden: Floats, token: int, *, named: bool) -> int | None: ...


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Link:
    """The decision on one mention."""

    person: int
    share: float  # of the softmax, that fell to the person
    coref_prob: Floats  # (N,) shares of the people in the cells
    overwrite_prob: Floats  # (N,) that of everybody else, at the cell they would take


class Linker:
    """Decides mention by mention, in the order of their heads; keeps a profile of everybody in memory.

    Everybody in a cell may be meant by any mention. Those in the register are called
    back by their name, by the very nominal they were mentioned by ("the turnkey") or, if
    it is the narrator, by "I": whoever was not mentioned for so long is not meant by "she".
    """

    def __init__(self, memory: Memory, weights: Weights) -> None:
        self._memory = memory
        self._weights = weights
        self._profiles: dict[int, Profile] = {}
        self._by_word: defaultdict[str, set[int]] = defaultdict(set)  # word of a name, or a whole phrase -> people
        self._scene = Scene()
        self._count = 0  # people so far

    def knows(self, person: int) -> bool:
        """Whether a person is still in memory."""
        return person in self._profiles

    def link(
        self,
        cues: Cues,
        hidden: Floats,
        token: int,
        *,
        apart_from: frozenset[int] = frozenset(),
        described: frozenset[int] = frozenset(),
        renamed: frozenset[int] = frozenset(),
    ) -> Link:
        """Decide on a mention with h_t (H,) at its head token, and write it to the memory.

        ``apart_from`` are people that it cannot be of. By its place it describes those who
        are ``described``, and is another name of those who are ``renamed``.
        """
        in_cells = [person for person in self._memory.in_cells if person is not None]
        people = [*in_cells, *sorted(self._callable(cues) - set(in_cells))]
        people = [person for person in people if person not in apart_from]
        shares = self._shares(cues, hidden, token, people, described, renamed)  # (P + 1,)
        place = int(shares.argmax())
        is_known = place < len(people)
        self._count += not is_known
        link = Link(
            person=people[place] if is_known else self._count,
            share=float(shares[place]),
            **self._gates(people, shares),
        )
        self._remember(link.person, cues)
        dropped = self._memory.commit(link.person, hidden, token, named=cues.kind == "name")
        if dropped is not None:
            self._forget(dropped)
        return link

    def _shares(
        self,
        cues: Cues,
        hidden: Floats,
        token: int,
        people: Sequence[int],
        described: frozenset[int],
        renamed: frozenset[int],
    ) -> Floats:
        """The softmax of equation 4 over the people in question and, last, a new one: (P + 1,)."""
        scores = np.full(len(people) + 1, self._weights.new_person(cues))
        if people:
            said = evidence(
                cues,
                [self._profiles[person] for person in people],
                [person in described for person in people],
                [person in renamed for person in people],
                self._weights,
            )
            scenic = [self._scene.evidence(cues, person, self._weights) for person in people]
            scores[:-1] = self._memory.scores(hidden, token, people) + np.add(said, scenic)
        odds = np.exp(scores - scores.max())
        shares: Floats = (odds / odds.sum()).astype(np.float32)
        return shares

    def _gates(self, people: Sequence[int], shares: Floats) -> dict[str, Floats]:
        """The shares as gates of the cells: those of the register and of a new person are an overwrite."""
        coref_prob, overwrite_prob = np.zeros((2, self._memory.num_cells), dtype=np.float32)
        share_of = dict(zip(people, shares.tolist(), strict=False))
        for cell, person in enumerate(self._memory.in_cells):
            if person is not None:
                coref_prob[cell] = share_of.pop(person, 0.0)
        overwrite_prob[self._memory.next_cell] = sum(share_of.values()) + float(shares[-1])
        return {"coref_prob": coref_prob, "overwrite_prob": overwrite_prob}

    def _callable(self, cues: Cues) -> set[int]:
        """The people whom a mention may call back from the register."""
        if cues.tells:
            return set() if self._scene.narrator is None else {self._scene.narrator}
        if cues.name is not None:
            keys = {key for word in cues.name.words for key in (word, *related(word))}
            found = set[int]().union(*(self._by_word[key] for key in keys if key in self._by_word))
            return {person for person in found if self._goes_with(cues.name, person)}
        return {person for key in (cues.phrase, cues.kin) if key for person in self._by_word.get(key, ())}

    def _goes_with(self, name: Name, person: int) -> bool:
        return self._profiles[person].relation(name) not in (None, Relation.STRANGE, Relation.CLASH)

    def _remember(self, person: int, cues: Cues) -> None:
        before = self._profiles.get(person, Profile())
        after = before.after(cues)
        self._profiles[person] = after
        for key in _keys(before) - _keys(after):
            self._discard(key, person)
        for key in _keys(after) - _keys(before):
            self._by_word[key].add(person)
        self._scene = self._scene.after(cues, person, may_tell=self._may_tell(after))

    def _may_tell(self, profile: Profile) -> bool:
        """Whether a person may be the narrator: told of less than telling, and telling as much as whoever is."""
        narrator = self._scene.narrator
        least = profile.told + 1 if narrator is None else max(profile.told + 1, self._profiles[narrator].tells)
        return profile.tells >= least

    def _forget(self, person: int) -> None:
        for key in _keys(self._profiles.pop(person)):
            self._discard(key, person)
        self._scene = self._scene.without(person)

    def _discard(self, key: str, person: int) -> None:
        self._by_word[key].discard(person)
        if not self._by_word[key]:
            del self._by_word[key]


def _keys(profile: Profile) -> set[str]:
    """What a person can be called back by."""
    return {word for name, _ in profile.names for word in name.words} | {*profile.phrases, *profile.kin}
