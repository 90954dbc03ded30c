"""The chapters of a report page: a list, and marks along the timeline."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from petra.english.chapters import Chapter
from petra.report.templates import escaped, filled, part
from petra.report.values.summaries import counted

_ROOM, _NARROW_ROOM = 0.025, 0.1  # shares of the axis that a number takes, on a wide window and on a narrow one


def chapters_part(chapters: Sequence[Chapter]) -> str:
    """The list as a part of the page, closed at first; empty without chapters."""
    if not chapters:
        return ""
    items = "\n".join(
        (f'<li class="part"><bdi>{escaped(heading)}</bdi></li>\n' if heading else "") + "\n".join(map(_item, together))
        for heading, together in groupby(chapters, key=lambda chapter: chapter.part)
    )
    return filled(part("chapters.html"), {"count": counted(len(chapters), "chapter"), "items": items})


def chapters_axis(chapters: Sequence[Chapter], length: int) -> str:
    """The numbers of the chapters where they begin along a text; empty without chapters."""
    if not chapters or not length:
        return ""
    ticks = ""
    wide, narrow = -1.0, -1.0  # where the last number stands that is shown on a wide window, and on a narrow one
    for chapter in chapters:
        at = chapter.start / length
        classes = "crowded" if at - wide < _ROOM else "tight" if at - narrow < _NARROW_ROOM else ""
        wide = wide if classes == "crowded" else at
        narrow = narrow if classes else at
        ticks += f'<span class="{classes}" style="--at:{at:.4f}">{chapter.number}</span>'
    return f'<p class="axis by-chapter" aria-hidden="true">{ticks}</p>'


def _item(chapter: Chapter) -> str:
    return f'<li><a href="#ch{chapter.number}"><bdi>{escaped(chapter.heading)}</bdi></a></li>'
