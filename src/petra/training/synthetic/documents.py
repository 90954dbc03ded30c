"""Synthetic documents from a seed: patterns drawn in turn, each plan with its counterfactual twins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random

from petra.corpora.annotated import AnnotatedDocument
from petra.corpora.names import Names
from petra.training.synthetic.people import Casting
from petra.training.synthetic.plans import DocumentPlan, make_plan, patterns, realise, swapped, with_other_pronouns
from petra.training.synthetic.realising import Conventions

# How often a plan gets a third twin: set for singular they in 10 to 12 % of the documents, neopronouns in 2 to 3 %.
_OTHER_RATE_NOUN, _OTHER_RATE_NAME = 0.6, 0.3


def synthetic_documents(
    names: Names, count: int, seed: int, conventions: Conventions | None = None
) -> tuple[AnnotatedDocument, ...]:
    """Annotated documents of one to six sentences; the same seed makes the same ones.

    Each plan is written for he and for she, many also for singular they or neopronouns,
    so that no name form, noun or position tells the gender.
    """
    return tuple(islice(_documents(names, Random(seed), f"synthetic-{seed}", conventions), count))


def plans(names: Names, rng: Random, prefix: str) -> Iterator[DocumentPlan]:
    """Plans without end, each followed by its twins: every pattern once, then again in another order."""
    casting = Casting(names, rng)
    number = 0
    while True:
        for pattern in rng.sample(patterns(), len(patterns())):
            number += 1
            plan = make_plan(pattern, casting, rng, f"{prefix}-{number}-{pattern.category}")
            yield plan
            yield replace(swapped(plan), id=f"{plan.id}-swapped")
            rate = _OTHER_RATE_NOUN if plan.known_by_noun else _OTHER_RATE_NAME
            if rng.random() < rate and (other := with_other_pronouns(plan, rng)):
                yield replace(other, id=f"{plan.id}-other")


def _documents(names: Names, rng: Random, prefix: str, conventions: Conventions | None) -> Iterator[AnnotatedDocument]:
    written: set[str] = set()
    for plan in plans(names, rng, prefix):
        document = realise(plan, conventions)
        if document.text not in written:
            written.add(document.text)
            yield document
