"""The language of the patterns: what may stand in a line of ``patterns/*.txt``.

| written | means |
| --- | --- |
| ``{A}`` | person A by name or noun: whole at first, shorter later |
| ``{A.he}`` ``{A.him}`` ``{A.his}`` ``{A.hers}`` ``{A.himself}`` | the pronoun of A, whatever set A goes by |
| ``{A.I}`` ``{A.me}`` ``{A.you}`` ``{A+B.we}`` | first and second person |
| ``{A.full}`` ``{A.given}`` ``{A.family}`` ``{A.a_job}`` ``{A.the_job}`` | a chosen form of name or noun |
| ``{B: {A.his} brother/sister/sibling}`` | a phrase that mentions B; of three words with slashes, B's |
| ``{A+B}`` ``{A+B.he}`` ``{A+B: the couple}`` | A and B together, a person of its own |
| ``{P: {A.his} friends}`` ``{P.he}`` | people known only as a group: P to S, in the lexicon too |
| ``{*A.a_job}`` ``{*A: a friend}`` | a predicate or an apposition |
| ``@A.given`` | the word alone, without a mention |
| ``<was>`` | a verb that agrees with the subject pronoun before |
| ``[red|blue]`` | one of these |
| ``$place`` ``$place#1`` ``$favour(A,B)`` | an entry of the lexicon, where X, Y, Z stand for the given people |
| ``^`` ``~`` | a capital letter follows, or none, where the rules would have it otherwise |
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from petra.errors import DataError

NAME_FORMS = frozenset(("full", "given", "family", "families", "title", "upper"))
GROUPS = "JKLMNPQRS"  # people known only as a group; an entry of the lexicon gets a letter of its own, from J on

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_ENTRY = re.compile(r"\$([a-z_]+)(#\d)?(?:\(([A-SX-Z,+]*)\))?")
_PARAMETER = re.compile(r"(?<=[{*+@(,])[XYZ](?=[.:}+,)])")
_GROUP = re.compile(r"(?<=[{*])[P-S](?=[.:])")
_TOKEN = re.compile(
    r"(?P<open>\{(?P<star>\*?)(?P<who>[A-S](?:\+[A-S])*)(?P<how>[.:}]))|(?P<close>\})"
    r"|<(?P<verb>[a-z']+)>|@(?P<of>[A-E])\.(?P<form>[a-z_]+)|(?P<text>[^{}<@]+)"
)


class Words(NamedTuple):
    """Words that mention nobody."""

    text: str


class Verb(NamedTuple):
    """A verb that agrees with the subject pronoun before it."""

    text: str


class EmbeddedName(NamedTuple):
    """A form of a person's name that stands inside something longer."""

    role: str
    form: str


@dataclass(frozen=True, slots=True)
class Reference:
    """A mention of a person, or of several together: a form, or a phrase with parts of its own."""

    roles: tuple[str, ...]
    form: str  # empty: by name or noun; "phrase": see parts
    predicate: bool = False
    parts: tuple[Part, ...] = ()

    @property
    def entity(self) -> str:
        return "+".join(self.roles)


Part = Words | Verb | EmbeddedName | Reference


def chosen(pattern: str, lexicon: Mapping[str, Sequence[str]], rng: Random) -> str:
    """The pattern with every choice made; an entry of the lexicon is used once as long as there are others."""
    used: dict[str, list[str]] = {}
    labelled: dict[str, str] = {}
    letters = iter("JKLMN" * 9)

    def entry(found: re.Match[str]) -> str:
        name, label, roles = found[1], found[2], (found[3] or "").split(",")
        if name not in lexicon:
            raise DataError(f"No entry ${name} in the lexicon of the patterns. Add it to lexicon.txt.")
        if label and name + label in labelled:
            return labelled[name + label]
        fresh = [it for it in lexicon[name] if it not in used.get(name, ())]
        drawn = rng.choice(fresh or lexicon[name])
        used.setdefault(name, []).append(drawn)
        given = dict(zip("XYZ", roles, strict=False))
        groups = {it: next(letters) for it in sorted(set(_GROUP.findall(drawn)))}
        filled = _GROUP.sub(lambda it: groups[it[0]], _PARAMETER.sub(lambda it: given[it[0]], drawn))
        if label:
            labelled[name + label] = filled
        return filled

    while True:
        made = _CHOICE.sub(lambda it: rng.choice(it[1].split("|")), pattern, count=1)
        if made == pattern:
            made = _ENTRY.sub(entry, pattern, count=1)
        if made == pattern:
            return pattern
        pattern = made


def parse(pattern: str) -> tuple[Part, ...]:
    """The parts of a pattern in which every choice is made."""
    stack: list[tuple[Reference | None, list[Part]]] = [(None, [])]
    place = 0
    while place < len(pattern):
        found = _TOKEN.match(pattern, place)
        if found is None:
            raise DataError(f"The pattern {pattern!r} cannot be read from {pattern[place : place + 20]!r} on.")
        place = found.end()
        if found["open"]:
            roles, predicate = tuple(found["who"].split("+")), bool(found["star"])
            if found["how"] == ":":
                stack.append((Reference(roles, "phrase", predicate), []))
                place += pattern[place] == " "
            elif found["how"] == "}":
                stack[-1][1].append(Reference(roles, "", predicate))
            else:
                end = pattern.index("}", place)
                stack[-1][1].append(Reference(roles, pattern[place:end], predicate))
                place = end + 1
        elif found["close"]:
            phrase, parts = stack.pop()
            if phrase is None:
                raise DataError(f"The pattern {pattern!r} closes a phrase that was not opened.")
            stack[-1][1].append(Reference(phrase.roles, "phrase", phrase.predicate, tuple(parts)))
        elif found["verb"]:
            stack[-1][1].append(Verb(found["verb"]))
        elif found["of"]:
            stack[-1][1].append(EmbeddedName(found["of"], found["form"]))
        else:
            stack[-1][1].append(Words(found["text"]))
    if len(stack) > 1:
        raise DataError(f"The pattern {pattern!r} leaves a phrase open.")
    return tuple(stack[0][1])


def references_of(parts: Sequence[Part]) -> Iterator[Reference]:
    """Every mention that the parts make, also those inside others."""
    for part in parts:
        if isinstance(part, Reference):
            yield part
            yield from references_of(part.parts)


def named_roles(parts: Sequence[Part]) -> Iterator[str]:
    """Those of whom the parts use a form that only a name has."""
    for part in parts:
        if isinstance(part, EmbeddedName) and part.form in NAME_FORMS:
            yield part.role
        elif isinstance(part, Reference):
            if part.form in NAME_FORMS:
                yield part.roles[0]
            yield from named_roles(part.parts)


def roles_of(parts: Sequence[Part]) -> frozenset[str]:
    """Everybody whom the parts mention, without the groups."""
    roles: set[str] = set()
    for part in parts:
        if isinstance(part, Reference):
            roles |= {*part.roles} | roles_of(part.parts)
        elif isinstance(part, EmbeddedName):
            roles.add(part.role)
    return frozenset(roles.difference(GROUPS))
