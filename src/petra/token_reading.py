"""From features to people, for a model without a span head: people are made of the log of a memory read token by token.

Letters: t tokens of a piece, D features of a token.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from petra.memory.reading import TextReader
from petra.memory.referential_reading import ReferentialTextReader
from petra.people.grouping import PeopleReader
from petra.people.reading import LogRows, Reading, no_rows

Reader: TypeAlias = TextReader | ReferentialTextReader  # of one text, by the memory of either kind of model


class TokenTextReader:
    """Reads one text token by token; the pieces it is fed in do not matter.

    ``threshold`` is the least probability of a gate that counts when people are found.
    """

    def __init__(self, reader: Reader, *, threshold: float) -> None:
        self.num_cells = reader.num_cells
        self._reader = reader
        self._people = PeopleReader(threshold)

    def feed(
        self,
        text: str,
        *,
        starts: NDArray[np.int64],
        ends: NDArray[np.int64],
        words: NDArray[np.int64],
        features: Tensor,
    ) -> Reading:
        """Read on: the next part of the text, and tokens that lie in the text so far with their features (t, D).

        Offsets and words count from the start of the whole text. Text may be fed before its tokens.
        """
        rows = self._reader.read(features)
        events = self._people.feed(
            text,
            starts=starts,
            ends=ends,
            words=words,
            coref_prob=rows.coref_prob,
            overwrite_prob=rows.overwrite_prob,
        )
        return Reading(events, LogRows(*rows))

    def finish(self) -> Reading:
        """What only the end of the text settles."""
        return Reading(self._people.finish(), no_rows(0, self.num_cells))
