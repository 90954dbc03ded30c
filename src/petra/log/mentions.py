"""The mentions of a memory log: where each person that tracking found is mentioned.

Letters: M mentions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

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


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class LogMentions:
    """Every mention of a text in text order, by columns."""

    starts: NDArray[np.int64]  # (M,) half-open character ranges
    ends: NDArray[np.int64]  # (M,)
    kinds: NDArray[np.int64]  # (M,) places in KINDS
    heads: NDArray[np.int64]  # (M,) head tokens
    people: NDArray[np.int64]  # (M,) from 1, in order of first mention
    probability: NDArray[np.float64]  # (M,)

    @classmethod
    def of(cls, mentions: Iterable[LoggedMention]) -> LogMentions:
        rows = list(mentions)
        whole = np.array(
            [(row.start, row.end, KINDS.index(row.kind), row.head, row.person) for row in rows], dtype=np.int64
        ).reshape(-1, 5)
        starts, ends, kinds, heads, people = whole.T.copy()
        probability = np.array([row.probability for row in rows], dtype=np.float64)
        return cls(starts=starts, ends=ends, kinds=kinds, heads=heads, people=people, probability=probability)

    def __len__(self) -> int:
        return len(self.starts)

    def __iter__(self) -> Iterator[LoggedMention]:
        columns = (self.starts, self.ends, self.kinds, self.heads, self.people, self.probability)
        for start, end, kind, head, person, probability in zip(*(each.tolist() for each in columns), strict=True):
            yield LoggedMention(start, end, KINDS[kind], head, person, probability)

    def events(self, text: str) -> list[Event]:
        """The mentions of a text as events."""
        known: set[int] = set()
        events = []
        for start, end, kind, _, person, probability in self:
            events.append(Event(person, Mention(start, end, text[start:end], kind, probability), person not in known))
            known.add(person)
        return events

    def where(self, kept: NDArray[np.bool_]) -> LogMentions:
        """Some of the mentions; the people left are numbered anew."""
        mentions = [mention for mention, is_kept in zip(self, kept.tolist(), strict=True) if is_kept]
        numbers: dict[int, int] = {}
        return LogMentions.of(
            mention._replace(person=numbers.setdefault(mention.person, len(numbers) + 1)) for mention in mentions
        )

    def check(self, *, characters: int, tokens: int) -> None:
        """Raise an error unless the mentions lie in a text of so many characters and tokens."""
        columns = (self.starts, self.ends, self.kinds, self.heads, self.people, self.probability)
        types = (*(np.int64,) * 5, np.float64)
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
        newest = np.maximum.accumulate(self.people)  # a person is numbered when first mentioned: 1, 2, 3 ..
        numbered = self.people.min() >= 1 and bool((np.diff(newest, prepend=0) <= 1).all())
        likely = bool(((self.probability >= 0) & (self.probability <= 1)).all())
        if not (ordered and inside and kinds and heads and numbered and likely):
            raise LogError(
                f"The mentions of the log do not fit its text ({characters} characters, {tokens} tokens): expected "
                "them in text order, with kinds, head tokens, probabilities and people numbered by first mention."
            )
