"""People read back from JSON of the schema ``petra.tracking/1``, for example annotated by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

from petra.domain import Kind, Mention, Person
from petra.errors import DataError
from petra.people.naming import name_of
from petra.report.as_json import SCHEMA


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
    return Person(number, name if isinstance(name, str) and name else name_of(mentions), tuple(mentions))


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
    probability = given.get("probability", 1.0)
    if not (isinstance(probability, (int, float)) and 0 <= probability <= 1):
        raise DataError(f"{where}: the probability of {start}..{end} is {probability!r}; expected one of 0 to 1.")
    return Mention(start, end, words, kind, float(probability))


def _list(values: object, what: str) -> list[object]:
    if not isinstance(values, list):
        raise DataError(f"{what}: found {values!r:.40}; expected a list.")
    return values
