"""Who is present where: the mentions of a person along the length of a text, counted in equal parts of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

BINS = 240  # parts of the text
HEIGHT = 12  # of the highest bar
_LEAST = 4  # of any bar


@dataclass(frozen=True, slots=True, eq=False)
class Timeline:
    """How often people are mentioned in each part of a text."""

    counts: tuple[NDArray[np.int64], ...]  # (BINS,) of each person
    most: int  # the largest of all
    width: int = BINS
    height: int = HEIGHT

    def bars(self, person: int) -> str:
        """The bars of a person, by their place among people, as an SVG path in a box of BINS x HEIGHT."""
        counts = self.counts[person]
        # By the root, so that a few mentions are seen beside many.
        heights = (ceil(_LEAST + (HEIGHT - _LEAST) * sqrt(count / self.most)) for count in counts[counts > 0].tolist())
        places = np.flatnonzero(counts).tolist()
        return "".join(
            f"M{place} {HEIGHT}v-{height}h1v{height}z" for place, height in zip(places, heights, strict=True)
        )

    def parts(self, person: int) -> int:
        """In how many parts a person is mentioned."""
        return int((self.counts[person] > 0).sum())


def make_timeline(starts: Iterable[Sequence[int]], length: int) -> Timeline:
    """The timeline of people, given where in a text of some length the mentions of each begin."""
    counts = tuple(
        np.bincount(np.asarray(places, dtype=np.int64) * BINS // max(length, 1), minlength=BINS) for places in starts
    )
    return Timeline(counts, max((int(count.max()) for count in counts), default=0))
