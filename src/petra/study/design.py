"""Who judges what: documents drawn, dealt into sets, and the models of each in a random order.

The paper draws 50 documents without replacement and deals them into five sets of 10;
the same 50, shuffled, make another five sets. There is one annotator for each set, so
that every document is judged by two. For each document of a set the models are put
into an order of their own and shown as A and B.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from petra.errors import StudyError

LABELS: Final = "ABCDEFGH"  # what models are called before annotators
NEUTRAL: Final = "neutral"


@dataclass(frozen=True, kw_only=True, slots=True)
class Design:
    """How large a study is; the numbers are the paper's."""

    num_documents: int = 50  # drawn from those there are
    set_size: int = 10  # documents for one annotator; the last set of a round may be smaller
    rounds: int = 2  # how many annotators judge each document
    seed: int = 0

    def __post_init__(self) -> None:
        for name, words in (
            ("num_documents", "documents"),
            ("set_size", "documents in a set"),
            ("rounds", "rounds"),
        ):
            if getattr(self, name) < 1:
                raise StudyError(f"A study of {getattr(self, name)} {words} was asked for; choose 1 or more.")


PILOT: Final = Design(num_documents=4, set_size=4, rounds=2)  # two annotators, a quarter of an hour


@dataclass(frozen=True, slots=True)
class Task:
    """One document as one annotator sees it."""

    document: int  # its number among the study's documents, from 0
    order: tuple[int, ...]  # the models as they are shown: order[0] is called A

    @property
    def choices(self) -> tuple[str, ...]:
        """The answers there are."""
        return (*LABELS[: len(self.order)], NEUTRAL)

    def preferred(self, choice: str) -> int:
        """The number of the model that a choice is for; for neutral, the number of models."""
        return len(self.order) if choice == NEUTRAL else self.order[LABELS.index(choice)]


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """What one annotator judges."""

    round: int  # from 0; each round has every document once
    tasks: tuple[Task, ...]


def draw_documents(available: int, design: Design) -> tuple[int, ...]:
    """The numbers of the documents to be judged, in random order, none twice."""
    if available < design.num_documents:
        raise StudyError(
            f"A study of {design.num_documents} documents was asked for, and there are {available}. "
            "Ask for fewer, or give more documents."
        )
    return tuple(Random(f"documents {design.seed}").sample(range(available), design.num_documents))


def draw_pilot(available: int, design: Design) -> tuple[int, ...]:
    """The numbers of a pilot's documents: drawn from those that the study of a design leaves over."""
    drawn = set(draw_documents(available, design))
    rest = [number for number in range(available) if number not in drawn]
    if len(rest) < PILOT.num_documents:
        raise StudyError(
            f"A pilot takes {PILOT.num_documents} documents that the study does not, and of {available} there are "
            f"{len(rest)} left. Draw fewer with --draw, or give more documents."
        )
    return tuple(Random(f"pilot {design.seed}").sample(rest, PILOT.num_documents))


def deal_sets(num_models: int, design: Design) -> tuple[EvaluationSet, ...]:
    """The sets of all rounds; the first round has the documents in the order drawn."""
    if not 2 <= num_models <= len(LABELS):
        raise StudyError(f"A study compares 2 to {len(LABELS)} models, and there are {num_models}.")
    random = Random(f"sets {design.seed}")
    documents = list(range(design.num_documents))
    sets: list[EvaluationSet] = []
    for round_number in range(design.rounds):
        if round_number:
            random.shuffle(documents)
        for first in range(0, len(documents), design.set_size):
            dealt = documents[first : first + design.set_size]
            tasks = (Task(document, tuple(random.sample(range(num_models), num_models))) for document in dealt)
            sets.append(EvaluationSet(round_number, tuple(tasks)))
    return tuple(sets)
