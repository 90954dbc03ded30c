"""Reader of WinoBias: sentences of two people by their occupations and a pronoun of one of them.

A file holds one sentence per line, numbered from 1, with the occupation and the pronoun
that are of one person in square brackets. The sentences 2k - 1 and 2k tell of the same
two people, and their pronouns are of one each. See docs/winobias.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, NoReturn, get_args

from petra.corpora.gap import Span
from petra.corpora.places import require
from petra.corpora.rows import read_lines
from petra.english.vocabulary import PRONOUNS
from petra.errors import DataError

WinobiasSplit = Literal["dev", "test"]
Stereotype = Literal["pro", "anti"]  # the pronoun's gender is that of most people of the occupation, or the other
Type = Literal[1, 2]  # the meaning decides between the two people, or the syntax does

TYPES: tuple[Type, ...] = get_args(Type)
STEREOTYPES: tuple[Stereotype, ...] = get_args(Stereotype)

_LINE = re.compile(r"(?P<number>\d+)\s+(?P<sentence>.*\S)\s*")
_BRACKETED = re.compile(r"\[\s*([^][]*?)\s*\]")
_ARTICLE = re.compile(r"(?:the|an?)\s+", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True)
class WinoBiasSentence:
    """A sentence, its pronoun, the person it is of and the one it is not of."""

    text: str
    pronoun: Span
    person: Span
    other: Span


class _WinobiasLine(NamedTuple):
    """A line of a file without its brackets."""

    file: str
    number: int
    text: str
    pronoun: Span
    person: Span

    @property
    def occupation(self) -> str:
        """The person's occupation, without an article."""
        return _ARTICLE.sub("", self.text[slice(*self.person)], count=1).lower()


def read_winobias(
    data: Path, type_: Type, stereotype: Stereotype, split: WinobiasSplit
) -> tuple[WinoBiasSentence, ...]:
    """The sentences of one type, with the stereotype or against it."""
    return read_winobias_file(require(data, f"winobias/{file_name(type_, stereotype, split)}"))


def file_name(type_: Type, stereotype: Stereotype, split: WinobiasSplit) -> str:
    """The name of the file of a type of sentences."""
    return f"{stereotype}_stereotyped_type{type_}.txt.{split}"


def read_winobias_file(path: Path) -> tuple[WinoBiasSentence, ...]:
    """The sentences of one file.

    The person that the pronoun is not of is the one that it is of in the other sentence
    of the pair, or, where that one is not mentioned, anybody of the file who is.
    """
    lines = [_line(path.name, number, text) for number, text in enumerate(read_lines(path), start=1)]
    occupations = dict.fromkeys(line.occupation for line in lines)
    sentences: list[WinoBiasSentence] = []
    for at, line in enumerate(lines):
        partner = lines[at ^ 1].occupation if at ^ 1 < len(lines) else line.occupation
        other = _other(line, (partner, *occupations))
        sentences.append(WinoBiasSentence(text=line.text, pronoun=line.pronoun, person=line.person, other=other))
    return tuple(sentences)


def _other(line: _WinobiasLine, occupations: Iterable[str]) -> Span:
    """Where a line mentions the other person, who has the first of some occupations that is found in it."""
    places = (
        re.search(rf"\b{re.escape(occupation)}\b", line.text, re.IGNORECASE)
        for occupation in occupations
        if occupation != line.occupation
    )
    found = next(filter(None, places), None)
    if found is None:
        _fail(line.file, line.number, "names one person; expected another whose occupation the file has in brackets.")
    return Span(*found.span())


def _line(file: str, number: int, written: str) -> _WinobiasLine:
    found = _LINE.fullmatch(written)
    if found is None or int(found["number"]) != number:
        _fail(file, number, f"found {written[:40]!r}; expected the number {number} and a sentence.")
    text, spans = _without_brackets(found["sentence"])
    pronouns = [span for span in spans if text[slice(*span)].lower() in PRONOUNS]
    people = [span for span in spans if span not in pronouns]
    if len(people) != 1 or not pronouns:
        _fail(file, number, f"{len(people)} people and {len(pronouns)} pronouns are in brackets; expected one of each.")
    return _WinobiasLine(file, number, text, pronouns[0], people[0])


def _without_brackets(sentence: str) -> tuple[str, list[Span]]:
    """A sentence without its brackets, and where the words that were in them stand."""
    text, spans, done = "", list[Span](), 0
    for bracket in _BRACKETED.finditer(sentence):
        text += sentence[done : bracket.start()]
        spans.append(Span(len(text), len(text) + len(bracket[1])))
        text += bracket[1]
        done = bracket.end()
    return text + sentence[done:], spans


def _fail(file: str, number: int, problem: str) -> NoReturn:
    raise DataError(f"{file}, line {number}: {problem} Fetch WinoBias again.")
