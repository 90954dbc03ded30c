"""The quotations of a memory log: where somebody is quoted, and the mentions of whoever speaks and is spoken to.

Speaker and addressee are kept as mentions, so that they follow their mentions to whichever
person these are of.

Letters: Q quotations, P parts of them, M mentions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from petra.domain import FOUND_BY, FoundBy, Quotation
from petra.errors import LogError
from petra.log.mentions import LogMentions

_NO_MENTION = -1  # in place of a mention


class LoggedQuotation(NamedTuple):
    """A quotation, with rows of the log's mentions for whoever speaks and is spoken to."""

    parts: tuple[tuple[int, int], ...]  # half-open character ranges, quotation marks included
    speaker: int | None  # row of a mention
    addressee: int | None
    found_by: FoundBy
    probability: float


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class LogQuotations:
    """Every quotation of a text in text order, by columns."""

    part_starts: NDArray[np.int64]  # (P,) half-open character ranges
    part_ends: NDArray[np.int64]  # (P,)
    parts_of: NDArray[np.int64]  # (P,) the quotation that each is a part of, from 0
    speakers: NDArray[np.int64]  # (Q,) rows of the mentions, or -1
    addressees: NDArray[np.int64]  # (Q,)
    found_by: NDArray[np.int64]  # (Q,) places in FOUND_BY
    probability: NDArray[np.float64]  # (Q,)

    @classmethod
    def of(cls, quotations: Iterable[LoggedQuotation]) -> LogQuotations:
        rows = list(quotations)
        parts = np.array(
            [(start, end, number) for number, row in enumerate(rows) for start, end in row.parts], dtype=np.int64
        ).reshape(-1, 3)
        part_starts, part_ends, parts_of = parts.T.copy()
        return cls(
            part_starts=part_starts,
            part_ends=part_ends,
            parts_of=parts_of,
            speakers=np.array([_row(row.speaker) for row in rows], dtype=np.int64),
            addressees=np.array([_row(row.addressee) for row in rows], dtype=np.int64),
            found_by=np.array([FOUND_BY.index(row.found_by) for row in rows], dtype=np.int64),
            probability=np.array([row.probability for row in rows], dtype=np.float64),
        )

    def __len__(self) -> int:
        return len(self.speakers)

    def __iter__(self) -> Iterator[LoggedQuotation]:
        parts: list[list[tuple[int, int]]] = [[] for _ in range(len(self))]
        for start, end, number in zip(
            self.part_starts.tolist(), self.part_ends.tolist(), self.parts_of.tolist(), strict=True
        ):
            parts[number].append((start, end))
        columns = (self.speakers, self.addressees, self.found_by, self.probability)
        for own, (speaker, addressee, found_by, probability) in zip(
            parts, zip(*(each.tolist() for each in columns), strict=True), strict=True
        ):
            yield LoggedQuotation(tuple(own), _mention(speaker), _mention(addressee), FOUND_BY[found_by], probability)

    def quotations(self, mentions: LogMentions) -> tuple[Quotation, ...]:
        """The quotations, given the mentions of the log."""
        people = mentions.people.tolist()
        places = list(zip(mentions.starts.tolist(), mentions.ends.tolist(), strict=True))
        return tuple(
            Quotation(
                start=row.parts[0][0],
                end=row.parts[-1][1],
                parts=row.parts,
                speaker=None if row.speaker is None else people[row.speaker],
                addressee=None if row.addressee is None else people[row.addressee],
                found_by=row.found_by,
                probability=row.probability,
                speaker_mention=None if row.speaker is None else places[row.speaker],
                addressee_mention=None if row.addressee is None else places[row.addressee],
            )
            for row in self
        )

    def check(self, *, characters: int, mentions: int) -> None:
        """Raise an error unless the quotations lie in a text of so many characters and mentions."""
        by_part = (self.part_starts, self.part_ends, self.parts_of)
        by_quotation = (self.speakers, self.addressees, self.found_by)
        types = all(column.dtype == np.int64 for column in (*by_part, *by_quotation))
        lengths = {len(column) for column in by_part}, {len(column) for column in (*by_quotation, self.probability)}
        if not types or self.probability.dtype != np.float64 or any(len(length) > 1 for length in lengths):
            raise LogError(
                "The quotations of the log have columns of different lengths or types; expected one row per part "
                "and one per quotation, of whole numbers and a probability."
            )
        edges = np.stack([self.part_starts, self.part_ends], axis=1).ravel()
        inside = not len(edges) or (edges[0] >= 0 and bool((np.diff(edges) >= 0).all()) and edges[-1] <= characters)
        numbered = np.array_equal(np.unique(self.parts_of), np.arange(len(self))) and bool(
            (np.diff(self.parts_of) >= 0).all()
        )
        rows = all(_within(column, _NO_MENTION, mentions) for column in (self.speakers, self.addressees))
        likely = bool(((self.probability >= 0) & (self.probability <= 1)).all())
        if not (inside and numbered and rows and likely and _within(self.found_by, 0, len(FOUND_BY))):
            raise LogError(
                f"The quotations of the log do not fit its text ({characters} characters, {mentions} mentions): "
                "expected them in text order, with their parts, mentions of speakers and probabilities."
            )


def _row(mention: int | None) -> int:
    return _NO_MENTION if mention is None else mention


def _mention(row: int) -> int | None:
    return None if row == _NO_MENTION else row


def _within(column: NDArray[np.int64], least: int, end: int) -> bool:
    return not len(column) or (int(column.min()) >= least and int(column.max()) < end)
