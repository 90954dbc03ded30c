"""The types of the domain: a mention, the person mentioned, the event of mentioning, and a quotation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Offsets: TypeAlias = tuple[int, int]  # start and end of a half-open range of characters

Kind = Literal["name", "pronoun", "nominal"]
KINDS: tuple[Kind, ...] = ("name", "nominal", "pronoun")  # in the order that models score them

FoundBy = Literal["explicit", "anaphoric", "turn", "implicit", "cue"]
FOUND_BY: tuple[FoundBy, ...] = ("explicit", "anaphoric", "turn", "implicit", "cue")  # in the order that logs keep


@dataclass(frozen=True, slots=True)
class Mention:
    """A place where a person is mentioned: ``text`` is what stands at start..end of the whole text."""

    start: int
    end: int
    text: str
    kind: Kind
    probability: float  # how strongly the model decided for this person here
    corrected: bool = False  # whether somebody put it where it is


@dataclass(frozen=True, slots=True)
class Person:
    """A person of a text, with every mention in text order."""

    id: int  # from 1, in order of first mention
    name: str
    mentions: tuple[Mention, ...]
    corrected: bool = False  # whether somebody renamed, merged or added the person


@dataclass(frozen=True, slots=True)
class Event:
    """A person is mentioned."""

    person_id: int
    mention: Mention
    is_new: bool  # for the first time


@dataclass(frozen=True, slots=True)
class Quotation:
    """What somebody says in a text, quotation marks included.

    ``found_by`` tells what names the speaker: a name beside the quotation ("said Jane":
    explicit), a pronoun or a nominal ("said she": anaphoric), the order of an exchange
    (turn), other people and words around it (implicit), or the cue of a cue line (cue).
    """

    start: int
    end: int
    parts: tuple[tuple[int, int], ...]  # half-open ranges; several where "said Jane" or a paragraph's end divides it
    speaker: int | None  # id of a person
    addressee: int | None
    found_by: FoundBy
    probability: float  # of the speaker among the candidates
    speaker_mention: tuple[int, int] | None = None  # where the speaker is mentioned whom the quotation follows
    addressee_mention: tuple[int, int] | None = None
    corrected: bool = False  # whether somebody set the speaker or the addressee
