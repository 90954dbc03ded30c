"""What was found in a text as tables: a row a mention, a person or a quotation.

A column is a line of ``COLUMNS``, and all that shows tables takes it from there: CSV and TSV,
frames, and the files that a report page saves.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

from petra.domain import Mention, Person, Quotation
from petra.people.naming import aliases_of
from petra.report.export.format import TableName
from petra.report.export.tracked import TrackedText
from petra.report.tables.quotations import said

Cell = str | int | float | bool | None


@dataclass(frozen=True, kw_only=True)
class TableSource:
    """What cells are made from, worked out once for a text."""

    tracked: TrackedText

    @cached_property
    def names(self) -> Mapping[int | None, str]:
        """The names of people by their numbers."""
        return {person.id: person.name for person in self.tracked.people}

    @cached_property
    def cast(self) -> frozenset[int]:
        """The numbers of the people of the cast."""
        return frozenset(person.id for person in self.tracked.cast)

    @cached_property
    def spoken(self) -> Mapping[int | None, list[int]]:
        """The words of each quotation by its speaker."""
        words: dict[int | None, list[int]] = {}
        for it in self.tracked.quotations:
            number = sum(len(self.tracked.text[start:end].split()) for start, end in it.parts)
            words.setdefault(it.speaker, []).append(number)
        return words

    def chapter(self, place: int) -> int | None:
        """The number of the chapter that a place is in."""
        number = bisect_right(self._chapter_starts, place)
        return self.tracked.chapters[number - 1].number if number else None

    @cached_property
    def _chapter_starts(self) -> list[int]:
        return [chapter.start for chapter in self.tracked.chapters]


class _MentionOf(NamedTuple):
    """What a row of the mentions is about."""

    person: Person
    mention: Mention


@dataclass(frozen=True, slots=True)
class ExportColumn:
    """A column of a table: what its cell has for a mention and its person, for a person or for a quotation.

    A report page has the values of some columns among its own data, and its script gives them
    by the column's name; those of every other column are written into the page.
    """

    name: str
    cell: Callable[[TableSource, Any], Cell]
    in_page: bool = False
    is_optional_number: bool = False  # a whole number that may be missing


def _page_column(
    name: str, cell: Callable[[TableSource, Any], Cell], *, is_optional_number: bool = False
) -> ExportColumn:
    """A column that a report page has the values of."""
    return ExportColumn(name, cell, in_page=True, is_optional_number=is_optional_number)


def _count(kind: str) -> Callable[[TableSource, Person], int]:
    return lambda _, person: sum(mention.kind == kind for mention in person.mentions)


COLUMNS: Final[dict[TableName, tuple[ExportColumn, ...]]] = {
    "mentions": (
        _page_column("start", lambda _, it: it.mention.start),
        _page_column("end", lambda _, it: it.mention.end),
        _page_column("person", lambda _, it: it.person.id),
        _page_column("name", lambda _, it: it.person.name),
        _page_column("kind", lambda _, it: it.mention.kind),
        _page_column("probability", lambda _, it: round(it.mention.probability, 4)),
        _page_column("chapter", lambda source, it: source.chapter(it.mention.start), is_optional_number=True),
        _page_column("text", lambda _, it: it.mention.text),
    ),
    "people": (
        _page_column("id", lambda _, person: person.id),
        _page_column("name", lambda _, person: person.name),
        _page_column("mentions", lambda _, person: len(person.mentions)),
        _page_column("names", _count("name")),
        _page_column("nominals", _count("nominal")),
        _page_column("pronouns", _count("pronoun")),
        _page_column("first", lambda _, person: person.mentions[0].start),
        _page_column("last", lambda _, person: person.mentions[-1].start),
        _page_column("in_cast", lambda source, person: person.id in source.cast),
        _page_column("quotations", lambda source, person: len(source.spoken.get(person.id, ()))),
        _page_column("words_spoken", lambda source, person: sum(source.spoken.get(person.id, ()))),
        _page_column("other_names", lambda _, it: "; ".join(alias.name for alias in aliases_of(it.mentions, it.name))),
    ),
    "quotations": (
        _page_column("start", lambda _, it: it.start),
        _page_column("end", lambda _, it: it.end),
        _page_column("speaker", lambda _, it: it.speaker, is_optional_number=True),
        _page_column("speaker_name", lambda source, it: source.names.get(it.speaker)),
        _page_column("addressee", lambda _, it: it.addressee, is_optional_number=True),
        _page_column("addressee_name", lambda source, it: source.names.get(it.addressee)),
        _page_column("found_by", lambda _, it: it.found_by),
        _page_column("probability", lambda _, it: round(it.probability, 4)),
        _page_column("text", lambda source, it: said(it, source.tracked.text)),
        # offsets of what is said: "988-1013 1028-1052"
        _page_column("parts", lambda _, it: " ".join(f"{start}-{end}" for start, end in it.parts)),
    ),
}
OPTIONAL_NUMBERS: Final = frozenset(
    column.name for columns in COLUMNS.values() for column in columns if column.is_optional_number
)


class Rows(NamedTuple):
    """A table: the names of its columns, and its rows."""

    columns: tuple[str, ...]
    rows: list[tuple[Cell, ...]]


def table_rows(tracked: TrackedText, table: TableName) -> Rows:
    """A table of what was found in a text, in text order; people in order of their numbers."""
    source, columns = TableSource(tracked=tracked), COLUMNS[table]
    rows = [tuple(column.cell(source, it) for column in columns) for it in _items(tracked, table)]
    return Rows(tuple(column.name for column in columns), rows)


def cells_beside_page(tracked: TrackedText, table: TableName) -> dict[str, list[str]]:
    """The cells, in writing, of the columns that a report page has no values of."""
    source, columns = TableSource(tracked=tracked), [column for column in COLUMNS[table] if not column.in_page]
    if not columns:
        return {}
    items = list(_items(tracked, table))
    return {column.name: [written(column.cell(source, it)) for it in items] for column in columns}


def written(cell: Cell) -> str:
    """A cell as it stands in files."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return str(cell)


def _items(tracked: TrackedText, table: TableName) -> Iterable[_MentionOf | Person | Quotation]:
    """What the rows of a table are about."""
    if table == "people":
        return tracked.people
    if table == "quotations":
        return tracked.quotations
    mentions = (_MentionOf(person, mention) for person in tracked.people for mention in person.mentions)
    return sorted(mentions, key=lambda it: (it.mention.start, it.mention.end, it.person.id))
