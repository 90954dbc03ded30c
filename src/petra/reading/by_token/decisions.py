"""Decisions: the tokens at which a gate of the memory reaches the threshold.

Letters: T tokens, N cells.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Decision(NamedTuple):
    """The strongest gate on one token, and the cells written there."""

    cell: int
    is_new: bool  # the gate is an overwrite o_t^i; else a coreference c_t^i
    strength: float  # the gate's value
    probability: float  # o_t^i + c_t^i of that cell: the token belongs to whoever is in it
    overwritten: tuple[int, ...]  # every cell whose overwrite reaches the threshold


def decide(
    coref_prob: NDArray[np.float32], overwrite_prob: NDArray[np.float32], threshold: float
) -> dict[int, Decision]:
    """The decision on each token whose strongest gate reaches the threshold, by the token's row.

    Of equally strong gates a coreference goes before an overwrite, then the lower cell.
    """
    num_cells = coref_prob.shape[1]
    least = np.float32(threshold)  # in the gates' own precision: a gate of 0.7 reaches 0.7
    gates = np.concatenate([coref_prob, overwrite_prob], axis=1)  # (T, 2N)
    strongest = gates.argmax(axis=1)  # (T,)
    found = np.flatnonzero(gates.max(axis=1) >= least)
    decisions: dict[int, Decision] = {}
    for row in found.tolist():
        is_new, cell = divmod(int(strongest[row]), num_cells)
        decisions[row] = Decision(
            cell=cell,
            is_new=bool(is_new),
            strength=float(gates[row, strongest[row]]),
            probability=min(1.0, float(coref_prob[row, cell]) + float(overwrite_prob[row, cell])),
            overwritten=tuple(np.flatnonzero(overwrite_prob[row] >= least).tolist()),
        )
    return decisions
