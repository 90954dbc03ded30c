"""Annotated documents: texts in which every mention of a person is marked, whatever corpus they come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from petra.domain import Kind


class GoldMention(NamedTuple):
    """A mention of a person: ``text[start:end]``, and who is meant."""

    start: int
    end: int
    kind: Kind
    entity: str  # the same for all mentions of one person in a document
    head: tuple[int, int] | None = None  # the range of its head word in the text, where the corpus has it


@dataclass(frozen=True, kw_only=True, slots=True)
class AnnotatedDocument:
    """A text in which every mention of a person is marked."""

    id: str
    text: str
    mentions: tuple[GoldMention, ...]  # by start, then by end; they may nest

    @property
    def people(self) -> tuple[tuple[GoldMention, ...], ...]:
        """The mentions of each person, in order of first mention."""
        by_entity: dict[str, list[GoldMention]] = {}
        for mention in self.mentions:
            by_entity.setdefault(mention.entity, []).append(mention)
        return tuple(map(tuple, by_entity.values()))
