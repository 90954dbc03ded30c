"""People found in a text beside those that an annotation gives.

A mention counts as found if the annotation has the same span. Each annotated person is
matched with at most one person found: pairs that share the most spans come first.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from petra.domain import Mention, Person

Verdict = Literal["agreed", "other", "extra", "missed"]
Spot = tuple[int, int]  # start and end of a mention


@dataclass(frozen=True, slots=True)
class Agreement:
    """Where people found and people annotated agree."""

    partners: Mapping[int, int]  # id of an annotated person -> id of the person found
    found: Mapping[Spot, frozenset[int]]  # who is mentioned there, as found
    gold: Mapping[Spot, frozenset[int]]  # and as annotated

    def of_found(self, person: int, mention: Mention) -> Verdict:
        """Whether a mention found is annotated for the same person, for another, or not at all."""
        annotated = self.gold.get((mention.start, mention.end), frozenset())
        if not annotated:
            return "extra"
        return "agreed" if any(self.partners.get(gold) == person for gold in annotated) else "other"

    def of_gold(self, person: int, mention: Mention) -> Verdict:
        """Whether an annotated mention was found for the same person, for another, or missed."""
        found = self.found.get((mention.start, mention.end), frozenset())
        if not found:
            return "missed"
        return "agreed" if self.partners.get(person) in found else "other"


def compare(people: Sequence[Person], gold: Sequence[Person]) -> Agreement:
    """How people found agree with people annotated."""
    found_at, gold_at = _spots(people), _spots(gold)
    shared = Counter(
        (annotated, person)
        for spot, persons in gold_at.items()
        for annotated in persons
        for person in found_at.get(spot, ())
    )
    partners: dict[int, int] = {}
    taken: set[int] = set()
    for annotated, person in sorted(shared, key=lambda pair: (-shared[pair], *pair)):
        if annotated not in partners and person not in taken:
            partners[annotated] = person
            taken.add(person)
    return Agreement(partners, found_at, gold_at)


def _spots(people: Sequence[Person]) -> dict[Spot, frozenset[int]]:
    spots: defaultdict[Spot, set[int]] = defaultdict(set)
    for person in people:
        for mention in person.mentions:
            spots[mention.start, mention.end].add(person.id)
    return {spot: frozenset(persons) for spot, persons in spots.items()}
