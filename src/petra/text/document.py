"""A text and its tokens.

Letters: T tokens of the document.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Document:
    """A text with its word pieces; offsets are code points of the text as given.

    Special tokens are no part of a document: ``text[starts[t]:ends[t]]`` is what
    token t covers, and tokens of one word share its number in ``words``.
    """

    text: str
    token_ids: NDArray[np.int64]  # (T,)
    starts: NDArray[np.int64]  # (T,) half-open character ranges
    ends: NDArray[np.int64]  # (T,)
    words: NDArray[np.int64]  # (T,) number of the word, rising from 0

    def __len__(self) -> int:
        return len(self.token_ids)

    def tokens_in(self, start: int, end: int) -> range:
        """The tokens that overlap the characters start..end."""
        first = int(np.searchsorted(self.ends, start, side="right"))
        last = int(np.searchsorted(self.starts, end, side="left"))
        return range(first, max(first, last))
