"""The types of the domain: a mention, the person mentioned, and the event of mentioning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["name", "pronoun", "nominal"]
KINDS: tuple[Kind, ...] = ("name", "nominal", "pronoun")  # in the order that models score them


@dataclass(frozen=True, slots=True)
class Mention:
    """A place where a person is mentioned: ``text`` is what stands at start..end of the whole text."""

    start: int
    end: int
    text: str
    kind: Kind
    probability: float  # how strongly the model decided for this person here


@dataclass(frozen=True, slots=True)
class Person:
    """A person of a text, with every mention in text order."""

    id: int  # from 1, in order of first mention
    name: str
    mentions: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """A person is mentioned."""

    person_id: int
    mention: Mention
    is_new: bool  # for the first time
