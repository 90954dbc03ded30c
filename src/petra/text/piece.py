"""A piece of a text that arrives in parts, and the tokens that are known with it.

Letters: t tokens of the piece.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Piece(NamedTuple):
    """The next part of a text, and tokens that lie in the text so far.

    Offsets and words count from the start of the whole text. Text may come before its
    tokens, and tokens come in order.
    """

    text: str
    starts: NDArray[np.int64]  # (t,) half-open character ranges
    ends: NDArray[np.int64]  # (t,)
    words: NDArray[np.int64]  # (t,) number of the token's word
