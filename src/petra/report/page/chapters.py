"""The chapters along the timeline of a report page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from petra.english.chapters import Chapter

_ROOM, _NARROW_ROOM = 0.025, 0.1  # shares of the axis that a number takes, on a wide window and on a narrow one


class ChapterTick(NamedTuple):
    """The number of a chapter where it begins along a text."""

    number: int
    at: float  # share of the text before it
    crowding: str  # a class: where there is no room for it


def chapter_ticks(chapters: Sequence[Chapter], length: int) -> Iterator[ChapterTick]:
    """The ticks of the axis for a text of some length."""
    wide, narrow = -1.0, -1.0  # where the last number stands that is shown on a wide window, and on a narrow one
    for chapter in chapters:
        at = chapter.start / max(length, 1)
        crowding = "crowded" if at - wide < _ROOM else "tight" if at - narrow < _NARROW_ROOM else ""
        wide = wide if crowding == "crowded" else at
        narrow = narrow if crowding else at
        yield ChapterTick(chapter.number, at, crowding)
