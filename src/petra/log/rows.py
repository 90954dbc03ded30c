"""Rows of a memory log: the gates of consecutive tokens.

Letters: t consecutive tokens, N cells.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


class LogRows(NamedTuple):
    """The gates of consecutive tokens, as a memory log stores them.

    Read mention by mention, e_t is the mention's probability at its head token, and c_t
    and o_t are e_t times the shares of the candidates; at all other tokens they are 0.
    """

    mention_prob: Floats  # e_t    (t,)
    coref_prob: Floats  # c_t^i  (t, N)
    overwrite_prob: Floats  # o_t^i  (t, N)
    usage: Floats  # u_t^i  (t, N), after token t

    def followed_by(self, later: LogRows) -> LogRows:
        """These rows and those of the tokens after them."""
        return LogRows(*map(np.concatenate, zip(self, later, strict=True)))


def empty_rows(tokens: int, cells: int) -> LogRows:
    """Rows of so many tokens on which nothing was decided, with no cell in use."""
    by_cell = (np.zeros((tokens, cells), dtype=np.float32) for _ in range(3))
    return LogRows(np.zeros(tokens, dtype=np.float32), *by_cell)
