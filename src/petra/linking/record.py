"""Records of linking: of each decision what a second pass needs, in a few numbers (``petra.consolidation``)."""

from __future__ import annotations

from typing import NamedTuple

from petra.linking.cues import Cues
from petra.linking.linker import Link

_MOST_RIVALS = 4


class LinkRecord(NamedTuple):
    """The decision on one mention: who was chosen, and who else might have been."""

    person: int  # the linker's number
    cues: Cues
    excludes: frozenset[int]  # people it cannot refer to
    shares: tuple[tuple[int, float], ...]  # of the softmax: the person chosen and the best others, highest first
    share_of_new: float  # of a new person

    @classmethod
    def of(cls, link: Link) -> LinkRecord:
        best = sorted(zip(link.candidates, link.shares.tolist(), strict=False), key=lambda item: -item[1])
        return cls(
            person=link.person,
            cues=link.mention.cues,
            excludes=link.mention.excludes,
            shares=tuple(best[: _MOST_RIVALS + 1]),
            share_of_new=float(link.shares[-1]),
        )
