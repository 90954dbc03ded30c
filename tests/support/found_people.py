"""People of a text written down by hand, as PeTra would find them."""

from __future__ import annotations

from typing import Any

from petra.domain import Kind, Mention, Person
from petra.report.values.as_json import tracking_json


def person(text: str, number: int, name: str, *mentions: tuple[str, Kind]) -> Person:
    """A person with mentions given by their words, each looked for after the one before."""
    found: list[Mention] = []
    for words, kind in mentions:
        start = text.index(words, found[-1].end if found else 0)
        found.append(Mention(start, start + len(words), words, kind, 0.75))
    return Person(number, name, tuple(found))


def tracking_of(text: str, *people: Person) -> dict[str, Any]:
    """What was found as plain values of the schema."""
    return tracking_json(source=None, model="by hand", text=text, num_tokens=len(text.split()), people=people)
