"""The mentions of a memory log: where each person that tracking found is mentioned.

Letters: M mentions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from petra.domain import KINDS, Event, Kind, Mention
from petra.errors import LogError


class LoggedMention(NamedTuple):
    """A mention of a person: ``text[start:end]``, decided on at its head token."""

    start: int
    end: int
    kind: Kind
    head: int  # token that ends its head word
    person: int  # from 1, in order of first mention
    probability: float
    read_as: int | None = None  # the person of the first pass, from 1 in order of first mention; None without a second


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class LogMentions:
    """Every mention of a text in text order, by columns."""

    starts: NDArray[np.int64]  # (M,) half-open character ranges
    ends: NDArray[np.int64]  # (M,)
    kinds: NDArray[np.int64]  # (M,) places in KINDS
    heads: NDArray[np.int64]  # (M,) head tokens
    people: NDArray[np.int64]  # (M,) from 1, in order of first mention
    probability: NDArray[np.float64]  # (M,)
    read_as: NDArray[np.int64] | None = None  # (M,) the people of the first pass; None where there was no second

    @classmethod
    def of(cls, mentions: Iterable[LoggedMention]) -> LogMentions:
        rows = list(mentions)
        whole = np.array(
            [(row.start, row.end, KINDS.index(row.kind), row.head, row.person) for row in rows], dtype=np.int64
        ).reshape(-1, 5)
        starts, ends, kinds, heads, people = whole.T.copy()
        probability = np.array([row.probability for row in rows], dtype=np.float64)
        read_as = None
        if rows and all(row.read_as is not None for row in rows):
            read_as = np.array([row.read_as for row in rows], dtype=np.int64)
        return cls(
            starts=starts, ends=ends, kinds=kinds, heads=heads, people=people, probability=probability, read_as=read_as
        )

    def __len__(self) -> int:
        return len(self.starts)

    def __iter__(self) -> Iterator[LoggedMention]:
        columns = (self.starts, self.ends, self.kinds, self.heads, self.people, self.probability)
        read_as = [None] * len(self) if self.read_as is None else self.read_as.tolist()
        rows = zip(*(each.tolist() for each in columns), read_as, strict=True)
        for start, end, kind, head, person, probability, first in rows:
            yield LoggedMention(start, end, KINDS[kind], head, person, probability, first)

    @property
    def final_person(self) -> dict[int, int]:
        """For each person of the first pass the final person who has most of its mentions."""
        first = self.people if self.read_as is None else self.read_as
        return _main(zip(first.tolist(), self.people.tolist(), strict=True))

    @property
    def moved(self) -> NDArray[np.bool_]:
        """Which mentions the second pass took for somebody else (M,): those not of the person's largest part."""
        if self.read_as is None:
            return np.zeros(len(self), dtype=np.bool_)
        largest = _main(zip(self.people.tolist(), self.read_as.tolist(), strict=True))
        main = np.array([largest[it] for it in self.people.tolist()], dtype=np.int64)
        return np.asarray(main != self.read_as, dtype=np.bool_)

    def events(self, text: str) -> list[Event]:
        """The mentions of a text as events."""
        known: set[int] = set()
        events = []
        for start, end, kind, _, person, probability, _ in self:
            events.append(Event(person, Mention(start, end, text[start:end], kind, probability), person not in known))
            known.add(person)
        return events

    def where(self, kept: NDArray[np.bool_]) -> LogMentions:
        """Some of the mentions; the people left are numbered anew."""
        mentions = [mention for mention, is_kept in zip(self, kept.tolist(), strict=True) if is_kept]
        return LogMentions.of(numbered(mentions))

    def check(self, *, characters: int, tokens: int) -> None:
        """Raise an error unless the mentions lie in a text of so many characters and tokens."""
        columns: list[NDArray[Any]] = [self.starts, self.ends, self.kinds, self.heads, self.people, self.probability]
        types: list[type[np.generic]] = [*(np.int64,) * 5, np.float64]
        if self.read_as is not None:
            columns.append(self.read_as)
            types.append(np.int64)
        if any(
            column.dtype != dtype or column.shape != (len(self),) for column, dtype in zip(columns, types, strict=True)
        ):
            raise LogError(
                "The mentions of the log have columns of different lengths or types; expected one row per mention, "
                "of whole numbers and a probability."
            )
        if not len(self):
            return
        ordered = bool((np.diff(self.starts) >= 0).all())
        inside = self.starts[0] >= 0 and bool((self.starts < self.ends).all()) and self.ends.max() <= characters
        kinds = self.kinds.min() >= 0 and self.kinds.max() < len(KINDS)
        heads = self.heads.min() >= 0 and self.heads.max() < tokens
        columns_of_people = [self.people] if self.read_as is None else [self.people, self.read_as]
        numbered = all(
            column.min() >= 1 and bool((np.diff(np.maximum.accumulate(column), prepend=0) <= 1).all())
            for column in columns_of_people  # a person is numbered when first mentioned: 1, 2, 3 ..
        )
        likely = bool(((self.probability >= 0) & (self.probability <= 1)).all())
        if not (ordered and inside and kinds and heads and numbered and likely):
            raise LogError(
                f"The mentions of the log do not fit its text ({characters} characters, {tokens} tokens): expected "
                "them in text order, with kinds, head tokens, probabilities and people numbered by first mention."
            )


def _main(pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    """What each of the first is most often paired with; of equals the earliest."""
    main: dict[int, int] = {}
    for (one, other), _ in Counter(pairs).most_common():
        main.setdefault(one, other)
    return main


def numbered(mentions: Iterable[LoggedMention]) -> Iterator[LoggedMention]:
    """Mentions whose people are numbered anew, from 1 in order of first mention, those of the first pass too."""
    people: dict[int, int] = {}
    first: dict[int | None, int] = {}
    for mention in mentions:
        yield mention._replace(
            person=people.setdefault(mention.person, len(people) + 1),
            read_as=None if mention.read_as is None else first.setdefault(mention.read_as, len(first) + 1),
        )
