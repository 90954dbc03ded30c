"""Counting: the number of people of a log by the paper's rule (section "Inference", counting unique people).

Letters: T tokens, N cells, A thresholds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from petra.log.memory_log import MemoryLog


def count_people(log: MemoryLog, thresholds: ArrayLike) -> NDArray[np.int64]:
    """The number of overwrites of at least each threshold alpha, (A,).

    # unique people = sum_t sum_i 1[o_t^i >= alpha]

    This counts decisions, not persons as ``find_people`` groups them: a name whose
    words each open a cell counts once per word here.
    """
    overwrites = np.sort(log.overwrite_prob, axis=None)  # (T * N,), rising
    # In the log's own precision, so that a gate of 0.7 counts at the threshold 0.7.
    wanted = np.asarray(thresholds, dtype=overwrites.dtype)
    below = np.searchsorted(overwrites, wanted, side="left")
    return np.asarray(overwrites.size - below, dtype=np.int64)
