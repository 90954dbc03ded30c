"""How many documents a study needs: what tells one share of preferences from another.

Of two models each answer prefers one, or is neutral. Neutral answers do not count, and
answers to one document go together, so that two of them say less than two of different ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt
from statistics import NormalDist
from typing import Final

from petra.errors import StudyError

# Neutral answers in the paper's study, and how far its two annotators of a document agree beyond chance: 68 % agree,
# where answers of 74, 8 and 18 % would by chance in 0.74^2 + 0.08^2 + 0.18^2 = 58.6 %.
PAPER_NEUTRAL: Final = 0.18
PAPER_CORRELATION: Final = (0.68 - 0.5864) / (1 - 0.5864)


@dataclass(frozen=True, kw_only=True, slots=True)
class Power:
    """What a study needs to tell two shares apart."""

    answers: int  # that prefer a model, were all of different documents
    documents: int
    annotators: int


def answers_needed(share: float, other: float = 0.5, *, power: float = 0.8, level: float = 0.05) -> int:
    """How many independent answers tell a share from another, tested two-sided at a level.

    n = ((z_level/2 sqrt(q (1 - q)) + z_power sqrt(p (1 - p))) / (p - q))^2, the normal approximation
    for p, the share expected, against q, the share to be told from.
    """
    for name, value in (("share", share), ("other share", other), ("power", power), ("level", level)):
        if not 0 < value < 1:
            raise StudyError(f"The {name} is {value}; it must be between 0 and 1, without them.")
    if share == other:
        raise StudyError(f"No study tells {share} from itself. Give two different shares.")
    normal = NormalDist()
    reach = normal.inv_cdf(1 - level / 2) * sqrt(other * (1 - other)) + normal.inv_cdf(power) * sqrt(
        share * (1 - share)
    )
    return ceil((reach / (share - other)) ** 2)


def documents_needed(
    share: float,
    other: float = 0.5,
    *,
    rounds: int = 2,
    set_size: int = 10,
    neutral: float = PAPER_NEUTRAL,
    correlation: float = PAPER_CORRELATION,
    power: float = 0.8,
    level: float = 0.05,
) -> Power:
    """How many documents and annotators a study needs in which each document gets ``rounds`` answers.

    Answers to one document, correlated by rho, count for 1 / (1 + (rounds - 1) rho) each.
    """
    if rounds < 1 or set_size < 1:
        raise StudyError(f"{rounds} rounds of sets of {set_size} were asked for; choose 1 or more of both.")
    if not (0 <= neutral < 1 and 0 <= correlation <= 1):
        raise StudyError(f"The neutral share is {neutral} and the correlation {correlation}; give shares from 0 to 1.")
    answers = answers_needed(share, other, power=power, level=level)
    effect = 1 + (rounds - 1) * correlation
    documents = ceil(answers * effect / (rounds * (1 - neutral)))
    return Power(answers=answers, documents=documents, annotators=rounds * ceil(documents / set_size))
