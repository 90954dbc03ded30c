"""People read back from JSON of the schema ``petra.tracking/1``, for example annotated by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

from petra.domain import FOUND_BY, Kind, Mention, Person, Quotation
from petra.errors import DataError
from petra.people.naming import name_of
from petra.report.values.as_json import SCHEMA


@dataclass(frozen=True, slots=True)
class Annotation:
    """The people that a file gives for a text."""

    path: Path
    values: Mapping[str, Any]

    def people_of(self, text: str) -> tuple[Person, ...]:
        """The people, if the file was made for this text."""
        try:
            return people_from_json(self.values, text)
        except DataError as error:
            raise DataError(f"{self.path}: {error}") from None


def read_annotation(path: Path) -> Annotation:
    """A file of the schema, read before its text is known."""
    try:
        values = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}. Give a file of JSON.") from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path} is no JSON: {error}. Give what petra track --json writes, corrected.") from None
    schema = values.get("schema") if isinstance(values, Mapping) else None
    if schema != SCHEMA:
        raise DataError(f'{path}: the schema is {schema!r}; expected one object with "schema": "{SCHEMA}".')
    return Annotation(path, values)


def people_from_json(values: Mapping[str, Any], text: str, *, keep: bool = False) -> tuple[Person, ...]:
    """The people of an object of the schema, numbered from 1 in its order, or with the ids there if these are kept.

    Of a mention only ``start`` and ``end`` are needed. What is given beside them, and the
    number of characters, must fit the text; a person without a name gets one.
    """
    characters = values.get("characters", len(text))
    if characters != len(text):
        raise DataError(
            f"it is for a text of {characters} characters, and this text has {len(text)}. "
            "Give the text that it was made for."
        )
    listed = _list(values.get("people"), "people")
    people = tuple(_person(number, person, text) for number, person in enumerate(listed, start=1))
    if not keep:
        return people
    given = [each.get("id") for each in listed if isinstance(each, Mapping)]
    ids = [each for each in given if type(each) is int and each > 0]
    if len(set(ids)) < len(given):
        raise DataError(f"the ids of the people are {given!r:.60}; expected numbers from 1, each once.")
    return tuple(replace(person, id=number) for person, number in zip(people, ids, strict=True))


def quotations_from_json(values: Mapping[str, Any], text: str, people: Sequence[Person]) -> tuple[Quotation, ...]:
    """The quotations of an object of the schema, of people read from it."""
    listed = _list(values.get("quotations", []), "quotations")
    return tuple(_quotation(number, each, text, len(people)) for number, each in enumerate(listed, start=1))


def _quotation(number: int, values: object, text: str, people: int) -> Quotation:
    where = f"quotation {number}"
    given: Mapping[str, Any] = values if isinstance(values, Mapping) else {}
    parts = [_place(each, text, where) for each in _list(given.get("parts"), f"the parts of {where}")]
    if not parts or parts != sorted(parts):
        raise DataError(f"{where}: the parts are {parts!r:.60}; expected at least one, in text order.")
    found_by = given.get("found_by", "implicit")
    if found_by not in FOUND_BY:
        raise DataError(f"{where}: found_by is {found_by!r:.40}; expected one of {', '.join(FOUND_BY)}.")
    roles: dict[str, Any] = {}
    for role in ("speaker", "addressee"):
        person, place = given.get(role), given.get(f"{role}_mention")
        if not (person is None or (type(person) is int and 1 <= person <= people)):
            raise DataError(f"{where}: the {role} is {person!r:.40}; expected the id of a person, or null.")
        roles |= {role: person, f"{role}_mention": None if place is None else _place(place, text, where)}
    return Quotation(
        start=parts[0][0],
        end=parts[-1][1],
        parts=tuple(parts),
        found_by=found_by,
        probability=_probability(given, where),
        corrected=given.get("corrected") is True,
        **roles,
    )


def _place(values: object, text: str, where: str) -> tuple[int, int]:
    if isinstance(values, list) and len(values) == 2:
        start, end = values
        if type(start) is int and type(end) is int and 0 <= start < end <= len(text):
            return start, end
    raise DataError(f"{where}: found {values!r:.40}; expected [start, end] with 0 <= start < end <= {len(text)}.")


def _probability(given: Mapping[str, Any], where: str) -> float:
    value = given.get("probability", 1.0)
    if type(value) not in (int, float) or not 0 <= value <= 1:
        raise DataError(f"{where}: the probability is {value!r:.40}; expected a number from 0 to 1.")
    return float(value)


def _person(number: int, values: object, text: str) -> Person:
    where = f"person {number}"
    if not isinstance(values, Mapping):
        raise DataError(f"{where} is {values!r:.40}; expected an object with a list of mentions.")
    listed = _list(values.get("mentions"), f"the mentions of {where}")
    mentions = sorted((_mention(mention, text, where) for mention in listed), key=lambda mention: mention.start)
    if not mentions:
        raise DataError(f"{where} has no mentions; leave out who is never mentioned.")
    for before, after in pairwise(mentions):
        if after.start < before.end:
            raise DataError(
                f"{where}: the mentions {before.start}..{before.end} and {after.start}..{after.end} overlap. "
                "Mentions of one person stand apart."
            )
    name = values.get("name")
    own = name if isinstance(name, str) and name else name_of(mentions)
    return Person(number, own, tuple(mentions), values.get("corrected") is True)


def _mention(values: object, text: str, where: str) -> Mention:
    given: Mapping[str, Any] = values if isinstance(values, Mapping) else {}
    start, end = given.get("start"), given.get("end")
    if not (type(start) is int and type(end) is int and 0 <= start < end <= len(text)):
        raise DataError(
            f"{where}: a mention goes from {start!r} to {end!r}; expected character offsets with "
            f"0 <= start < end <= {len(text)}."
        )
    words = given.get("text", text[start:end])
    if words != text[start:end]:
        raise DataError(
            f"{where}: the mention {start}..{end} is {words!r:.60}, and the text has {text[start:end]!r:.60} there. "
            "Offsets count characters of the text as it is in its file."
        )
    kind = given.get("kind", "name")
    if kind not in get_args(Kind):
        raise DataError(
            f"{where}: the mention {start}..{end} is a {kind!r}; expected one of {', '.join(get_args(Kind))}."
        )
    return Mention(start, end, words, kind, _probability(given, where), given.get("corrected") is True)


def _list(values: object, what: str) -> list[object]:
    if not isinstance(values, list):
        raise DataError(f"{what}: found {values!r:.40}; expected a list.")
    return values
