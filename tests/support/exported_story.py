"""A short text with its people and quotations written down by hand, for the known answers of exports."""

from __future__ import annotations

from petra.domain import Kind, Mention, Person, Quotation
from petra.report.export.tracked import TrackedText

TEXT = """\
Chapter 1

Ada Vale wrote to Tom <King>. "He," she said, "is late."

Chapter 2

Tom read it. Ada's brother Ned & Tom met.
"""


def _person(number: int, name: str, *mentions: tuple[str, Kind]) -> Person:
    found: list[Mention] = []
    for words, kind in mentions:
        start = TEXT.index(words, found[-1].end if found else 0)
        found.append(Mention(start, start + len(words), words, kind, 0.75))
    return Person(number, name, tuple(found))


def story() -> TrackedText:
    """Ada and Tom in both chapters, Ned in the second; Ada's name stands inside Ned's mention."""
    first, second = TEXT.index('"He,"'), TEXT.index('"is late."')
    parts = ((first, first + 5), (second, second + 10))
    return TrackedText(
        source="stories/ada.txt",
        model="by-hand",
        text=TEXT,
        num_tokens=30,
        people=(
            _person(1, "Ada Vale", ("Ada Vale", "name"), ("she", "pronoun"), ("Ada", "name")),
            _person(2, "Tom", ("Tom", "name"), ("He", "pronoun"), ("Tom", "name"), ("Tom", "name")),
            _person(3, "Ned", ("Ada's brother Ned", "name")),
        ),
        quotations=(
            Quotation(
                start=first,
                end=second + 10,
                parts=parts,
                speaker=1,
                addressee=2,
                found_by="anaphoric",
                probability=0.5,
            ),
        ),
    )
