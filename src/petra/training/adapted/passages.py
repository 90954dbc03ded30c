"""Passages of LitBank as training needs them: the tokens of every mention, and who it is of.

The memory reads a passage mention by mention, each at its head token, the last word
piece of its head word. Who it is of is known, so all that the reading needs is laid
out before: the chain of mentions of each person, and what each mention is compared
with, the latest mention of every person before it.

Letters: L tokens of a passage, K mentions, P comparisons.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petra.corpora.annotated import AnnotatedDocument
from petra.english.heads import head_span
from petra.mentions.span_head import KINDS
from petra.text.document import Document

Integers = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class AnnotatedPassage:
    """Consecutive tokens of a document, and the mentions that lie in them, ordered by head."""

    token_ids: Integers  # (L,)
    words: Integers  # (L,)
    first: Integers  # (K,) first token of a mention
    last: Integers  # (K,) last token
    head: Integers  # (K,) head token
    kind: Integers  # (K,) place among KINDS
    person: Integers  # (K,) persons are numbered in order of first mention

    def __len__(self) -> int:
        return len(self.token_ids)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Comparisons:
    """What each mention of a passage is compared with: persons before it, each by its latest mention."""

    mention: Integers  # (P,) the mention
    latest: Integers  # (P,) the latest mention of the person, before it
    distance: Integers  # (P,) tokens from head to head
    is_same: NDArray[np.bool_]  # (P,) whether the mention is of that person


def whole_passage(document: Document, annotated: AnnotatedDocument) -> AnnotatedPassage:
    """A whole document as one passage. Of mentions that share a head token the shorter stays."""
    by_head: dict[int, tuple[int, int, int, str]] = {}
    for mention in sorted(annotated.mentions, key=lambda mention: mention.start - mention.end):
        start, end = head_span(annotated.text[mention.start : mention.end])
        inside = document.tokens_in(mention.start, mention.end)
        head = document.tokens_in(mention.start + start, mention.start + end)[-1]
        by_head[head] = (inside[0], inside[-1], KINDS.index(mention.kind), mention.entity)
    heads = sorted(by_head)
    entities = [by_head[head][3] for head in heads]
    numbers = {entity: number for number, entity in enumerate(dict.fromkeys(entities))}
    columns = np.array([by_head[head][:3] for head in heads], dtype=np.int64).reshape(-1, 3)
    return AnnotatedPassage(
        token_ids=document.token_ids,
        words=document.words,
        first=columns[:, 0],
        last=columns[:, 1],
        head=np.array(heads, dtype=np.int64),
        kind=columns[:, 2],
        person=np.array([numbers[entity] for entity in entities], dtype=np.int64),
    )


def cut(passage: AnnotatedPassage, start: int, length: int) -> AnnotatedPassage:
    """The part of a passage from a token on, with the mentions that lie wholly in it."""
    inside = (passage.first >= start) & (passage.last < start + length)
    persons = passage.person[inside]
    numbers = {person: number for number, person in enumerate(dict.fromkeys(persons.tolist()))}
    return AnnotatedPassage(
        token_ids=passage.token_ids[start : start + length],
        words=passage.words[start : start + length],
        first=passage.first[inside] - start,
        last=passage.last[inside] - start,
        head=passage.head[inside] - start,
        kind=passage.kind[inside],
        person=np.array([numbers[person] for person in persons.tolist()], dtype=np.int64),
    )


def draw(passages: Sequence[AnnotatedPassage], tokens: int, random: np.random.Generator) -> Iterator[AnnotatedPassage]:
    """Parts of so many tokens, without end: every document as often as its length asks, at a random place."""
    while True:
        counts = [-(-len(passage) // tokens) for passage in passages]
        order = np.repeat(np.arange(len(passages)), counts)
        for index in random.permutation(order).tolist():
            passage = passages[index]
            start = int(random.integers(0, max(1, len(passage) - tokens + 1)))
            yield cut(passage, start, tokens)


def comparisons(passage: AnnotatedPassage) -> Comparisons:
    """Every mention against the persons before it."""
    latest: dict[int, int] = {}
    rows: list[tuple[int, int, int, bool]] = []
    for mention, (head, person) in enumerate(zip(passage.head.tolist(), passage.person.tolist(), strict=True)):
        for other, place in latest.items():
            rows.append((mention, place, head - int(passage.head[place]), other == person))
        latest[person] = mention
    columns = np.array(rows, dtype=np.int64).reshape(-1, 4)
    return Comparisons(
        mention=columns[:, 0], latest=columns[:, 1], distance=columns[:, 2], is_same=columns[:, 3].astype(np.bool_)
    )


def previous(passage: AnnotatedPassage) -> Integers:
    """For each mention the one before it of the same person, (K,); -1 for the first of a person."""
    latest: dict[int, int] = {}
    found = np.full(len(passage.head), -1, dtype=np.int64)
    for mention, person in enumerate(passage.person.tolist()):
        found[mention] = latest.get(person, -1)
        latest[person] = mention
    return found
