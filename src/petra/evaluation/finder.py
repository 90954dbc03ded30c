"""What an evaluation asks of a model that finds people, and what it gets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from petra.domain import Person
from petra.runtime.progress import Report, silent


class Found(Protocol):
    """What a model found in a text, as ``petra.tracker.Tracking``."""

    @property
    def people(self) -> tuple[Person, ...]: ...


class PeopleFinder(Protocol):
    """A model that finds the people of texts, as ``petra.Tracker``."""

    @property
    def name(self) -> str: ...

    def track_many(
        self, texts: Iterable[str], *, cells: int | None = None, threshold: float | None = None
    ) -> Iterator[Found]:
        """What was found in each text, in input order."""


def people_of(
    finder: PeopleFinder,
    texts: Sequence[str],
    *,
    cells: int | None = None,
    threshold: float | None = None,
    report: Report = silent,
) -> Iterator[tuple[Person, ...]]:
    """The people that a model finds in each text, in input order."""
    for done, found in enumerate(finder.track_many(texts, cells=cells, threshold=threshold), start=1):
        yield found.people
        report(done, len(texts))
