"""The reader of a model without a span head: the memory reads token by token, and its gates are grouped into people."""

from __future__ import annotations

from typing import TypeAlias

from torch import Tensor

from petra.log.memory_log import ReadBy
from petra.log.rows import empty_rows
from petra.memory.inference.text_reader import TextReader
from petra.memory.referential.text_reader import ReferentialTextReader
from petra.reading.by_token.grouping import Grouper
from petra.reading.reader import Reading
from petra.text.piece import Piece

MemoryReader: TypeAlias = TextReader | ReferentialTextReader  # the memory of either kind of model over one text


class ByTokenReader:
    """Reads one text token by token; ``threshold`` is the least probability of a gate that counts for people."""

    read_by: ReadBy = "token"

    def __init__(self, memory: MemoryReader, *, threshold: float) -> None:
        self.num_cells = memory.num_cells
        self._memory = memory
        self._grouper = Grouper(threshold)

    def feed(self, piece: Piece, features: Tensor) -> Reading:
        rows = self._memory.read(features)
        return Reading(self._grouper.feed(piece, rows), rows, [])

    def finish(self) -> Reading:
        return Reading(self._grouper.finish(), empty_rows(0, self.num_cells), [])
