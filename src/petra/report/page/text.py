"""The text of a report page: every mention marked, in sections that a browser lays out as they come into sight."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from markupsafe import Markup

from petra.domain import Kind, Mention, Person
from petra.english.chapters import Chapter
from petra.report.page.cuts import cut
from petra.report.page.looks import Looks, mention_id
from petra.report.page.marks import MarkedPiece, MarkedSpan, marked, nested
from petra.report.page.shown import ShownText
from petra.report.values.agreement import Agreement

KIND_CLASSES: Final[dict[Kind, str]] = {"name": "kn", "nominal": "ko", "pronoun": "kp"}
_LINE = re.compile(r"\S[^\n]*")
_LINE_LENGTH = 68  # characters on a line of the page, about


@dataclass(frozen=True, slots=True)
class PageText:
    """The text as sections, ready for the page."""

    sections: tuple[range, ...]  # characters of what is shown
    html: Markup


def page_text(
    shown: ShownText,
    people: Sequence[Person],
    gold: Sequence[Person],
    agreement: Agreement | None,
    looks: Looks,
    chapters: Sequence[Chapter] = (),
) -> PageText:
    """The text with headings and the mentions of people, and beside them those of an annotation if there is one."""
    spans = [*_headings(shown, chapters), *_found_spans(shown, people, agreement, looks)]
    if agreement is not None:
        spans += _missed_spans(shown, gold, agreement)
    sections = cut(shown.text, [(span.start, span.end) for span in spans])
    pieces = nested(spans)
    starts = [piece.start for piece in pieces]
    html = "".join(
        _section(shown.text, section, pieces[bisect_left(starts, section.start) : bisect_left(starts, section.stop)])
        for section in sections
    )
    return PageText(tuple(sections), Markup(html))


def _section(text: str, section: range, pieces: Sequence[MarkedPiece]) -> str:
    lines = text[section.start : section.stop].removesuffix("\n").split("\n")
    height = sum(max(1, ceil(len(line) / _LINE_LENGTH)) for line in lines)
    return f'<section style="--lines:{height}">{marked(text, pieces, section.start, section.stop)}</section>'


def _headings(shown: ShownText, chapters: Sequence[Chapter]) -> Iterator[MarkedSpan]:
    """The line that each chapter begins with."""
    for chapter in chapters:
        start, end = int(shown.places[chapter.start]), int(shown.places[chapter.end])
        line = _LINE.search(shown.text, start, end)
        if line:
            yield MarkedSpan(
                line.start(), line.end(), tag="b", classes="heading", attributes="", id=f"ch{chapter.number}"
            )


def _found_spans(
    shown: ShownText, people: Sequence[Person], agreement: Agreement | None, looks: Looks
) -> Iterator[MarkedSpan]:
    for person in people:
        for number, mention in enumerate(person.mentions, start=1):
            classes, attributes = f"{looks[person.id]} {KIND_CLASSES[mention.kind]}", f' data-person="{person.id}"'
            if mention.corrected:
                classes += " corrected"
            if agreement is not None:
                verdict = agreement.of_found(person.id, mention)
                classes += f" {verdict}"
                if verdict == "other":
                    whose = sorted(agreement.gold[mention.start, mention.end])
                    attributes += f' data-gold="{" ".join(f"G{gold}" for gold in whose)}"'
            yield MarkedSpan(
                *_place(shown, mention),
                tag="mark",
                classes=classes,
                attributes=attributes,
                id=mention_id(person.id, number),
            )


def _missed_spans(shown: ShownText, gold: Sequence[Person], agreement: Agreement) -> Iterator[MarkedSpan]:
    for person in gold:
        for mention in person.mentions:
            if agreement.of_gold(person.id, mention) == "missed":
                yield MarkedSpan(
                    *_place(shown, mention), tag="span", classes="missed", attributes=f' data-gold="G{person.id}"'
                )


def _place(shown: ShownText, mention: Mention) -> tuple[int, int]:
    return int(shown.places[mention.start]), int(shown.places[mention.end])
