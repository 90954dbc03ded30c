"""The look of a person on a page: classes of ``page/page.css``."""

from __future__ import annotations

from petra.report.templates import escaped

_COLOURS, _LINES = 6, 4  # of page.css: colours, and styles of the line under a mention


def look(person: int) -> str:
    """The classes of a person's look: the colours first, then the same with another line."""
    turn, colour = divmod(person - 1, _COLOURS)
    return f"c{colour} l{turn % _LINES}"


def person_label(person: int, name: str) -> str:
    """The number and the name of a person, as lists have them."""
    return f'<span class="number {look(person)}">{person}</span><span class="name"><bdi>{escaped(name)}</bdi></span>'


def mention_id(person: int, number: int) -> str:
    """The id of a mention's element: the person and the mention's number among theirs, from 1."""
    return f"m{person}-{number}"
