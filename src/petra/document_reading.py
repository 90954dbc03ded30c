"""A whole document read: its memory log and, where they are asked for, its people.

Letters: T tokens of the document, t of a piece, D features of a token, N cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from petra.encoder.progress import Report, silent
from petra.log.memory_log import MemoryLog
from petra.people.grouping import Event, Person, collect
from petra.people.reading import LogRows
from petra.streaming import PeopleOfText
from petra.text.document import Document
from petra.token_reading import Reader

_ROWS = ("mention_prob", "coref_prob", "overwrite_prob", "usage")


def read_log(
    document: Document, features: Iterable[Tensor], reader: Reader, *, model: str, threshold: float
) -> MemoryLog:
    """The memory log of a document whose features (t, D) come piece by piece, read token by token."""
    rows = (LogRows(*reader.read(piece)) for piece in features)
    return _log(document, rows, reader.num_cells, model=model, threshold=threshold)


def read_document(
    document: Document,
    features: Iterable[Tensor],
    reader: PeopleOfText,
    *,
    model: str,
    threshold: float,
    report: Report = silent,
) -> tuple[MemoryLog, tuple[Person, ...]]:
    """The log and the people of a document; report is told of tokens read.

    Besides what is returned, a long document needs no more memory than a short one.
    """
    events: list[Event] = []

    def rows() -> Iterator[LogRows]:
        done = place = 0  # tokens and characters read
        for piece in features:
            tokens = slice(done, done + len(piece))
            done += len(piece)
            reach = len(document.text) if done == len(document) else int(document.ends[done - 1])
            reading = reader.feed(
                document.text[place:reach],
                starts=document.starts[tokens],
                ends=document.ends[tokens],
                words=document.words[tokens],
                features=piece,
            )
            place = max(place, reach)
            events.extend(reading.events)
            yield reading.rows
            report(done, len(document))
        last = reader.finish()
        events.extend(last.events)
        yield last.rows

    log = _log(document, rows(), reader.num_cells, model=model, threshold=threshold)
    return log, collect(events)


def _log(document: Document, rows: Iterable[LogRows], cells: int, *, model: str, threshold: float) -> MemoryLog:
    """The log of a document, from rows that come in the order of its tokens."""
    gates: dict[str, NDArray[np.float32]] = {
        name: np.empty((len(document), *([] if name == "mention_prob" else [cells])), dtype=np.float32)
        for name in _ROWS
    }
    done = 0
    for part in rows:
        for name, values in part._asdict().items():
            gates[name][done : done + len(values)] = values
        done += len(part.mention_prob)
    return MemoryLog(
        text=document.text,
        model=model,
        threshold=threshold,
        starts=document.starts,
        ends=document.ends,
        words=document.words,
        **gates,
    )
