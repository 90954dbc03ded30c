"""The look of a person on a page: classes of ``styles/page.css``.

Who is mentioned more often looks more different: the first twelve have a colour each, the
next twelve the same colours with other lines, and everybody else is grey.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from petra.domain import Person

RARE = "rare"  # the look of who is mentioned less often than two dozen others
_COLOURS = 12  # of page.css
_PER_LINE = 6  # people in turn who share a style of the line under a mention
_LINES = 4  # of page.css

Looks = Mapping[int, str]  # classes by the id of a person


def looks_of(people: Sequence[Person]) -> Looks:
    """The look of each person, by how often they are mentioned among these."""
    ranked = sorted(people, key=lambda person: (-len(person.mentions), person.id))
    return {person.id: look_of(rank) for rank, person in enumerate(ranked)}


def look_of(rank: int) -> str:
    """The look of who has so many people before them."""
    line = rank // _PER_LINE
    return f"c{rank % _COLOURS} l{line}" if line < _LINES else RARE


def mention_id(person: int, number: int) -> str:
    """The id of a mention's element: the person and the mention's number among theirs, from 1."""
    return f"m{person}-{number}"
