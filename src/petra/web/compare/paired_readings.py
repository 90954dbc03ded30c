"""Two readings of one text, with one number and one look for each person of both."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from markupsafe import Markup

from petra.domain import Person
from petra.report.page.cuts import cut
from petra.report.page.looks import look_of
from petra.report.page.marks import MarkedSpan, marked, nested
from petra.report.page.shown import ShownText, show_text
from petra.report.page.text import KIND_CLASSES
from petra.report.values.differences import Comparison, Difference, Placed, compare

Side = Literal["first", "second"]
SIDES: tuple[Side, Side] = ("first", "second")
_ROW = 350  # characters of a row of the two texts, at least: a paragraph or so


class SharedPerson(NamedTuple):
    """A person of either reading or of both."""

    number: int
    look: str
    first: Person | None
    second: Person | None

    @property
    def name(self) -> str:
        """The name; both if the readings call the person differently."""
        names = dict.fromkeys(person.name for person in (self.first, self.second) if person)
        return " / ".join(names)


class TextRow(NamedTuple):
    """The same part of the text as either reading marks it."""

    first: Markup
    second: Markup


@dataclass(frozen=True)
class PairedReadings:
    """The readings of a text by two models.

    People of the first reading keep their numbers, and a person of the second has the number of
    the person they go with; those who go with nobody follow.
    """

    text: str
    first: Sequence[Person]
    second: Sequence[Person]

    @cached_property
    def comparison(self) -> Comparison:
        return compare(self.first, self.second)

    @cached_property
    def people(self) -> tuple[SharedPerson, ...]:
        """Everybody, by number."""
        partners = self.comparison.same_people
        second = {person.id: person for person in self.second}
        pairs: list[tuple[Person | None, Person | None]] = [
            (person, second.pop(partners[person.id]) if person.id in partners else None) for person in self.first
        ]
        pairs += [(None, person) for person in second.values()]
        ranked = sorted(range(len(pairs)), key=lambda at: -max(len(each.mentions) for each in pairs[at] if each))
        looks = {at: look_of(rank) for rank, at in enumerate(ranked)}
        return tuple(SharedPerson(at + 1, looks[at], *pair) for at, pair in enumerate(pairs))

    def shared(self, side: Side, person: Person) -> SharedPerson:
        """The person that somebody of a reading is."""
        return self._shared[side][person.id]

    def numbers(self, difference: Difference) -> set[int]:
        """The people whom a difference is about."""
        placed = ((side, getattr(difference, side)) for side in SIDES)
        return {self.shared(side, each.person).number for side, each in placed if each is not None}

    def rows(self) -> Iterator[TextRow]:
        """The text as both readings mark it, in rows that begin and end at the same characters."""
        shown = show_text(self.text)
        spans = [list(self._spans(side, shown)) for side in SIDES]
        pieces = [nested(each) for each in spans]
        starts = [[piece.start for piece in each] for each in pieces]
        for row in cut(shown.text, [(span.start, span.end) for each in spans for span in each], _ROW):
            parts = (
                marked(shown.text, each[bisect_left(at, row.start) : bisect_left(at, row.stop)], row.start, row.stop)
                for each, at in zip(pieces, starts, strict=True)
            )
            yield TextRow(*parts)

    def _spans(self, side: Side, shown: ShownText) -> Iterator[MarkedSpan]:
        """The mentions of a reading, and the places where it lacks one of the other's."""
        differing: dict[tuple[int, int, int], int] = {}  # person, start, end -> number of the difference
        for number, difference in enumerate(self.comparison.differences, start=1):
            placed: Placed | None = getattr(difference, side)
            if placed is None:
                yield _span(shown, *difference.span, "span", "absent", number, side)
            else:
                differing[placed.person.id, placed.mention.start, placed.mention.end] = number
        people: Sequence[Person] = getattr(self, side)
        for person in people:
            each = self.shared(side, person)
            for mention in person.mentions:
                place = differing.get((person.id, mention.start, mention.end), 0)
                classes = f"{each.look} {KIND_CLASSES[mention.kind]}{' differs' if place else ''}"
                yield _span(shown, mention.start, mention.end, "mark", classes, place, side, each.number)

    @cached_property
    def _shared(self) -> dict[Side, dict[int, SharedPerson]]:
        return {
            side: {person.id: each for each in self.people if (person := getattr(each, side)) is not None}
            for side in SIDES
        }


def difference_id(number: int, side: Side) -> str:
    """The id of a difference's place in one of the two texts."""
    return f"{'d' if side == 'first' else 'e'}{number}"


def _span(
    shown: ShownText, start: int, end: int, tag: str, classes: str, difference: int, side: Side, person: int = 0
) -> MarkedSpan:
    """A span of either text; a difference or a person of number 0 is none."""
    attributes = f' data-person="{person}"' if person else ""
    attributes += f' data-difference="{difference}"' if difference else ""
    name = difference_id(difference, side) if difference else ""
    return MarkedSpan(int(shown.places[start]), int(shown.places[end]), tag, classes, attributes, name)
