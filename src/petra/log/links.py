"""The coreference link between two tokens of a log (paper, section "Coreference Link Probability").

Letters: T tokens, N cells.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from petra.errors import LogError


class Links:
    """P_CL of any two tokens of one reading, each pair in O(N).

    P_CL(t1, t2) = sum_i (o_t1^i + c_t1^i) * prod_{j = t1+1 .. t2} (1 - o_j^i) * c_t2^i

    The product over j is the difference of two running sums of log(1 - o), which
    neither underflows nor slows down with the distance. An overwrite of exactly 1
    has no logarithm; those are counted separately, and one between two tokens makes
    the probability of a link through that cell 0.
    """

    def __init__(self, coref_prob: NDArray[np.float32], overwrite_prob: NDArray[np.float32]) -> None:
        self._coref_prob = coref_prob  # (T, N)
        self._overwrite_prob = overwrite_prob  # (T, N)
        certain = overwrite_prob >= 1
        steps = np.log1p(-np.where(certain, 0.0, overwrite_prob.astype(np.float64)))
        # Inclusive sums: row t2 less row t1 is the sum over t1+1 .. t2.
        self._log_kept = np.cumsum(steps, axis=0)  # (T, N)
        self._times_wiped = np.cumsum(certain, axis=0, dtype=np.int32)  # (T, N)

    def between(self, first: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
        """P_CL of tokens ``first`` and ``second``: numbers, or arrays that broadcast.

        The tokens of a pair may come in either order: the earlier one is t1.
        """
        one, other = np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)
        earlier, later = np.minimum(one, other), np.maximum(one, other)
        num_tokens = len(self._coref_prob)
        if earlier.size and (earlier.min() < 0 or later.max() >= num_tokens):
            raise LogError(
                f"Tokens {earlier.min()} to {later.max()} were asked for; the log holds {num_tokens}, numbered from 0."
            )
        kept = np.exp(self._log_kept[later] - self._log_kept[earlier])  # (..., N)
        kept *= self._times_wiped[later] == self._times_wiped[earlier]
        held = self._overwrite_prob[earlier].astype(np.float64) + self._coref_prob[earlier]
        links: NDArray[np.float64] = (held * kept * self._coref_prob[later]).sum(axis=-1)
        return np.minimum(links, 1.0)  # float32 gates may add up to a hair more than 1

    def between_spans(self, first: range, second: range) -> float:
        """P_CL of two runs of tokens: the largest over their token pairs (paper, section "Inference")."""
        return max(float(self.between(token, np.arange(second.start, second.stop)).max()) for token in first)
