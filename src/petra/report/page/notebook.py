"""A text with its people as a piece of HTML, which notebooks show for a tracking.

All looks are in the elements themselves and all colours are translucent, so that the piece
stands in any page, light or dark. What comes from the text is escaped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from petra.domain import Mention, Person

# For the twelve people mentioned most often, in this order; dark letters can be read on each.
COLOURS: Final = (
    *("#48a0dc", "#f08038", "#2cba92", "#dc82b6", "#ecb22c", "#86cefa"),
    *("#ac8cf0", "#f46070", "#b8c448", "#48bece", "#c69670", "#f678ce"),
)
GREY: Final = "#8c8982"  # of everybody else

_LISTED: Final = 24  # people
_SHOWN: Final = 3_000  # characters of the text


def colours_of(people: Sequence[Person]) -> dict[int, str]:
    """The colour of each person by id: one for each of those mentioned most often, grey for the others."""
    ranked = sorted(people, key=lambda person: (-len(person.mentions), person.id))
    return {person.id: COLOURS[rank] if rank < len(COLOURS) else GREY for rank, person in enumerate(ranked)}


def notebook_html(text: str, people: Sequence[Person], shown: int = _SHOWN) -> str:
    """The people, those mentioned most often first, and the beginning of the text with their mentions marked."""
    colours = colours_of(people)
    ranked = sorted(people, key=lambda person: (-len(person.mentions), person.id))
    chips = "".join(_chip(person, colours[person.id]) for person in ranked[:_LISTED])
    others = f"<span>and {len(ranked) - _LISTED:,} more</span>" if len(ranked) > _LISTED else ""
    end = len(text) if len(text) <= shown else _cut(text, people, shown)
    rest = f"<p>{len(text) - end:,} more characters are not shown.</p>" if end < len(text) else ""
    return (
        f"<div><p>{chips}{others}</p>"
        f'<div dir="auto" style="white-space:pre-wrap;line-height:1.8">{_marked(text[:end], people, colours)}</div>'
        f"{rest}</div>"
    )


def _chip(person: Person, colour: str) -> str:
    count = len(person.mentions)
    look = f"{_look(colour)};display:inline-block;line-height:1.5;margin:0 .8em .4em 0;padding:0 .4em"
    return (
        f'<span style="{look}"><b>{person.id}</b> '
        f"<bdi>{escape(person.name)}</bdi> <small>{count:,} mention{'s' * (count != 1)}</small></span> "
    )


def _marked(text: str, people: Sequence[Person], colours: Mapping[int, str]) -> str:
    """The text with every mention in an element; one that crosses another is left out, since elements cannot."""
    mentions = [(mention, person) for person in people for mention in person.mentions if mention.end <= len(text)]
    mentions.sort(key=lambda found: (found[0].start, -found[0].end))
    pieces: list[str] = []
    open_ends: list[int] = []
    at = 0

    def go_to(place: int) -> None:
        nonlocal at
        pieces.append(escape(text[at:place]))
        at = place

    def close_until(place: int) -> None:
        while open_ends and open_ends[-1] <= place:
            go_to(open_ends.pop())
            pieces.append("</span>")

    for mention, person in mentions:
        close_until(mention.start)
        if open_ends and mention.end > open_ends[-1]:
            continue
        go_to(mention.start)
        pieces.append(f'<span style="{_look(colours[person.id])}" title="{_title(mention, person)}">')
        pieces.append(f'<small style="user-select:none">{person.id}&nbsp;</small>')
        open_ends.append(mention.end)
    close_until(len(text))
    go_to(len(text))
    return "".join(pieces)


def _title(mention: Mention, person: Person) -> str:
    return escape(f"{person.name}: {mention.kind}, {mention.probability:.2f}")


def _look(colour: str) -> str:
    return f"background:{colour}40;border-bottom:2px solid {colour};border-radius:3px"


def _cut(text: str, people: Sequence[Person], shown: int) -> int:
    """Where the part that is shown ends: between two words, and in no mention."""
    end = max(text.rfind(white, 0, shown + 1) for white in " \n")
    end = end if end > 0 else shown
    across = [mention.end for person in people for mention in person.mentions if mention.start < end < mention.end]
    return max(across, default=end)
