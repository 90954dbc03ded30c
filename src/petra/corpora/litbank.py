"""Reader of LitBank: beginnings of novels in which every mention of a person is marked.

A document is ``coref/ID.txt``, one sentence of tokens per line, and ``coref/ID.ann``.
A line of the annotation is MENTION with the columns of ``MENTION_COLUMNS``, or what a
mention is: COREF (mention, entity), or COP or APPOS (mention, the mention it
describes). Only people are read here. See docs/litbank.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple, NoReturn

from petra.corpora.annotated import AnnotatedDocument, GoldMention
from petra.corpora.places import require
from petra.corpora.rows import read_lines
from petra.corpora.running_text import RunningText, write_out
from petra.domain import Kind
from petra.errors import DataError

LitbankSplit = Literal["training", "validation", "test"]

FOLDS = 10
MENTION_COLUMNS = ("mention", "sentence", "first token", "sentence", "last token", "words", "type", "kind")

_PARTS: dict[LitbankSplit, str] = {"training": "train", "validation": "dev", "test": "test"}
_TYPES = ("PER", "FAC", "GPE", "LOC", "ORG", "VEH")
_KINDS: dict[str, Kind] = {"PROP": "name", "NOM": "nominal", "PRON": "pronoun"}
_LINKS = ("COREF", "COP", "APPOS")


class _LitbankLine(NamedTuple):
    """A line of an annotation."""

    file: str
    number: int
    label: str
    columns: list[str]

    def fail(self, problem: str) -> NoReturn:
        raise DataError(f"{self.file}, line {self.number}: {problem} Fetch LitBank again.")

    def integer(self, index: int) -> int:
        value = self.columns[index]
        if not (value.isascii() and value.isdigit()):
            self.fail(f"column {MENTION_COLUMNS[index]!r} is {value!r}; expected a whole number, 0 or more.")
        return int(value)


def read_litbank(
    data: Path, split: LitbankSplit, fold: int = 0, *, join_descriptions: bool = False
) -> tuple[AnnotatedDocument, ...]:
    """The documents of a part of one of the ten official folds, in the order of its list.

    With ``join_descriptions``, appositions and predicates are of the person they describe.
    """
    files = litbank_files(data, split, fold)
    return tuple(read_litbank_file(file, join_descriptions=join_descriptions) for file in files)


def litbank_files(data: Path, split: LitbankSplit, fold: int) -> list[Path]:
    """The annotations, ``coref/ID.ann``, of a part of a fold, in the order of its list."""
    if fold not in range(FOLDS):
        raise DataError(f"There is no fold {fold} of LitBank. Choose one of 0 to {FOLDS - 1}.")
    names = listed(require(data, f"litbank/splits/{fold}/{_PARTS[split]}.ids"))
    return [require(data, f"litbank/coref/{name}.ann") for name in names]


def listed(ids: Path) -> list[str]:
    """The documents that a list names; it gives each with the ending of another file."""
    return [Path(line.strip()).stem for line in read_lines(ids) if line.strip()]


def read_litbank_file(path: Path, *, join_descriptions: bool = False) -> AnnotatedDocument:
    """The document of one annotation, ``ID.ann``, with ``ID.txt`` beside it."""
    text_path = path.with_suffix(".txt")
    if not text_path.exists():
        raise DataError(f"{text_path} is missing, the text of {path.name}. Fetch LitBank again.")
    sentences = [line.split(" ") for line in read_lines(text_path)]
    lines = [_line(path.name, number, line) for number, line in enumerate(read_lines(path), start=1)]
    entities = _entities(lines, join_descriptions=join_descriptions)
    running = write_out(sentences)
    mentions = _mentions([line for line in lines if line.label == "MENTION"], sentences, running, entities)
    return AnnotatedDocument(id=path.stem, text=running.text, mentions=tuple(sorted(mentions)))


def _line(file: str, number: int, text: str) -> _LitbankLine:
    label, *columns = text.split("\t")
    line = _LitbankLine(file, number, label, columns)
    if label != "MENTION" and label not in _LINKS:
        line.fail(f"begins with {label!r}; expected MENTION, {', '.join(_LINKS[:-1])} or {_LINKS[-1]}.")
    expected = len(MENTION_COLUMNS) if label == "MENTION" else 2
    if len(columns) != expected:
        line.fail(f"{label} has {len(columns)} columns after it, separated by tabs; expected {expected}.")
    return line


def _entities(lines: list[_LitbankLine], *, join_descriptions: bool) -> dict[str, str]:
    """Who each mention is of; one that describes another is of a person of its own, as in LitBank's CoNLL files."""
    entities: dict[str, str] = {}
    for line in lines:
        if line.label not in _LINKS:
            continue
        mention, other = line.columns
        if mention in entities:
            line.fail(f"the mention {mention} is linked a second time; expected one of {', '.join(_LINKS)} for each.")
        entities[mention] = other if line.label == "COREF" else mention
    for line in lines if join_descriptions else ():
        if line.label in ("COP", "APPOS"):
            mention, other = line.columns
            entities[mention] = entities.get(other, mention)
    return entities


def _mentions(
    lines: list[_LitbankLine], sentences: list[list[str]], running: RunningText, entities: dict[str, str]
) -> Iterator[GoldMention]:
    seen: dict[tuple[int, int], int] = {}
    for line in lines:
        mention, *_, words, type_, kind = line.columns
        if type_ not in _TYPES:
            line.fail(f"the type is {type_!r}; expected one of {', '.join(_TYPES)}.")
        if kind not in _KINDS:
            line.fail(f"the kind is {kind!r}; expected one of {', '.join(_KINDS)}.")
        sentence, first, last = _tokens(line, sentences)
        if (found := " ".join(sentences[sentence][first : last + 1])) != words:
            line.fail(f"the tokens {first} to {last} of sentence {sentence} are {found!r}; expected {words!r}.")
        if mention not in entities:
            line.fail(f"the mention {mention} has no line {', '.join(_LINKS[:-1])} or {_LINKS[-1]}; expected one.")
        if type_ != "PER":
            continue
        start, end = running.places[sentence][first][0], running.places[sentence][last][1]
        if seen.setdefault((start, end), line.number) != line.number:
            line.fail(f"{words!r} is marked in line {seen[start, end]} already; expected each mention once.")
        yield GoldMention(start, end, _KINDS[kind], entities[mention])


def _tokens(line: _LitbankLine, sentences: list[list[str]]) -> tuple[int, int, int]:
    """The sentence of a mention, and its first and last token there."""
    sentence, first, last_sentence, last = (line.integer(index) for index in (1, 2, 3, 4))
    if sentence != last_sentence:
        line.fail(f"the mention begins in sentence {sentence} and ends in {last_sentence}; expected one sentence.")
    if sentence >= len(sentences):
        line.fail(f"sentence {sentence} is past the end of the text ({len(sentences)} sentences).")
    if not first <= last < len(sentences[sentence]):
        line.fail(f"tokens {first} to {last} are no range in a sentence of {len(sentences[sentence])} tokens.")
    return sentence, first, last
