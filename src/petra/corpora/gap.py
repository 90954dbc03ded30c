"""Reader of GAP: short texts with one pronoun and two names it may refer to.

A file has one row per instance, with the columns of ``GAP_COLUMNS``. Offsets are in
characters of the text. See docs/gap.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from petra.corpora.places import require
from petra.corpora.rows import Row, read_rows
from petra.english.gender import Gender
from petra.errors import DataError
from petra.runtime.files import write_atomically

Split = Literal["development", "validation", "test"]

GAP_COLUMNS = (
    "ID",
    "Text",
    "Pronoun",
    "Pronoun-offset",
    "A",
    "A-offset",
    "A-coref",
    "B",
    "B-offset",
    "B-coref",
    "URL",
)

# The official scorer's table.
PRONOUN_GENDERS: dict[str, Gender] = {
    "he": "masculine",
    "him": "masculine",
    "his": "masculine",
    "she": "feminine",
    "her": "feminine",
    "hers": "feminine",
}


class Span(NamedTuple):
    """A half-open range of characters: ``text[start:end]``."""

    start: int
    end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class GapInstance:
    """A text, a pronoun and two names, and whether the pronoun refers to either."""

    id: str
    text: str
    pronoun: Span
    a: Span
    b: Span
    a_coref: bool
    b_coref: bool
    gender: Gender  # of the pronoun
    url: str  # of the article the text is from


def read_gap(data: Path, split: Split) -> list[GapInstance]:
    """The instances of a split in the data folder: development trains, validation chooses, test measures."""
    return read_gap_file(require(data, f"gap/gap-{split}.tsv"))


def read_gap_file(path: Path) -> list[GapInstance]:
    """The instances of one file in the GAP format, in its order."""
    return [_instance(row) for row in read_rows(path, GAP_COLUMNS)]


def write_gap_file(path: Path, instances: Sequence[GapInstance]) -> None:
    """Write instances in the GAP format, to be read again by ``read_gap_file``."""
    lines = ["\t".join(GAP_COLUMNS), *(_line(instance) for instance in instances)]
    write_atomically(path, "".join(f"{line}\n" for line in lines).encode())


def gold_labels(instances: Sequence[GapInstance]) -> NDArray[np.bool_]:
    """The labels of A and B of each instance, (n, 2)."""
    return np.array([(it.a_coref, it.b_coref) for it in instances], dtype=np.bool_).reshape(-1, 2)


def _instance(row: Row) -> GapInstance:
    pronoun = row["Pronoun"]
    if pronoun.lower() not in PRONOUN_GENDERS:
        row.fail(f"column Pronoun is {pronoun!r}; expected one of {', '.join(PRONOUN_GENDERS)}.")
    return GapInstance(
        id=row["ID"],
        text=row["Text"],
        pronoun=_span(row, "Pronoun"),
        a=_span(row, "A"),
        b=_span(row, "B"),
        a_coref=row.flag("A-coref"),
        b_coref=row.flag("B-coref"),
        gender=PRONOUN_GENDERS[pronoun.lower()],
        url=row["URL"],
    )


def _line(instance: GapInstance) -> str:
    text, cells = instance.text, [instance.id, instance.text]
    if any(mark in cell for cell in (*cells, instance.url) for mark in "\t\n\r"):
        raise DataError(f"{instance.id} holds a tab or a line break, which the GAP format has no place for.")
    for span, coref in ((instance.pronoun, None), (instance.a, instance.a_coref), (instance.b, instance.b_coref)):
        cells += [text[slice(*span)], str(span.start), *([] if coref is None else [str(coref).upper()])]
    return "\t".join([*cells, instance.url])


def _span(row: Row, column: str) -> Span:
    """Where the words of a column stand in the text, by the offset in the column beside it."""
    text, words = row["Text"], row[column]
    start = row.integer(f"{column}-offset")
    end = start + len(words)
    advice = "Check that the file has not been re-encoded."
    if not words:
        row.fail(f"column {column} is empty; expected words of the text.")
    if start >= len(text):
        row.fail(f"column {column}-offset is {start}, past the end of the text ({len(text)} characters). {advice}")
    if text[start:end] != words:
        row.fail(f"the text at {column}-offset {start} is {text[start:end]!r}; expected {words!r}. {advice}")
    return Span(start, end)
