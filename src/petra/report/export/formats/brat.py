"""Standoff annotation of brat: the text, mentions and quotations by offsets, and the people as sets of mentions.

A mention is a ``Person`` with its kind as an attribute, and the name of its person as a
note where the person comes first. A quotation is joined to the first mention of whoever
says it, or is spoken to. What crosses the end of a line has several fragments, for the
format allows no line ends and no tabs in one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from petra.report.export.format import ExportOptions, Files, Format
from petra.report.export.names import one_line
from petra.report.export.tracked import TrackedText

_PIECE = re.compile(r"[^\r\n\t]+")
_SETTINGS = """\
[entities]
Person
Quotation

[relations]
<EQUIV>\tArg1:Person, Arg2:Person
Speaker\tArg1:Quotation, Arg2:Person
Addressee\tArg1:Quotation, Arg2:Person

[events]

[attributes]
Kind\tArg:Person, Value:name|nominal|pronoun
FoundBy\tArg:Quotation, Value:explicit|anaphoric|turn|implicit|cue
"""


def _files(tracked: TrackedText, _: ExportOptions) -> Files:
    lines = "".join(f"{line}\n" for line in _lines(tracked))
    return {".ann": lines, ".txt": tracked.text, "annotation.conf": _SETTINGS}


def _lines(tracked: TrackedText) -> Iterator[str]:
    text = tracked.text
    entity, attribute, relation = 0, 0, 0
    first_of: dict[int, int] = {}  # the first mention of a person
    for note, person in enumerate(tracked.people, start=1):
        numbers = []
        for it in person.mentions:
            entity, attribute = entity + 1, attribute + 1
            numbers.append(entity)
            yield f"T{entity}\tPerson {_place(text, [(it.start, it.end)])}"
            yield f"A{attribute}\tKind T{entity} {it.kind}"
        first_of[person.id] = numbers[0]
        yield f"#{note}\tAnnotatorNotes T{numbers[0]}\t{one_line(person.name)}"
        if len(numbers) > 1:
            yield "*\tEquiv " + " ".join(f"T{number}" for number in numbers)
    for quotation in tracked.quotations:
        entity, attribute = entity + 1, attribute + 1
        yield f"T{entity}\tQuotation {_place(text, quotation.parts)}"
        yield f"A{attribute}\tFoundBy T{entity} {quotation.found_by}"
        for role, person_id in (("Speaker", quotation.speaker), ("Addressee", quotation.addressee)):
            if person_id is not None:
                relation += 1
                yield f"R{relation}\t{role} Arg1:T{entity} Arg2:T{first_of[person_id]}"


def _place(text: str, parts: Iterable[tuple[int, int]]) -> str:
    """The fragments of some parts of a text, and their words."""
    pieces = [piece for start, end in parts for piece in _PIECE.finditer(text, start, end)]
    fragments = ";".join(f"{piece.start()} {piece.end()}" for piece in pieces)
    return fragments + "\t" + " ".join(piece.group() for piece in pieces)


FORMAT = Format(about="standoff annotation for brat", files=_files)
