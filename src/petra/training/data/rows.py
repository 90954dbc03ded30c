"""Rows of unrelated texts: several short ones put into one, with nobody in common.

A file of notes, messages or news goes on with other people in the next paragraph, and nothing
says so. A model that has read one text at a time looks for them among everybody before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from petra.corpora.annotated import AnnotatedDocument, GoldMention
from petra.english.names import parse_name
from petra.english.quotations import Quotations
from petra.linking.cues import read_cues

MOST_WORDS = 110  # of a text in a row
_MOST = 8  # texts in a row
_BETWEEN = ("\n\n", "\n\n", "\n\n", "\n")


class _Waiting(NamedTuple):
    """A document that is in no row yet."""

    document: AnnotatedDocument
    names: frozenset[str]  # the words of all names in it
    has_narrator: bool  # it has an I outside of quotations

    @classmethod
    def of(cls, document: AnnotatedDocument) -> _Waiting:
        return cls(document, _names(document), _has_narrator(document))

    def is_unrelated_to(self, row: Sequence[_Waiting]) -> bool:
        return not any(self.names & other.names or (self.has_narrator and other.has_narrator) for other in row)


def unrelated_rows(documents: Sequence[AnnotatedDocument], random: np.random.Generator) -> Iterator[AnnotatedDocument]:
    """The documents in rows of two to eight, each in one; in a row no name comes twice, and one text at most has I."""
    waiting = [_Waiting.of(documents[place]) for place in random.permutation(len(documents)).tolist()]
    while waiting:
        wanted = int(random.integers(2, _MOST + 1))
        row, left = waiting[:1], list[_Waiting]()
        for place, other in enumerate(waiting[1:], start=1):
            if len(row) == wanted:
                left += waiting[place:]
                break
            (row if other.is_unrelated_to(row) else left).append(other)
        waiting = left
        yield _row([each.document for each in row], random)


def _row(documents: Sequence[AnnotatedDocument], random: np.random.Generator) -> AnnotatedDocument:
    between = _BETWEEN[int(random.integers(len(_BETWEEN)))]
    mentions: list[GoldMention] = []
    begin = 0
    for number, document in enumerate(documents):
        mentions += [
            mention._replace(
                start=mention.start + begin,
                end=mention.end + begin,
                entity=f"{number}-{mention.entity}",
                head=mention.head and (mention.head[0] + begin, mention.head[1] + begin),
            )
            for mention in document.mentions
        ]
        begin += len(document.text) + len(between)
    return AnnotatedDocument(
        id="+".join(document.id for document in documents),
        text=between.join(document.text for document in documents),
        mentions=tuple(mentions),
    )


def _names(document: AnnotatedDocument) -> frozenset[str]:
    return frozenset(
        word
        for mention in document.mentions
        if mention.kind == "name"
        for word in parse_name(document.text[mention.start : mention.end]).words
    )


def _has_narrator(document: AnnotatedDocument) -> bool:
    quotations = Quotations()
    quotations.feed(document.text)
    quotations.finish()
    return any(
        read_cues(document.text[mention.start : mention.end], mention.kind, quotations.at(mention.start)).is_narrator
        for mention in document.mentions
        if mention.kind == "pronoun"
    )
