"""People looked up by place: who is mentioned at these characters of a text."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from petra.domain import Mention, Person
from petra.errors import DataError
from petra.report.values.as_json import SCHEMA


@dataclass(frozen=True, slots=True)
class PlacedMention:
    """A mention and whose it is."""

    person: Person
    mention: Mention


@dataclass(frozen=True, slots=True)
class PlacedPeople:
    """The people of a text, with their mentions in text order."""

    people: tuple[Person, ...]
    places: tuple[PlacedMention, ...]  # those that begin together: the longest first
    starts: tuple[int, ...]  # of the places
    longest: int  # characters of the longest mention
    labels: Mapping[int, str]  # of the people, by id: each its own

    @classmethod
    def of(cls, people: tuple[Person, ...]) -> PlacedPeople:
        places = [PlacedMention(person, mention) for person in people for mention in person.mentions]
        places.sort(key=lambda place: (place.mention.start, -place.mention.end))
        return cls(
            people=people,
            places=tuple(places),
            starts=tuple(place.mention.start for place in places),
            longest=max((place.mention.end - place.mention.start for place in places), default=0),
            labels=labels_of(people),
        )

    def sharing(self, start: int, end: int) -> tuple[PlacedMention, ...]:
        """The mentions that have a character between start and end, in text order."""
        first = bisect_right(self.starts, start - self.longest)  # none before can reach as far as start
        last = bisect_left(self.starts, end)
        return tuple(place for place in self.places[first:last] if place.mention.end > start)


def labels_of(people: tuple[Person, ...]) -> dict[int, str]:
    """A label for each person by id: the name, and the id too where several people have the name.

    Labels differ whatever their case, and hold no angle brackets: displaCy compares them in
    upper case, and writes them into its page as they are.
    """
    names = {person.id: re.sub("[<>]", "", person.name).strip() or "?" for person in people}
    counts = Counter(name.upper() for name in names.values())
    return {number: name if counts[name.upper()] == 1 else f"{name} ({number})" for number, name in names.items()}


def people_of(values: Mapping[str, Any], text: str) -> tuple[Person, ...]:
    """The people in JSON of the schema ``petra.tracking/1`` that was made for this text, as they are in it."""
    try:
        if values["schema"] != SCHEMA:
            raise DataError(f"Found data of the schema {values['schema']!r}; expected {SCHEMA!r}. Read the text again.")
        people = tuple(_person(person) for person in values["people"])
    except (KeyError, TypeError) as error:
        raise DataError(f"The data is not of the schema {SCHEMA!r} ({error!r}). Read the text again.") from None
    for person in people:
        for mention in person.mentions:
            if text[mention.start : mention.end] != mention.text:
                raise DataError(
                    f"{mention.text!r:.60} is expected at {mention.start}..{mention.end}, and the text has "
                    f"{text[mention.start : mention.end]!r:.60} there: the people were found in another text. "
                    "Read this one."
                )
    return people


def _person(values: Mapping[str, Any]) -> Person:
    mentions = (
        Mention(
            start=mention["start"],
            end=mention["end"],
            text=mention["text"],
            kind=mention["kind"],
            probability=mention["probability"],
        )
        for mention in values["mentions"]
    )
    return Person(values["id"], values["name"], tuple(mentions))
