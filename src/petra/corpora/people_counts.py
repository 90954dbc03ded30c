"""Reader of num_people.tsv: how many people each of 100 GAP validation texts speaks of.

The annotation of the PeTra paper: a header, then one row per text with the columns
ID, Text, Count and a remark of the annotator, which is not read.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from petra.corpora.places import require
from petra.corpora.rows import read_rows

COUNT_COLUMNS = ("ID", "Text", "Count")


@dataclass(frozen=True, kw_only=True, slots=True)
class PeopleCount:
    """A text and the number of different people in it."""

    id: str
    text: str
    count: int


def read_people_counts(data: Path) -> list[PeopleCount]:
    """The counted texts in the data folder."""
    return read_people_counts_file(require(data, "gap/num_people.tsv"))


def read_people_counts_file(path: Path) -> list[PeopleCount]:
    """The counted texts of one file, in its order."""
    counts = []
    for row in read_rows(path, COUNT_COLUMNS):
        if not row["Text"].strip():
            row.fail("column Text is empty; expected the text that was counted.")
        counts.append(PeopleCount(id=row["ID"], text=row["Text"], count=row.integer("Count")))
    return counts
