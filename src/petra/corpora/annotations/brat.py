r"""Reader of brat's standoff annotation: ``NAME.ann`` beside ``NAME.txt``.

Mentions are entities of the types Person and the like, ``T1\tPerson 0 4\tAnne``. Those of one
person are joined by an equivalence, ``*\tEquiv T1 T2 T3``, or by relations between two,
``R1\tCoref Arg1:T1 Arg2:T2``; one that is joined to none is of a person of its own. The kind is an
attribute, ``A1\tKind T1 pronoun``, or is told by the words. Entities of other types are left out.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple, NoReturn, cast

from petra.corpora.annotated import AnnotatedDocument, GoldMention
from petra.corpora.rows import read_lines
from petra.domain import KINDS, Kind
from petra.english.kinds import kind_of
from petra.errors import DataError, TextError
from petra.text.source import read_text

PEOPLE = frozenset(("per", "person", "people", "character", "mention", *KINDS))  # types, in small letters
_ENTITY = re.compile(r"(?P<type>\S+) (?P<places>\d+ \d+(?:;\d+ \d+)*)")
_JOINS = frozenset(("equiv", "coref", "coreference", "same", "identity"))


class _Entity(NamedTuple):
    line: int
    type: str
    start: int
    end: int


def read_brat(path: Path) -> tuple[AnnotatedDocument, ...]:
    """The text of a file of annotations, with its people."""
    beside = path.with_suffix(".txt")
    try:
        text = read_text(beside)
    except TextError as error:
        raise DataError(f"{path.name}: its text is to be beside it. {error}") from None
    entities: dict[str, _Entity] = {}
    joined: list[tuple[int, list[str]]] = []
    kinds: dict[str, Kind] = {}
    for number, line in enumerate(read_lines(path), start=1):
        name, *columns = line.split("\t")
        if name.startswith("T"):
            entities[name] = _entity(path, number, columns, text)
        elif columns and name[:1] in ("*", "R"):
            relation, *arguments = columns[0].split()
            if relation.lower() in _JOINS:
                joined.append((number, [argument.partition(":")[2] or argument for argument in arguments]))
        elif columns and name[:1] in ("A", "M"):
            words = columns[0].split()
            if len(words) == 3 and words[2].lower() in KINDS:
                kinds[words[1]] = cast(Kind, words[2].lower())
    people = {name: entity for name, entity in entities.items() if entity.type.lower() in PEOPLE}
    person_of = {name: name for name in people}

    def root(name: str) -> str:
        while person_of[name] != name:
            name = person_of[name]
        return name

    for number, names in joined:
        for name in names:
            if name not in entities:
                _fail(path, number, f"{name} is joined to others and stands nowhere; expected a line {name}.")
        own = [name for name in names if name in people]
        for other in own[1:]:
            person_of[root(other)] = root(own[0])
    mentions = {
        GoldMention(
            entity.start,
            entity.end,
            cast(Kind, entity.type.lower())
            if entity.type.lower() in KINDS
            else kinds.get(name) or kind_of(text[entity.start : entity.end]),
            root(name),
        )
        for name, entity in people.items()
    }
    return (AnnotatedDocument(id=path.stem, text=text, mentions=tuple(sorted(mentions))),)


def _entity(path: Path, number: int, columns: list[str], text: str) -> _Entity:
    found = _ENTITY.fullmatch(columns[0]) if columns else None
    if found is None:
        _fail(path, number, "is no entity; expected a type and offsets, as: T1, tab, Person 0 4, tab, Anne.")
    edges = [int(edge) for edge in re.findall(r"\d+", found["places"])]
    start, end = edges[0], edges[-1]
    if not start < end <= len(text):
        _fail(path, number, f"goes from {start} to {end}; expected offsets within the text ({len(text)} characters).")
    words = columns[1] if len(columns) > 1 else None
    there = " ".join(text[first:last] for first, last in zip(edges[::2], edges[1::2], strict=True))
    if words is not None and words != there:
        _fail(path, number, f"is {words!r:.60}, and the text has {there!r:.60} at {start}..{end}.")
    return _Entity(number, found["type"], start, end)


def _fail(path: Path, line: int, problem: str) -> NoReturn:
    raise DataError(f"{path.name}, line {line}: {problem}")
