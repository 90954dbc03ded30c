"""Reader of CoNLL-U: sentences of tokens with part of speech, dependency and what else is said of each.

A sentence is a block of comments (``# key = value``) and of tokens with the ten columns
of ``CONLLU_COLUMNS``, separated by tabs; an empty line ends it. Tokens written as one word
("don't") stand under a line of their range (``3-4``). Empty nodes (``8.1``) are left
out. ``running_text`` joins the sentences to the text that they were cut from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, NoReturn

from petra.corpora.rows import read_lines
from petra.corpora.running_text import RunningText
from petra.errors import DataError

CONLLU_COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
ENTITY_FIELDS = "global.Entity"  # the comment that names the fields of Entity in MISC

_PARAGRAPH = "newpar"


class Token(NamedTuple):
    """A token of a sentence."""

    form: str
    tag: str  # XPOS, in English corpora a Penn tag
    head: int | None  # the place of the token it depends on, from 0; None for the root, and where nobody says
    relation: str  # DEPREL, to the head
    misc: Mapping[str, str]
    has_space_after: bool
    line: int  # in the file, from 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Sentence:
    """A sentence of a file, with its comments by key."""

    tokens: tuple[Token, ...]
    comments: Mapping[str, str]  # an empty value where the comment is a key alone

    @property
    def begins_paragraph(self) -> bool:
        return _PARAGRAPH in self.comments


class _ConlluLine(NamedTuple):
    """A line of a file."""

    file: str
    number: int
    text: str

    def fail(self, problem: str) -> NoReturn:
        raise DataError(f"{self.file}, line {self.number}: {problem} Correct it, or fetch the corpus again.")


def read_conllu(path: Path) -> tuple[Sentence, ...]:
    """The sentences of a file.

    A sentence with a comment ``text`` must read as its tokens do.
    """
    return tuple(_sentence(block) for block in _blocks(path))


def running_text(sentences: Sequence[Sentence]) -> RunningText:
    """The text of the sentences: an empty line before each paragraph, spaces as SpaceAfter has them."""
    pieces: list[str] = []
    places: list[tuple[tuple[int, int], ...]] = []
    length, space = 0, ""
    for sentence in sentences:
        if sentence.begins_paragraph and pieces:
            space = "\n\n"
        found: list[tuple[int, int]] = []
        for token in sentence.tokens:
            start = length + len(space)
            length = start + len(token.form)
            pieces += space, token.form
            found.append((start, length))
            space = " " if token.has_space_after else ""
        places.append(tuple(found))
    return RunningText(text="".join(pieces), places=tuple(places))


def _blocks(path: Path) -> Iterator[list[_ConlluLine]]:
    block: list[_ConlluLine] = []
    for number, text in enumerate(read_lines(path), start=1):
        if text.strip():
            block.append(_ConlluLine(path.name, number, text))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _sentence(block: list[_ConlluLine]) -> Sentence:
    comments: dict[str, str] = {}
    for line in block:
        if line.text.startswith("#"):
            key, _, value = line.text[1:].partition("=")
            comments[key.strip()] = value.strip()
    rows = [(line, _columns(line)) for line in block if not line.text.startswith("#")]
    if not rows:
        block[-1].fail("a sentence has comments and no tokens; expected at least one token.")
    sentence = Sentence(tokens=tuple(_tokens(rows)), comments=comments)
    expected, found = comments.get("text"), running_text([sentence]).text
    if expected is not None and found != expected:
        block[0].fail(f"the tokens of the sentence read {found!r}; expected {expected!r}, the comment 'text'.")
    return sentence


def _columns(line: _ConlluLine) -> list[str]:
    columns = line.text.split("\t")
    if len(columns) != len(CONLLU_COLUMNS):
        expected = f"{len(CONLLU_COLUMNS)} ({', '.join(CONLLU_COLUMNS)})"
        line.fail(f"has {len(columns)} columns, separated by tabs; expected {expected}.")
    return columns


def _tokens(rows: Sequence[tuple[_ConlluLine, list[str]]]) -> Iterator[Token]:
    size = sum(columns[0].isdigit() for _, columns in rows)
    place, joined_until, spaced_after_join = 0, 0, True
    for line, (name, form, _, _, tag, _, head, relation, _, misc_column) in rows:
        misc = dict(_misc(misc_column))
        has_space_after = misc.get("SpaceAfter") != "No"
        if "." in name:
            continue
        if "-" in name:
            last = name.partition("-")[2]
            joined_until, spaced_after_join = _number(line, "ID", last, size), has_space_after
            continue
        place += 1
        if name != str(place):
            line.fail(f"the ID is {name!r}; expected {place}, for tokens count from 1 in each sentence.")
        if place <= joined_until:
            has_space_after = spaced_after_join and place == joined_until
        above = 0 if head == "_" else _number(line, "HEAD", head, size)
        yield Token(form, tag, above - 1 if above else None, relation, misc, has_space_after, line.number)


def _misc(column: str) -> Iterator[tuple[str, str]]:
    for item in column.split("|"):
        key, _, value = item.partition("=")
        yield key, value


def _number(line: _ConlluLine, column: str, value: str, largest: int) -> int:
    if not (value.isascii() and value.isdigit()) or int(value) > largest:
        line.fail(
            f"column {column} is {value!r}; expected a whole number of 0 to {largest}, the tokens of the sentence."
        )
    return int(value)
