"""What the script of a report page works with: numbers only, so that nothing of the user's is in it.

Places are UTF-16 units of the text as it is shown. The people hold, for each mention, how
far it begins after the mention before, its length, its kind and its probability in
hundredths; ``packed_log`` says how the log is written. ``shifts`` leads from the places of
the page back to those of the text as given.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from petra.domain import Kind, Person
from petra.log.memory_log import MemoryLog
from petra.people.occupancy import find_occupancy
from petra.report.packed_log import pack_log
from petra.report.shown import ShownText

_KINDS: Final[dict[Kind, str]] = {"name": "n", "nominal": "o", "pronoun": "p"}


def page_data(shown: ShownText, sections: Sequence[range], people: Sequence[Person], log: MemoryLog | None) -> str:
    """The data as JSON, on one line."""
    values: dict[str, Any] = {
        "length": int(shown.units[-1]),
        "sections": [int(shown.units[section.start]) for section in sections],
        "people": [_person(person, shown) for person in people],
    }
    if len(shifts := _shifts(shown)):
        values["shifts"] = shifts
    if log is not None:
        occupancy = find_occupancy(log, people)
        values["log"] = {"cells": log.num_cells, "tokens": pack_log(log, occupancy, shown)}
    return json.dumps(values, separators=(",", ":"))


def _shifts(shown: ShownText) -> list[list[int]]:
    """Where the way from a place of the page to the text as given changes: the place, and how much is added from there.

    Empty for most texts: only line ends of two characters and characters of two units make a difference.
    """
    units, places = np.unique(shown.units[shown.places], return_index=True)
    added = places - units
    changes = np.flatnonzero(np.diff(added, prepend=0))
    return [[int(units[at]), int(added[at])] for at in changes]


def _person(person: Person, shown: ShownText) -> dict[str, Any]:
    starts = shown.units[shown.places[[mention.start for mention in person.mentions]]]
    ends = shown.units[shown.places[[mention.end for mention in person.mentions]]]
    return {
        "id": person.id,
        "starts": np.diff(starts, prepend=0).tolist(),
        "lengths": (ends - starts).tolist(),
        "kinds": "".join(_KINDS[mention.kind] for mention in person.mentions),
        "probabilities": [round(100 * mention.probability) for mention in person.mentions],
    }
