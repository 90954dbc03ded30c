"""Memory logs written by hand."""

from __future__ import annotations

import re

import numpy as np

from petra.corpora.gap import GapInstance
from petra.log.memory_log import MemoryLog


def log_of(instance: GapInstance, a_link: float, b_link: float, new_prob: float = 1.0) -> MemoryLog:
    """A log with one token per word, in which A keeps cell 0 and B cell 1.

    The first word of each name is written to its cell with probability ``new_prob``,
    the rest of the name follows it, and the pronoun goes to A and B with ``a_link`` and
    ``b_link``. P_CL of a name and the pronoun is the larger of new_prob and the 1 of a
    later word of the name, times the pronoun's share: a_link for A, b_link for B.
    """
    words = list(re.finditer(r"\w+|[^\w\s]", instance.text))
    starts = np.array([word.start() for word in words])
    coref, overwrite = np.zeros((2, len(words), 2), dtype=np.float32)
    for cell, name in enumerate((instance.a, instance.b)):
        inside = (starts >= name.start) & (starts < name.end)
        coref[inside, cell] = 1
        coref[starts == name.start, cell] = 0
        overwrite[starts == name.start, cell] = new_prob
    coref[starts == instance.pronoun.start] = [a_link, b_link]
    return MemoryLog(
        text=instance.text,
        model="by-hand",
        threshold=0.5,
        starts=starts,
        ends=np.array([word.end() for word in words]),
        words=np.arange(len(words)),
        mention_prob=(coref + overwrite).sum(axis=1),
        coref_prob=coref,
        overwrite_prob=overwrite,
        usage=np.zeros_like(coref),
    )
