"""What ``petra track`` wrote, as it was corrected: JSON with its text beside it, and memory logs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from petra.corpora.annotated import AnnotatedDocument, GoldMention
from petra.domain import Person
from petra.errors import DataError, TextError
from petra.log.storage import load
from petra.people.finding import find_people
from petra.report.values.from_json import read_annotation
from petra.text.source import read_text


def read_tracking(path: Path) -> tuple[AnnotatedDocument, ...]:
    """The people of a JSON file; its text is in it, is named like it (``.txt``) or is its source."""
    annotation = read_annotation(path)
    given = annotation.values.get("text")
    text = given if isinstance(given, str) else _text(path, annotation.values.get("source"))
    return (_document(path, text, annotation.people_of(text)),)


def read_log(path: Path) -> tuple[AnnotatedDocument, ...]:
    """The people of a memory log, with its corrections."""
    log = load(path)
    return (_document(path, log.text, find_people(log)),)


def _text(path: Path, source: object) -> str:
    places = [path.with_suffix(".txt")]
    if isinstance(source, str) and source not in ("", "-"):
        places += [path.parent / Path(source).name, Path(source)]
    for place in places:
        if place.is_file():
            try:
                return read_text(place)
            except TextError as error:
                raise DataError(f"{path}: {error}") from None
    raise DataError(f"{path}: its text is not at hand. Put it beside the file as {places[0].name}.")


def _document(path: Path, text: str, people: Sequence[Person]) -> AnnotatedDocument:
    mentions = [
        GoldMention(mention.start, mention.end, mention.kind, str(person.id))
        for person in people
        for mention in person.mentions
    ]
    return AnnotatedDocument(id=path.stem, text=text, mentions=tuple(sorted(mentions)))
