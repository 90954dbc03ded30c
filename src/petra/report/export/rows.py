"""What was found in a text as tables: a row a mention, a person or a quotation."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from petra.english.chapters import Chapter
from petra.people.naming import aliases_of
from petra.report.export.format import TableName
from petra.report.export.tracked import TrackedText
from petra.report.tables.quotations import said

Cell = str | int | float | bool | None

_MENTIONS = ("start", "end", "person", "name", "kind", "probability", "chapter", "text")
_PEOPLE = (
    *("id", "name", "mentions", "names", "nominals", "pronouns", "first", "last", "in_cast"),
    *("quotations", "words_spoken", "other_names"),
)
_QUOTATIONS = (
    *("start", "end", "speaker", "speaker_name", "addressee", "addressee_name", "found_by", "probability", "text"),
    "parts",  # offsets of what is said: "988-1013 1028-1052"
)
OPTIONAL_NUMBERS = frozenset(("chapter", "speaker", "addressee"))  # columns of whole numbers that may be missing


class Rows(NamedTuple):
    """A table: the names of its columns, and its rows."""

    columns: tuple[str, ...]
    rows: list[tuple[Cell, ...]]


def table_rows(tracked: TrackedText, table: TableName) -> Rows:
    """A table of what was found in a text, in text order; people in order of their numbers."""
    if table == "people":
        return Rows(_PEOPLE, list(_people(tracked)))
    if table == "quotations":
        return Rows(_QUOTATIONS, list(_quotations(tracked)))
    return Rows(_MENTIONS, sorted(_mentions(tracked), key=lambda row: (row[0], row[1], row[2])))


def _mentions(tracked: TrackedText) -> Iterator[tuple[int, int, int, str, str, float, int | None, str]]:
    starts = [chapter.start for chapter in tracked.chapters]
    for person in tracked.people:
        for it in person.mentions:
            chapter = _chapter(starts, tracked.chapters, it.start)
            yield it.start, it.end, person.id, person.name, it.kind, round(it.probability, 4), chapter, it.text


def _quotations(tracked: TrackedText) -> Iterator[tuple[Cell, ...]]:
    names = {person.id: person.name for person in tracked.people}
    for it in tracked.quotations:
        yield (
            *(it.start, it.end),
            *(it.speaker, names.get(it.speaker or 0)),
            *(it.addressee, names.get(it.addressee or 0)),
            *(it.found_by, round(it.probability, 4), said(it, tracked.text)),
            " ".join(f"{start}-{end}" for start, end in it.parts),
        )


def _chapter(starts: Sequence[int], chapters: Sequence[Chapter], place: int) -> int | None:
    found = bisect_right(starts, place)
    return chapters[found - 1].number if found else None


def _people(tracked: TrackedText) -> Iterator[tuple[Cell, ...]]:
    quotations: Counter[int | None] = Counter()
    words: Counter[int | None] = Counter()
    for quotation in tracked.quotations:
        quotations[quotation.speaker] += 1
        words[quotation.speaker] += sum(len(tracked.text[start:end].split()) for start, end in quotation.parts)
    cast = {person.id for person in tracked.cast}
    for person in tracked.people:
        kinds = Counter(mention.kind for mention in person.mentions)
        others = "; ".join(alias.name for alias in aliases_of(person.mentions, person.name))
        yield (
            *(person.id, person.name, len(person.mentions)),
            *(kinds["name"], kinds["nominal"], kinds["pronoun"]),
            *(person.mentions[0].start, person.mentions[-1].start, person.id in cast),
            *(quotations[person.id], words[person.id], others),
        )
