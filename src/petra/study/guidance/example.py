"""The worked example that annotators see before their first document: a text, two logs, and what to see in them."""

from __future__ import annotations

import re
from typing import Final, Literal

import numpy as np

from petra.log.memory_log import MemoryLog

EXAMPLE_TEXT: Final = (
    "Clara Whitfield wrote to her brother Edgar when she reached Genoa. He did not answer, and in spring she sold the "
    "boat without him."
)
EXAMPLE_REMARKS: Final = (
    "Model A finds every reference. Clara, her, she and she go with cell 1; Edgar, He and him with cell 2: one person, "
    "one cell.",
    "Model B puts Edgar into cell 1, where Clara already is, begins a new person in cell 3 at He, who is Edgar, and "
    "does not find him at the end.",
    "So the answer is Model A. If both had missed about as much, it would be Neutral.",
)
_CELLS: Final = 3

_Gate = tuple[str, int, Literal["OW", "CR"], float]  # the next token of a spelling, the cell from 0, the row, the value
_GOOD: Final[tuple[_Gate, ...]] = (
    ("Clara", 0, "OW", 0.96),
    ("Whitfield", 0, "CR", 0.93),
    ("her", 0, "CR", 0.94),
    ("brother", 1, "OW", 0.71),
    ("Edgar", 1, "CR", 0.88),
    ("she", 0, "CR", 0.95),
    ("He", 1, "CR", 0.91),
    ("she", 0, "CR", 0.92),
    ("him", 1, "CR", 0.86),
)
_BAD: Final[tuple[_Gate, ...]] = (
    ("Clara", 0, "OW", 0.94),
    ("Whitfield", 0, "CR", 0.9),
    ("her", 0, "CR", 0.83),
    ("Edgar", 0, "CR", 0.64),
    ("she", 0, "CR", 0.9),
    ("He", 2, "OW", 0.78),
    ("she", 0, "CR", 0.85),
    ("him", 1, "OW", 0.07),
)


def example_logs() -> tuple[MemoryLog, MemoryLog]:
    """The log of the model that does better, and that of the other."""
    return _log(_GOOD), _log(_BAD)


def _log(gates: tuple[_Gate, ...]) -> MemoryLog:
    tokens = list(re.finditer(r"\w+|[^\w\s]", EXAMPLE_TEXT))
    spellings = [token.group() for token in tokens]
    overwrite, coref = np.zeros((2, len(tokens), _CELLS), dtype=np.float32)
    at = -1
    for spelling, cell, row, value in gates:
        at = spellings.index(spelling, at + 1)
        (overwrite if row == "OW" else coref)[at, cell] = value
    return MemoryLog(
        text=EXAMPLE_TEXT,
        model="example",
        threshold=0.5,
        starts=np.array([token.start() for token in tokens], dtype=np.int64),
        ends=np.array([token.end() for token in tokens], dtype=np.int64),
        words=np.arange(len(tokens), dtype=np.int64),
        mention_prob=(overwrite + coref).sum(axis=1),
        coref_prob=coref,
        overwrite_prob=overwrite,
        usage=np.zeros_like(coref),
    )
