"""Coreference scores: how far the people that were found are the people of the annotation.

Both sides are partitions of mentions into people; a mention is found only if its exact
span is. MUC, B-cubed and CEAF-e are those of the reference scorer of the CoNLL shared
tasks (Pradhan et al., 2014), LEA that of Moosavi and Strube (2016). People with a single
mention count. Each score is two fractions, recall and precision, whose parts are summed
over all documents before they are divided.

Letters: K people of the annotation (the key), R people found (the response).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.optimize import linear_sum_assignment

from petra.evaluation.rates import Rates

People: TypeAlias = Collection[Collection[Hashable]]  # the mentions of each person


@dataclass(frozen=True, kw_only=True, slots=True)
class CoreferenceScore:
    """Every score of a system on some documents."""

    muc: Rates
    b_cubed: Rates
    ceaf_e: Rates
    lea: Rates
    mentions: Rates  # of finding the spans, whoever they are of
    documents: int

    @property
    def conll(self) -> float:
        """The mean of the F1 of MUC, B-cubed and CEAF-e, in percent."""
        return (self.muc.f1 + self.b_cubed.f1 + self.ceaf_e.f1) / 3


class _Fraction(NamedTuple):
    part: float
    whole: float


class _Side(NamedTuple):
    """A partition, and where each mention is in it."""

    people: tuple[frozenset[Hashable], ...]
    person_of: dict[Hashable, int]

    def overlaps(self, person: frozenset[Hashable]) -> Counter[int]:
        """How many mentions of a person of the other side fall to each of this side."""
        return Counter(self.person_of[mention] for mention in person if mention in self.person_of)


# What part of one side is in the other: recall from key to response, precision the other way round.
_Measure: TypeAlias = Callable[[_Side, _Side], _Fraction]


def score_coreference(documents: Iterable[tuple[People, People]]) -> CoreferenceScore:
    """The scores over documents, each given as the people of the annotation and the people found.

    No mention may be of two people on the same side.
    """
    sides = [(_side(key), _side(response)) for key, response in documents]
    return CoreferenceScore(
        muc=_rates(_muc, sides),
        b_cubed=_rates(_b_cubed, sides),
        ceaf_e=_rates(_ceaf_e, sides),
        lea=_rates(_lea, sides),
        mentions=_rates(_mentions, sides),
        documents=len(sides),
    )


def _side(people: People) -> _Side:
    sets = tuple(frozenset(person) for person in people if person)
    person_of: dict[Hashable, int] = {}
    for number, person in enumerate(sets):
        for mention in person:
            if person_of.setdefault(mention, number) != number:
                raise ValueError(f"The mention {mention} is of two people. Give each mention to one person.")
    return _Side(sets, person_of)


def _rates(measure: _Measure, documents: Iterable[tuple[_Side, _Side]]) -> Rates:
    pairs = [(measure(key, response), measure(response, key)) for key, response in documents]
    recall = _quotient([recall for recall, _ in pairs])
    precision = _quotient([precision for _, precision in pairs])
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return Rates(precision=precision, recall=recall, f1=f1)


def _quotient(fractions: Collection[_Fraction]) -> float:
    """The summed parts in percent of the summed wholes; of nothing, 0."""
    whole = sum(fraction.whole for fraction in fractions)
    return 100 * sum(fraction.part for fraction in fractions) / whole if whole else 0.0


def _muc(one: _Side, other: _Side) -> _Fraction:
    """Links: |K| - 1 hold a person together, and one is missing for each further piece it falls into.

    sum_K (|K| - |pieces of K|) / sum_K (|K| - 1); a mention that was not found is a piece by itself.
    """
    kept = whole = 0
    for person in one.people:
        overlaps = other.overlaps(person)
        kept += overlaps.total() - len(overlaps)
        whole += len(person) - 1
    return _Fraction(kept, whole)


def _b_cubed(one: _Side, other: _Side) -> _Fraction:
    """Mentions: for each, the share of its person that is with it on the other side.

    sum_K sum_R |K & R|^2 / |K|, over the number of mentions.
    """
    part = sum(overlap**2 / len(person) for person in one.people for overlap in other.overlaps(person).values())
    return _Fraction(part, len(one.person_of))


def _ceaf_e(one: _Side, other: _Side) -> _Fraction:
    """People: each is matched with at most one of the other side so that the summed similarity is greatest.

    The similarity phi_4 = 2 |K & R| / (|K| + |R|); the sum is over the number of people.
    """
    similarity = np.zeros((len(one.people), len(other.people)))  # (K, R)
    for row, person in enumerate(one.people):
        for column, overlap in other.overlaps(person).items():
            similarity[row, column] = 2 * overlap / (len(person) + len(other.people[column]))
    matched = similarity[linear_sum_assignment(similarity, maximize=True)]
    return _Fraction(float(matched.sum()), len(one.people))


def _lea(one: _Side, other: _Side) -> _Fraction:
    """Resolved links, weighted by size: sum_K |K| * sum_R links(K & R) / links(K), over the number of mentions.

    n mentions have n (n - 1) / 2 links. A person of one mention has a single link, from
    the mention to itself, and the other side has it if the mention is alone there too.
    """
    part = 0.0
    for person in one.people:
        overlaps = other.overlaps(person)
        if len(person) == 1:
            part += any(len(other.people[number]) == 1 for number in overlaps)
        else:
            part += len(person) * sum(map(_links, overlaps.values())) / _links(len(person))
    return _Fraction(part, len(one.person_of))


def _links(mentions: int) -> float:
    return mentions * (mentions - 1) / 2


def _mentions(one: _Side, other: _Side) -> _Fraction:
    """Spans: the share that the other side has too."""
    return _Fraction(len(one.person_of.keys() & other.person_of.keys()), len(one.person_of))
