"""Corrections: what somebody who knows the text changed in its people, and the file that keeps them.

An edit names people, mentions and quotations by places of the text, each with the words that
stand there: a person by one of their mentions. So it can be applied again when the same text
has been read anew and its people have other numbers. A file of edits (``petra.edits/1``) has a
heading and then one edit on each line::

    {"schema": "petra.edits/1", "source": "novel.txt", "characters": 20418}
    {"edit": "merge", "people": [[12, 16, "Anne"], [1204, 1213, "Miss Vale"]]}
    {"edit": "rename", "person": [12, 16, "Anne"], "name": "Anne Vale"}
    {"edit": "move", "mentions": [[88, 91, "her"]], "person": [12, 16, "Anne"]}
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, get_args

from petra.domain import KINDS, Kind
from petra.errors import EditError
from petra.runtime.files import write_atomically

SCHEMA: Final = "petra.edits/1"
LONGEST_NAME: Final = 200  # characters

EditVerb = Literal["merge", "split", "rename", "delete", "move", "remove", "add", "speaker", "addressee"]
VERBS: Final[tuple[EditVerb, ...]] = get_args(EditVerb)

# What each edit must name, and what it may.
_NEEDED: Final[Mapping[EditVerb, frozenset[str]]] = {
    "merge": frozenset(("people",)),
    "split": frozenset(("mentions",)),
    "rename": frozenset(("person", "name")),
    "delete": frozenset(("person",)),
    "move": frozenset(("mentions", "person")),
    "remove": frozenset(("mentions",)),
    "add": frozenset(("mentions",)),
    "speaker": frozenset(("quotation",)),
    "addressee": frozenset(("quotation",)),
}
_ALLOWED: Final[Mapping[EditVerb, frozenset[str]]] = {
    "split": frozenset(("name",)),
    "add": frozenset(("person", "name", "kind")),
    "speaker": frozenset(("person",)),
    "addressee": frozenset(("person",)),
}


class Place(NamedTuple):
    """A part of a text: the characters start..end, and what stands there."""

    start: int
    end: int
    text: str

    def __str__(self) -> str:
        return f"{self.text!r} at {self.start}..{self.end}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Edit:
    """One correction.

    ``merge`` makes one person of several; ``split`` makes a person of some mentions;
    ``rename`` and ``delete`` are of a person; ``move`` gives mentions to a person;
    ``remove`` says that they are no mentions of anybody, ``add`` that they are, of the
    person or, without one, of a new one; ``speaker`` and ``addressee`` say whose a
    quotation is and whom it is said to, without a person nobody's.
    """

    verb: EditVerb
    person: Place | None = None  # a mention of the person
    people: tuple[Place, ...] = ()  # a mention of each
    mentions: tuple[Place, ...] = ()
    quotation: Place | None = None
    name: str | None = None
    kind: Kind | None = None

    def __post_init__(self) -> None:
        given = {name for name in self.__slots__ if name != "verb" and getattr(self, name)}
        needed = _NEEDED[self.verb]
        if missing := sorted(needed - given):
            raise EditError(f"{self.verb} needs {' and '.join(missing)}.")
        if strange := sorted(given - needed - _ALLOWED.get(self.verb, frozenset())):
            raise EditError(f"{self.verb} takes no {' and no '.join(strange)}.")
        if self.verb == "merge" and len(self.people) < 2:
            raise EditError("merge needs two people or more.")
        if self.name is not None and (not self.name.strip() or len(self.name) > LONGEST_NAME):
            raise EditError(f"A name has between 1 and {LONGEST_NAME} characters; {self.name!r:.40} has not.")

    def __str__(self) -> str:
        """The edit in words."""
        mentions = ", ".join(map(str, self.mentions))
        person = "" if self.person is None else repr(self.person.text)
        named = "" if self.name is None else f" named {self.name!r}"
        words: dict[EditVerb, str] = {
            "merge": f"merge {' and '.join(repr(each.text) for each in self.people)}",
            "split": f"split off {mentions}{named}",
            "rename": f"rename {person} to {self.name!r}",
            "delete": f"delete {person}",
            "move": f"move {mentions} to {person}",
            "remove": f"remove {mentions}",
            "add": f"add {mentions} to {person or f'a new person{named}'}",
            "speaker": f"speaker of {self.quotation} is {person or 'nobody'}",
            "addressee": f"addressee of {self.quotation} is {person or 'nobody'}",
        }
        return words[self.verb]

    def to_dict(self) -> dict[str, Any]:
        """The edit as plain values; what it does not name is left out."""
        values: dict[str, Any] = {"edit": self.verb}
        for name in ("people", "mentions"):
            if found := getattr(self, name):
                values[name] = [list(place) for place in found]
        for name in ("quotation", "person"):
            if (place := getattr(self, name)) is not None:
                values[name] = list(place)
        for name in ("name", "kind"):
            if (value := getattr(self, name)) is not None:
                values[name] = value
        return values


def edit_from(values: object) -> Edit:
    """The edit that plain values give."""
    if not isinstance(values, Mapping):
        raise EditError(f'{values!r:.60} is no edit; expected an object such as {{"edit": "merge", ..}}.')
    verb = values.get("edit")
    if verb not in VERBS:
        raise EditError(f"the edit is {verb!r:.40}; expected one of {', '.join(VERBS)}.")
    if strange := sorted(set(values) - {"edit", "person", "people", "mentions", "quotation", "name", "kind"}):
        raise EditError(f"{verb} takes no {strange[0]!r:.40}.")
    kind, name = values.get("kind"), values.get("name")
    if kind is not None and kind not in KINDS:
        raise EditError(f"the kind is {kind!r:.40}; expected one of {', '.join(KINDS)}.")
    if name is not None and not isinstance(name, str):
        raise EditError(f"the name is {name!r:.40}; expected words.")
    return Edit(
        verb=verb,
        person=_place_or_none(values.get("person"), "person"),
        people=_places(values.get("people", []), "people"),
        mentions=_places(values.get("mentions", []), "mentions"),
        quotation=_place_or_none(values.get("quotation"), "quotation"),
        name=name,
        kind=kind,
    )


def edits_from(values: object) -> tuple[Edit, ...]:
    """The edits of a list of plain values."""
    if not isinstance(values, list):
        raise EditError(f"the edits are {values!r:.40}; expected a list.")
    found = []
    for number, each in enumerate(values, start=1):
        try:
            found.append(edit_from(each))
        except EditError as error:
            raise EditError(f"edit {number}: {error}") from None
    return tuple(found)


def edits_lines(edits: Sequence[Edit], *, source: str | None, characters: int) -> str:
    """The content of a file of edits."""
    heading = {"schema": SCHEMA, "source": source, "characters": characters}
    return "".join(f"{_line(values)}\n" for values in (heading, *(edit.to_dict() for edit in edits)))


def save_edits(path: Path, edits: Sequence[Edit], *, source: str | None, characters: int) -> None:
    """Write a file of edits, whole or not at all."""
    write_atomically(path, edits_lines(edits, source=source, characters=characters).encode("utf-8"))


def load_edits(path: Path) -> tuple[Edit, ...]:
    """The edits of a file."""
    try:
        content = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise EditError(f"No file of edits at {path}. `petra edit` writes one.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise EditError(f"{path} cannot be read: {error}. Give a file of edits, as `petra edit` writes it.") from None
    return read_edits(content, str(path))


def read_edits(content: str, name: str) -> tuple[Edit, ...]:
    """The edits of a file's content; ``name`` is for messages."""
    edits: list[Edit] = []
    has_heading = False
    for number, line in enumerate(content.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            values = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise EditError(f"{name}, line {number}: no JSON ({error}); expected one edit on a line.") from None
        if not has_heading:
            schema = values.get("schema") if isinstance(values, Mapping) else None
            if schema != SCHEMA:
                raise EditError(f'{name}, line {number}: the schema is {schema!r:.40}; expected "{SCHEMA}" first.')
            has_heading = True
            continue
        try:
            edits.append(edit_from(values))
        except EditError as error:
            raise EditError(f"{name}, line {number}: {error}") from None
    if not has_heading:
        raise EditError(f'{name} is empty; expected a line with "schema": "{SCHEMA}", then one edit on each line.')
    return tuple(edits)


def _line(values: Mapping[str, Any]) -> str:
    written = json.dumps(values, ensure_ascii=False)
    try:
        written.encode("utf-8")
    except UnicodeEncodeError:  # half of a surrogate pair, from the text
        return json.dumps(values)
    return written


def _places(values: object, what: str) -> tuple[Place, ...]:
    if not isinstance(values, list):
        raise EditError(f"{what}: found {values!r:.40}; expected a list of places [start, end, words].")
    return tuple(_place(each, what) for each in values)


def _place_or_none(values: object, what: str) -> Place | None:
    return None if values is None else _place(values, what)


def _place(values: object, what: str) -> Place:
    if isinstance(values, list) and len(values) == 3:
        start, end, text = values
        if type(start) is int and type(end) is int and isinstance(text, str) and 0 <= start < end:
            return Place(start, end, text)
    raise EditError(f"{what}: found {values!r:.60}; expected a place [start, end, words] with 0 <= start < end.")
