"""Texts with what was found in them, read from files: JSON as ``petra track`` writes it, and memory logs.

JSON of the schema ``petra.tracking/1`` may be one object, an array of them, or one a line.
The text is in the object, or is given, or is read from the object's source.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from petra.domain import FOUND_BY, Person, Quotation
from petra.errors import DataError, TextError
from petra.log import storage
from petra.people.finding import find_people, find_quotations
from petra.report.export.tracked import TrackedText
from petra.report.values.as_json import SCHEMA
from petra.report.values.from_json import people_from_json
from petra.text.source import read_text

_ZIP = b"PK\x03\x04"  # how a memory log begins, and no JSON


def read_stored(path: Path, text: str | None = None, read: Callable[[Path], str] = read_text) -> list[TrackedText]:
    """The texts of a file, each with its people and quotations. ``read`` is for the files that they came from."""
    content = _bytes(path)
    if content.startswith(_ZIP):
        log = storage.load(path)
        return [
            TrackedText(
                source=str(path),
                model=log.model,
                text=log.text,
                num_tokens=log.num_tokens,
                people=find_people(log),
                quotations=find_quotations(log),
            )
        ]
    objects = _objects(path, content)
    if text is not None and len(objects) > 1:
        raise DataError(f"{path} is about {len(objects)} texts, and one was given. Their sources are looked for.")
    return [_tracked(path, values, text, read) for values in objects]


def tracked_from_json(values: Mapping[str, Any], text: str) -> TrackedText:
    """An object of the schema as a text with its people and quotations."""
    people = people_from_json(values, text, keep=True)
    source, model, tokens = values.get("source"), values.get("model"), values.get("tokens")
    return TrackedText(
        source=source if isinstance(source, str) else None,
        model=model if isinstance(model, str) else "unknown",
        text=text,
        num_tokens=tokens if type(tokens) is int else 0,
        people=people,
        quotations=_quotations(values.get("quotations", []), people, text),
    )


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from None


def _objects(path: Path, content: bytes) -> list[Mapping[str, Any]]:
    try:
        written = content.decode("utf-8-sig")
        try:
            found = json.loads(written)
        except ValueError:
            found = [json.loads(line) for line in written.split("\n") if line.strip()]
    except ValueError as error:
        raise DataError(
            f"{path} is no JSON and no memory log ({error}). Give what petra track --json or --log writes; "
            "for a text: petra track --to FORMAT"
        ) from None
    objects = found if isinstance(found, list) else [found]
    for values in objects:
        schema = values.get("schema") if isinstance(values, Mapping) else None
        if schema != SCHEMA:
            raise DataError(f'{path}: the schema is {schema!r}; expected objects with "schema": "{SCHEMA}".')
    return objects


def _tracked(path: Path, values: Mapping[str, Any], text: str | None, read: Callable[[Path], str]) -> TrackedText:
    if text is None:
        text = values["text"] if isinstance(values.get("text"), str) else _source_text(path, values.get("source"), read)
    try:
        return tracked_from_json(values, text)
    except DataError as error:
        raise DataError(f"{path}: {error}") from None


def _source_text(path: Path, source: object, read: Callable[[Path], str]) -> str:
    """The text of a source, whose path counts from here or from the file that names it."""
    if isinstance(source, str) and source != "-":
        for place in (Path(source), path.parent / source, path.parent / Path(source).name):
            if place.is_file():
                try:
                    return read(place)
                except TextError as error:
                    raise DataError(f"{path}: {error}") from None
    raise DataError(f"{path}: the text that it is about is not at {source!r}. Give the text with --text FILE.")


def _quotations(values: object, people: tuple[Person, ...], text: str) -> tuple[Quotation, ...]:
    if not isinstance(values, list):
        raise DataError(f"quotations: found {values!r:.40}; expected a list.")
    known = {person.id for person in people}
    return tuple(_quotation(number, each, known, len(text)) for number, each in enumerate(values, start=1))


def _quotation(number: int, values: object, known: set[int], length: int) -> Quotation:
    where = f"quotation {number}"
    given: Mapping[str, Any] = values if isinstance(values, Mapping) else {}
    start, end = given.get("start"), given.get("end")
    parts = given.get("parts", [[start, end]])
    try:
        edges = [edge for first, last in parts for edge in (first, last)]
        fits = bool(edges) and all(type(edge) is int for edge in edges) and edges == sorted(edges)
        fits = fits and (start, end) == (edges[0], edges[-1]) and edges[0] >= 0 and edges[-1] <= length
    except (TypeError, ValueError):
        fits = False
    if not fits:
        raise DataError(
            f"{where} goes from {start!r} to {end!r} with the parts {parts!r:.60}; expected character offsets that "
            f"rise, within 0..{length}."
        )
    for role in ("speaker", "addressee"):
        if given.get(role) is not None and given[role] not in known:
            raise DataError(f"{where}: the {role} is {given[role]!r}, and no person has that id.")
    found_by = given.get("found_by", "implicit")
    if found_by not in FOUND_BY:
        raise DataError(f"{where} was found by {found_by!r}; expected one of {', '.join(FOUND_BY)}.")
    probability = given.get("probability", 1.0)
    return Quotation(
        start=int(edges[0]),
        end=int(edges[-1]),
        parts=tuple((first, last) for first, last in parts),
        speaker=given.get("speaker"),
        addressee=given.get("addressee"),
        found_by=found_by,
        probability=float(probability) if isinstance(probability, (int, float)) else 1.0,
    )
