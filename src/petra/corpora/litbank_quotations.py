"""Reader of LitBank's quotations: what is said in its documents, and by whom.

``quotations/tsv/ID.ann`` belongs to ``coref/ID.txt``. A line is QUOTE (quotation, sentence and
first token, sentence and last token, words) or ATTRIB (quotation, entity): the speaker is an
entity of ``coref/ID.ann``. Quotation marks are part of a quotation, and what an attribution
divides is two quotations.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from petra.corpora.annotated import AnnotatedDocument
from petra.corpora.litbank import LitbankSplit, litbank_files, read_litbank_file
from petra.corpora.places import require
from petra.corpora.rows import read_lines
from petra.corpora.running_text import write_out
from petra.errors import DataError

_COLUMNS = {"QUOTE": 6, "ATTRIB": 2}  # after the label


class GoldQuotation(NamedTuple):
    """A quotation: ``text[start:end]``, and the entity that speaks."""

    start: int
    end: int
    speaker: str


@dataclass(frozen=True, kw_only=True, slots=True)
class QuotedDocument:
    """A document with its people and its quotations."""

    document: AnnotatedDocument
    quotations: tuple[GoldQuotation, ...]  # in text order


def read_litbank_quotations(data: Path, split: LitbankSplit, fold: int = 0) -> tuple[QuotedDocument, ...]:
    """The documents of a part of one of the ten official folds, with their quotations."""
    return tuple(
        QuotedDocument(
            document=read_litbank_file(file),
            quotations=_read(require(data, f"litbank/quotations/tsv/{file.stem}.ann"), file.with_suffix(".txt")),
        )
        for file in litbank_files(data, split, fold)
    )


def _read(path: Path, text: Path) -> tuple[GoldQuotation, ...]:
    if not path.stat().st_size:
        return ()  # nobody speaks in some documents
    places = write_out([line.split(" ") for line in read_lines(text)]).places
    ranges: dict[str, tuple[int, int]] = {}
    speakers: dict[str, str] = {}
    for number, line in enumerate(read_lines(path), start=1):
        label, *columns = line.split("\t")
        try:
            if len(columns) != _COLUMNS[label]:
                raise ValueError
            if label == "ATTRIB":
                speakers[columns[0]] = columns[1]
            else:
                first, start, last, end = map(int, columns[1:5])
                ranges[columns[0]] = places[first][start][0], places[last][end][1]
        except (ValueError, KeyError, IndexError):
            raise DataError(
                f"{path.name}, line {number} is {line!r:.60}; expected QUOTE with a quotation, four numbers of tokens "
                "and words, or ATTRIB with a quotation and an entity. Fetch LitBank again."
            ) from None
    if without := sorted(ranges.keys() ^ speakers.keys()):
        raise DataError(f"{path.name}: the quotation {without[0]} has no QUOTE or no ATTRIB. Fetch LitBank again.")
    return tuple(sorted(GoldQuotation(*ranges[name], speakers[name]) for name in ranges))
