"""Reader of PDNC, the Project Dialogism Novel Corpus: whole novels whose quotations are annotated.

A novel is a folder of three files: ``novel_text.txt``, ``quotation_info.csv`` with a row for
each quotation (its parts, speaker, type, and who is mentioned inside it) and
``character_info.csv`` with the names of each character. A span is a half-open range of
characters or of bytes of the text, whichever agrees with the words that stand beside it;
line ends are kept as they are in the file, since spans count them. See docs/books.md.
"""

from __future__ import annotations

import ast
import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from petra.corpora.places import require
from petra.domain import Offsets
from petra.errors import DataError

TEXT, QUOTATIONS, CHARACTERS = "novel_text.txt", "quotation_info.csv", "character_info.csv"
_QUOTATION_COLUMNS = (
    *("quoteID", "subQuotationList", "quoteByteSpans", "speaker", "quoteType"),
    *("mentionTextsList", "mentionSpansList", "mentionEntitiesList"),
)
_CHARACTER_COLUMNS = ("Main Name", "Aliases", "Category")


class NovelMention(NamedTuple):
    """A mention inside a quotation, of exactly one character."""

    start: int
    end: int
    character: str  # the main name


@dataclass(frozen=True, kw_only=True, slots=True)
class NovelQuotation:
    """A quotation, whose parts may stand apart: “Come,” said Ada, “and sit.”"""

    id: str
    parts: tuple[Offsets, ...]  # without quotation marks
    speaker: str  # the main name
    type: str  # explicit, anaphoric or implicit


@dataclass(frozen=True, kw_only=True, slots=True)
class NovelCharacter:
    """A character of a novel."""

    name: str  # the main name
    names: frozenset[str]  # every name that the annotators list, the main one among them
    category: str  # major, intermediate or minor


@dataclass(frozen=True, kw_only=True, slots=True)
class Novel:
    """An annotated novel."""

    id: str
    text: str
    characters: tuple[NovelCharacter, ...]
    quotations: tuple[NovelQuotation, ...]
    mentions: tuple[NovelMention, ...]  # inside quotations, by start, then by end


def read_pdnc(data: Path, names: Sequence[str] = ()) -> Iterator[Novel]:
    """The novels of these names, or all that are there, one after another in the order of their names."""
    folder = require(data, "pdnc/data")
    found = sorted(path.name for path in folder.iterdir() if path.is_dir())
    if unknown := [name for name in names if name not in found]:
        raise DataError(f"There is no novel {unknown[0]} in {folder}. It holds: {', '.join(found)}.")
    return (read_novel(folder / name) for name in (names or found))


def read_novel(folder: Path) -> Novel:
    """The novel in a folder."""
    text = _decoded(folder / TEXT)
    characters = tuple(_characters(folder / CHARACTERS))
    rows = list(_rows(folder / QUOTATIONS, _QUOTATION_COLUMNS))
    main_name = _main_names(characters)
    place = _places(text, rows)
    quotations, mentions = [], set[NovelMention]()
    for row in rows:
        parts = tuple(place(span) for span in row.value("quoteByteSpans"))
        quotations.append(
            NovelQuotation(
                id=row["quoteID"], parts=parts, speaker=main_name(row["speaker"]), type=row["quoteType"].lower()
            )
        )
        for words, span, entities in _mentions(row):
            if len(entities) == 1:
                start, end = place(span)
                stripped = len(words) - len(words.lstrip()), len(words) - len(words.rstrip())
                mentions.add(NovelMention(start + stripped[0], end - stripped[1], main_name(entities[0])))
    return Novel(
        id=folder.name,
        text=text,
        characters=characters,
        quotations=tuple(quotations),
        mentions=tuple(sorted(mention for mention in mentions if mention.start < mention.end)),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Row:
    """A row of a table, by column name."""

    file: Path
    number: int
    values: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.values[column].strip()

    def value(self, column: str) -> Any:
        """A column that holds a Python literal."""
        try:
            return ast.literal_eval(self[column])
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            raise DataError(
                f"{self.file}, row {self.number}: column {column} is {self[column]!r:.60}; expected a list. "
                "Fetch PDNC again."
            ) from None


def _rows(path: Path, columns: Sequence[str]) -> Iterator[_Row]:
    reader = csv.DictReader(io.StringIO(_decoded(path), newline=""))
    found = reader.fieldnames or ()
    if absent := [column for column in columns if column not in found]:
        raise DataError(f"{path}, row 1: no column {', '.join(absent)}; found {', '.join(found)}. Fetch PDNC again.")
    for number, values in enumerate(reader, start=2):
        if any(values[column] is None for column in columns):
            raise DataError(f"{path}, row {number}: expected {len(found)} columns. Fetch PDNC again.")
        yield _Row(file=path, number=number, values=values)


def _decoded(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        raise DataError(f"{path} is not UTF-8. Fetch PDNC again.") from None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}. Fetch PDNC again.") from None


def _characters(path: Path) -> Iterator[NovelCharacter]:
    for row in _rows(path, _CHARACTER_COLUMNS):
        names = frozenset((row["Main Name"], *(str(alias).strip() for alias in row.value("Aliases"))))
        yield NovelCharacter(name=row["Main Name"], names=names, category=row["Category"])


def _main_names(characters: Sequence[NovelCharacter]) -> Callable[[str], str]:
    """Who is meant by a name of the annotation: a main name, or a name that a single character has."""
    mains = {character.name for character in characters}
    bearers: dict[str, set[str]] = {}
    for character in characters:
        for name in character.names:
            bearers.setdefault(name, set()).add(character.name)

    def main_name(name: str) -> str:
        name = name.strip()
        of_it = bearers.get(name, set())
        return name if name in mains or len(of_it) != 1 else next(iter(of_it))

    return main_name


def _mentions(row: _Row) -> Iterator[tuple[str, Offsets, list[str]]]:
    """The words, span and characters of each mention; parts whose three lists differ in length are passed over."""
    lists = (row.value(column) for column in ("mentionTextsList", "mentionSpansList", "mentionEntitiesList"))
    for texts, spans, entities in zip(*lists, strict=False):
        if len(texts) == len(spans) == len(entities):
            yield from zip(texts, spans, entities, strict=True)


def _places(text: str, rows: Sequence[_Row]) -> Callable[[Offsets], Offsets]:
    """From a span of the annotation to the characters of the text."""
    if text.isascii():
        return lambda span: (span[0], span[1])
    content = text.encode("utf-8")
    character_of = [0] * (len(content) + 1)
    place = 0
    for number, character in enumerate(text):
        width = len(character.encode("utf-8"))
        character_of[place : place + width] = [number] * width
        place += width
    character_of[place] = len(text)

    def from_bytes(span: Offsets) -> Offsets:
        start, end = (character_of[min(place, len(content))] for place in span)
        return start, end

    mentions = [(words, span) for row in rows for words, span, _ in _mentions(row)]
    as_characters = sum(text[slice(*span)] == words for words, span in mentions)
    as_bytes = sum(text[slice(*from_bytes(span))] == words for words, span in mentions)
    return from_bytes if as_bytes > as_characters else lambda span: (span[0], span[1])
