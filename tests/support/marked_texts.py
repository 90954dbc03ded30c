"""Annotated documents from a text and the words of its mentions.

    marked("Jane met Tom. She smiled.", ("Jane", "name", "jane"), ("Tom", "name", "tom"), ("She", "pronoun", "jane"))

A mark is for the next place where its words stand or, with a ">" before them, for one
inside the last mark without it.
"""

from __future__ import annotations

import re

from petra.corpora.annotated import AnnotatedDocument, GoldMention
from petra.domain import Kind


def marked(text: str, *marks: tuple[str, Kind, str]) -> AnnotatedDocument:
    """A text with its mentions; a mark has the words of a mention, its kind and its person."""
    mentions = []
    outer, place = 0, 0
    for mark, kind, person in marks:
        words, is_inside = mark.lstrip(">"), mark.startswith(">")
        found = re.compile(rf"(?<!\w){re.escape(words)}(?!\w)").search(text, outer if is_inside else place)
        assert found is not None, words
        if not is_inside:
            outer, place = found.span()
        mentions.append(GoldMention(*found.span(), kind, person))
    return AnnotatedDocument(id="marked", text=text, mentions=tuple(sorted(mentions)))


def words_of(annotated: AnnotatedDocument) -> list[str]:
    """The words of the mentions of a document."""
    return [annotated.text[mention.start : mention.end] for mention in annotated.mentions]
