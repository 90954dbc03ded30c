"""Where two readings of one text differ (schema ``petra.comparison/1``).

A mention of one reading goes with the mention of the other at the same characters, else
with the first that shares some. People of the two go together by the mentions that they
share, the largest number first, and among equals those of one name.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from petra.domain import Mention, Person

SCHEMA = "petra.comparison/1"
DifferenceKind = Literal["only_first", "only_second", "person", "boundaries"]


@dataclass(frozen=True, slots=True)
class Placed:
    """A mention and whose it is."""

    mention: Mention
    person: Person


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where two readings differ; what a reading lacks is None."""

    kind: DifferenceKind
    first: Placed | None
    second: Placed | None

    @property
    def span(self) -> tuple[int, int]:
        """The characters in question."""
        mentions = [placed.mention for placed in (self.first, self.second) if placed]
        return min(mention.start for mention in mentions), max(mention.end for mention in mentions)


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """Two readings of one text beside each other."""

    same_people: dict[int, int]  # ids of the first reading's people to those of the second's
    agreeing: int  # mentions on which both agree
    differences: tuple[Difference, ...]  # in text order


def compare(first: Sequence[Person], second: Sequence[Person]) -> Comparison:
    """What two readings of one text have in common, and where they differ."""
    pairs = _paired(_placed(first), _placed(second))
    same = _same_people(pairs)
    differences = [Difference(kind, *pair) for pair in pairs if (kind := _kind(*pair, same)) is not None]
    return Comparison(
        same_people=same,
        agreeing=len(pairs) - len(differences),
        differences=tuple(sorted(differences, key=lambda difference: difference.span)),
    )


def comparison_json(comparison: Comparison, models: tuple[str, str]) -> dict[str, Any]:
    """A comparison as plain values."""
    return {
        "schema": SCHEMA,
        "models": list(models),
        "same_people": [{"first": first, "second": second} for first, second in comparison.same_people.items()],
        "agreeing": comparison.agreeing,
        "differences": [
            {"kind": difference.kind, "first": _side(difference.first), "second": _side(difference.second)}
            for difference in comparison.differences
        ],
    }


_Pair = tuple[Placed | None, Placed | None]


def _placed(people: Sequence[Person]) -> list[Placed]:
    placed = [Placed(mention, person) for person in people for mention in person.mentions]
    return sorted(placed, key=lambda item: (*_span(item), item.person.id))


def _paired(first: list[Placed], second: list[Placed]) -> list[_Pair]:
    """Every mention once, with its counterpart where there is one."""
    at: dict[tuple[int, int], deque[Placed]] = defaultdict(deque)
    for placed in second:
        at[_span(placed)].append(placed)
    exact = [(placed, at[_span(placed)].popleft() if at[_span(placed)] else None) for placed in first]
    taken = {id(other) for _, other in exact if other}
    rest = deque(placed for placed in second if id(placed) not in taken)
    pairs: list[_Pair] = []
    for placed, other in exact:
        if other is None:
            # Both lists are in text order: what ends before this mention can meet none of the later ones.
            while rest and rest[0].mention.end <= placed.mention.start:
                pairs.append((None, rest.popleft()))
            if rest and rest[0].mention.start < placed.mention.end:
                other = rest.popleft()
        pairs.append((placed, other))
    return [*pairs, *((None, placed) for placed in rest)]


def _same_people(pairs: Sequence[_Pair]) -> dict[int, int]:
    met = [(one.person, other.person) for one, other in pairs if one and other]
    shared = Counter((one.id, other.id) for one, other in met)
    namesakes = {(one.id, other.id) for one, other in met if one.name == other.name}
    same: dict[int, int] = {}
    for one, other in sorted(shared, key=lambda ids: (-shared[ids], ids not in namesakes, ids)):
        if one not in same and other not in same.values():
            same[one] = other
    return dict(sorted(same.items()))


def _kind(first: Placed | None, second: Placed | None, same: dict[int, int]) -> DifferenceKind | None:
    """In what two counterparts differ, if they do."""
    if first is None:
        return "only_second"
    if second is None:
        return "only_first"
    if same.get(first.person.id) != second.person.id:
        return "person"
    return None if _span(first) == _span(second) else "boundaries"


def _span(placed: Placed) -> tuple[int, int]:
    return placed.mention.start, placed.mention.end


def _side(placed: Placed | None) -> dict[str, Any] | None:
    if placed is None:
        return None
    mention, person = placed.mention, placed.person
    return {
        "start": mention.start,
        "end": mention.end,
        "text": mention.text,
        "person": person.id,
        "name": person.name,
    }
