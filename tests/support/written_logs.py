"""Memory logs from a little script: a text, and what the memory decides on some of its tokens.

    written_log(
        "Jane met Tom. She smiled.",
        ("Jane", 0, "new"),
        ("Tom", 1, "new", 0.8),
        ("She", 0, "same"),
    )

Tokens are what BERT's tokenizer makes of a text before it looks for word pieces: runs
of letters and digits, and each other character on its own. A mark is for the next token
of that spelling; a mark for "" is one more gate on the same token. All other gates are 0.

    read_by_mention(
        "Emma's father smiled. He left.",
        ("Emma", "Emma", 1, {"new": 0}),
        ("Emma's father", "father", 2, {"new": 1}),
        ("He", "He", 2, {"same": 1, "new": 2}),
    )

is the log of a model with a span head: the words of a mention, its head word, the person,
and the cells with a gate, which have 0.9 in all.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal

import numpy as np

from petra.log.memory_log import MemoryLog
from petra.log.mentions import LoggedMention, LogMentions

Gate = Literal["new", "same"]
Mark = tuple[str, int, Literal["new", "same"]] | tuple[str, int, Literal["new", "same"], float]


def written_log(text: str, *marks: Mark, cells: int = 4, threshold: float = 0.5) -> MemoryLog:
    """The log of a text with a gate of 0.9, or as given, for each mark."""
    tokens = list(re.finditer(r"[^\W_]+|[^\w\s]|_", text))
    coref, overwrite = np.zeros((2, len(tokens), cells), dtype=np.float32)
    at = -1
    for spelling, cell, gate, *given in marks:
        if spelling:
            at = next(place for place in range(at + 1, len(tokens)) if tokens[place].group() == spelling)
        (overwrite if gate == "new" else coref)[at, cell] = given[0] if given else 0.9
    return MemoryLog(
        text=text,
        model="by hand",
        threshold=threshold,
        starts=np.array([token.start() for token in tokens], dtype=np.int64),
        ends=np.array([token.end() for token in tokens], dtype=np.int64),
        words=np.arange(len(tokens), dtype=np.int64),
        mention_prob=np.minimum((coref + overwrite).sum(axis=1), np.float32(1)),
        coref_prob=coref,
        overwrite_prob=overwrite,
        usage=np.zeros_like(coref),
    )


def read_by_mention(
    text: str, *mentions: tuple[str, str, int, dict[Gate, int]], cells: int = 4, threshold: float = 0.5
) -> MemoryLog:
    """The log of a text read mention by mention, its mentions given in text order; all are names."""
    log = written_log(text, cells=cells, threshold=threshold)
    logged = []
    at = 0
    for words, head, person, gates in mentions:
        at = text.index(words, at)
        place = text.index(head, at) + len(head)
        token = int(np.searchsorted(log.starts, place)) - 1
        log.mention_prob[token] = 0.9
        for gate, cell in gates.items():
            (log.overwrite_prob if gate == "new" else log.coref_prob)[token, cell] = 0.9 / len(gates)
        logged.append(LoggedMention(at, at + len(words), "name", token, person, 0.9 / len(gates)))
    return replace(log, read_by="mention", mentions=LogMentions.of(logged))
