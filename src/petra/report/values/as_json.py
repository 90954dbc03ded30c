"""What was found in a text as JSON, schema ``petra.tracking/1``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from petra.domain import Mention, Person, Quotation
from petra.english.chapters import find_chapters
from petra.log.edits import Edit
from petra.people.cast import find_cast

SCHEMA = "petra.tracking/1"


class Corrections(NamedTuple):
    """The corrections of a text, and what had been found before them, so that they can be taken back."""

    edits: Sequence[Edit]
    people: Sequence[Person]
    quotations: Sequence[Quotation]


def tracking_json(
    *,
    source: str | None,
    model: str,
    text: str,
    num_tokens: int,
    people: Sequence[Person],
    quotations: Sequence[Quotation] | None = None,
    corrections: Corrections | None = None,
) -> dict[str, Any]:
    """The people and, if they were looked for, the quotations of a text as plain values, in the schema's order."""
    values: dict[str, Any] = {
        "schema": SCHEMA,
        "source": source,
        "model": model,
        "characters": len(text),
        "tokens": num_tokens,
        "people": [_person_json(person) for person in people],
        "cast": [person.id for person in find_cast(people, text)],
        "chapters": [asdict(chapter) for chapter in find_chapters(text)],
    }
    if quotations is not None:
        values["quotations"] = [_quotation_json(quotation) for quotation in quotations]
    if corrections is not None:
        values["edits"] = [edit.to_dict() for edit in corrections.edits]
        values["found"] = {
            "people": [_person_json(person) for person in corrections.people],
            "quotations": [_quotation_json(quotation) for quotation in corrections.quotations],
        }
    return values


def dump(values: Mapping[str, Any], *, indent: int | None = 2) -> str:
    """JSON that any UTF-8 stream can take; with no indent, on one line."""
    written = json.dumps(values, ensure_ascii=False, indent=indent)
    try:
        written.encode("utf-8")
    except UnicodeEncodeError:  # half of a surrogate pair, from the text
        return json.dumps(values, ensure_ascii=True, indent=indent)
    return written


def _quotation_json(quotation: Quotation) -> dict[str, Any]:
    """A quotation as plain values."""
    return {
        "start": quotation.start,
        "end": quotation.end,
        "parts": [list(part) for part in quotation.parts],
        "speaker": quotation.speaker,
        "addressee": quotation.addressee,
        "found_by": quotation.found_by,
        "probability": round(quotation.probability, 4),
        "speaker_mention": _span(quotation.speaker_mention),
        "addressee_mention": _span(quotation.addressee_mention),
        **_mark(quotation),
    }


def _person_json(person: Person) -> dict[str, Any]:
    return {
        "id": person.id,
        "name": person.name,
        "mentions": [
            {
                "start": mention.start,
                "end": mention.end,
                "text": mention.text,
                "kind": mention.kind,
                "probability": round(mention.probability, 4),
                **_mark(mention),
            }
            for mention in person.mentions
        ],
        **_mark(person),
    }


def _mark(value: Person | Mention | Quotation) -> dict[str, bool]:
    """What tells that somebody corrected a value; nothing where nobody did."""
    return {"corrected": True} if value.corrected else {}


def _span(span: tuple[int, int] | None) -> list[int] | None:
    return None if span is None else list(span)
