"""What the script of a report page works with: numbers, and nothing that could be markup.

Places are UTF-16 units of the text as it is shown. The people hold, for each mention, how
far it begins after the mention before, its length, its kind and its probability in
hundredths; ``packed_log`` says how the log is written. Paragraphs and the places of a
quotation are steps from one to the next, the latter after speaker, addressee, way and probability.
``shifts`` leads from the places of the page back to those of the text as given. ``columns`` are
those of the tables that the page saves, and ``cells`` of the columns that it has no other values of.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from petra.domain import FOUND_BY, Kind, Person, Quotation
from petra.english.chapters import Chapter
from petra.log.memory_log import MemoryLog
from petra.people.occupancy import find_occupancy
from petra.report.export.rows import COLUMNS, cells_beside_page
from petra.report.export.tracked import TrackedText
from petra.report.page.packed_log import pack_log
from petra.report.page.shown import ShownText

_CORRECTED: Final = 10  # added to the way that a quotation was found
_KINDS: Final[dict[Kind, str]] = {"name": "n", "nominal": "o", "pronoun": "p"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Divided:
    """What divides a text, by places of the original."""

    sections: Sequence[range]  # of what is shown
    paragraphs: Sequence[int]  # starts
    chapters: Sequence[Chapter]


def page_data(
    shown: ShownText,
    divided: Divided,
    tracked: TrackedText,
    log: MemoryLog | None,
) -> str:
    """The data as JSON, on one line."""
    values: dict[str, Any] = {
        "length": int(shown.units[-1]),
        "sections": [int(shown.units[section.start]) for section in divided.sections],
        "paragraphs": _steps(_units(shown, divided.paragraphs)),
        "chapters": _units(shown, [chapter.start for chapter in divided.chapters]).tolist(),
        "quotations": [_quotation(quotation, shown) for quotation in tracked.quotations],
        "people": [_person(person, shown) for person in tracked.people],
        "columns": {table: [column.name for column in columns] for table, columns in COLUMNS.items()},
    }
    if cells := {table: beside for table in COLUMNS if (beside := cells_beside_page(tracked, table))}:
        values["cells"] = cells
    if len(shifts := _shifts(shown)):
        values["shifts"] = shifts
    if log is not None:
        occupancy = find_occupancy(log, tracked.people)
        values["log"] = {"cells": log.num_cells, "tokens": pack_log(log, occupancy, shown)}
    return json.dumps(values, separators=(",", ":")).replace("<", "\\u003c")  # ends no script and begins no comment


def _shifts(shown: ShownText) -> list[list[int]]:
    """Where the way from a place of the page to the text as given changes: the place, and how much is added from there.

    Empty for most texts: only line ends of two characters and characters of two units make a difference.
    """
    units, places = np.unique(shown.units[shown.places], return_index=True)
    added = places - units
    changes = np.flatnonzero(np.diff(added, prepend=0))
    return [[int(units[at]), int(added[at])] for at in changes]


def _person(person: Person, shown: ShownText) -> dict[str, Any]:
    starts = _units(shown, [mention.start for mention in person.mentions])
    ends = _units(shown, [mention.end for mention in person.mentions])
    return {
        "id": person.id,
        "starts": _steps(starts),
        "lengths": (ends - starts).tolist(),
        "kinds": "".join(_KINDS[mention.kind] for mention in person.mentions),
        "probabilities": [round(100 * mention.probability) for mention in person.mentions],
    }


def _quotation(quotation: Quotation, shown: ShownText) -> list[int]:
    """Speaker and addressee (0: nobody), the way it was found, the probability; then the parts, starts and ends."""
    places = [quotation.start, quotation.end, *chain.from_iterable(quotation.parts)]
    return [
        quotation.speaker or 0,
        quotation.addressee or 0,
        FOUND_BY.index(quotation.found_by) + _CORRECTED * quotation.corrected,
        round(100 * quotation.probability),
        *_steps(_units(shown, places)),
    ]


def _units(shown: ShownText, places: Sequence[int]) -> NDArray[np.int64]:
    return shown.units[shown.places[np.asarray(places, dtype=np.int64)]]


def _steps(places: NDArray[np.int64]) -> list[int]:
    """From each place to the next, the first from 0."""
    steps: list[int] = np.diff(places, prepend=0).tolist()
    return steps
