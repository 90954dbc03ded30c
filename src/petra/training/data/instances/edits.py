"""Changes of a text that keep track of the places in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from petra.corpora.gap import Span


class TextEdit(NamedTuple):
    """Characters of a text and what is written in their place."""

    span: Span
    text: str


def rewrite(text: str, edits: Iterable[TextEdit], spans: Sequence[Span]) -> tuple[str, tuple[Span, ...]]:
    """The text with all edits made, and where the spans are in it.

    Edits do not overlap. A span may hold whole edits or be one, and may not begin or
    end inside one.
    """
    ordered = sorted(edits)
    pieces: list[str] = []
    reach = 0
    for edit in ordered:
        pieces += (text[reach : edit.span.start], edit.text)
        reach = edit.span.end
    moved = (Span(start + _growth(ordered, start), end + _growth(ordered, end)) for start, end in spans)
    return "".join((*pieces, text[reach:])), tuple(moved)


def _growth(edits: Sequence[TextEdit], place: int) -> int:
    """By how much a text grows before a place."""
    return sum(len(edit.text) - (edit.span.end - edit.span.start) for edit in edits if edit.span.end <= place)
