"""What was found in a text as JSON, schema ``petra.tracking/1``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from petra.domain import Person, Quotation
from petra.english.chapters import find_chapters
from petra.people.cast import find_cast

SCHEMA = "petra.tracking/1"


def tracking_json(
    *,
    source: str | None,
    model: str,
    text: str,
    num_tokens: int,
    people: Sequence[Person],
    quotations: Sequence[Quotation] | None = None,
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
            }
            for mention in person.mentions
        ],
    }
