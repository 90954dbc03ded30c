"""Reading a whole document: the memory log that comes out holds the mentions of its people.

Letters: T tokens of the document, t of a piece, D features of a token, N cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from torch import Tensor

from petra.consolidation.consolidate import consolidate
from petra.domain import Event
from petra.english.heads import head_span
from petra.linking.record import LinkRecord
from petra.log.memory_log import MemoryLog, ReadBy
from petra.log.mentions import LoggedMention, LogMentions, numbered
from petra.log.rows import LogRows
from petra.reading.by_token.reader import MemoryReader
from petra.reading.reader import Reader, finite
from petra.runtime.progress import Report, silent
from petra.text.document import Document
from petra.text.piece import Piece


def read_gates(
    document: Document, features: Iterable[Tensor], memory: MemoryReader, *, model: str, threshold: float
) -> MemoryLog:
    """Read a document token by token: the log of its gates, without mentions. Features (t, D) come piece by piece."""
    gates = _stacked(document, (memory.read(finite(piece)) for piece in features), memory.num_cells)
    return _log(document, gates, model=model, threshold=threshold)


def read_document(
    document: Document,
    features: Iterable[Tensor],
    reader: Reader,
    *,
    model: str,
    threshold: float,
    report: Report = silent,
) -> MemoryLog:
    """Read a document: its log, with the mentions of its people; ``report`` is called with the number of tokens read.

    What was read mention by mention is consolidated in a second pass. Besides what is
    returned and a record of each mention, a long document needs no more memory than a short one.
    """
    events: list[Event] = []
    records: list[LinkRecord] = []

    def rows() -> Iterator[LogRows]:
        done = 0
        for piece, features_of_piece in pieces(document, features):
            reading = reader.feed(piece, features_of_piece)
            events.extend(reading.events)
            records.extend(reading.records)
            yield reading.rows
            done += len(piece.starts)
            report(done, len(document))
        last = reader.finish()
        events.extend(last.events)
        records.extend(last.records)
        yield last.rows

    gates = _stacked(document, rows(), reader.num_cells)
    logged = _logged(document, events)
    if reader.read_by == "mention":
        people = consolidate(document.text, events, records)
        logged = list(
            numbered(
                mention._replace(person=person, read_as=mention.person)
                for mention, person in zip(logged, people, strict=True)
            )
        )
    mentions = LogMentions.of(logged)
    return _log(document, gates, model=model, threshold=threshold, read_by=reader.read_by, mentions=mentions)


def pieces(document: Document, features: Iterable[Tensor]) -> Iterator[tuple[Piece, Tensor]]:
    """Cut a document into the pieces that its features (t, D) come in."""
    done = place = 0  # tokens and characters so far
    for rows in features:
        tokens = slice(done, done + len(rows))
        done += len(rows)
        reach = len(document.text) if done == len(document) else int(document.ends[done - 1])
        text = document.text[place:reach]
        yield Piece(text, document.starts[tokens], document.ends[tokens], document.words[tokens]), finite(rows)
        place = max(place, reach)


def _logged(document: Document, events: Sequence[Event]) -> list[LoggedMention]:
    ends_of_heads = [event.mention.start + head_span(event.mention.text)[1] for event in events]
    heads = np.searchsorted(document.starts, np.array(ends_of_heads, dtype=np.int64)) - 1  # token that ends the head
    return [
        LoggedMention(it.start, it.end, it.kind, head, event.person_id, it.probability)
        for event, head in zip(events, heads.tolist(), strict=True)
        for it in (event.mention,)
    ]


def _stacked(document: Document, rows: Iterable[LogRows], cells: int) -> LogRows:
    """Stack rows that come in the order of the tokens into the rows of the whole document."""
    gates = LogRows(
        np.empty(len(document), dtype=np.float32),
        *(np.empty((len(document), cells), dtype=np.float32) for _ in range(3)),
    )
    done = 0
    for part in rows:
        for whole, values in zip(gates, part, strict=True):
            whole[done : done + len(values)] = values
        done += len(part.mention_prob)
    return gates


def _log(
    document: Document,
    gates: LogRows,
    *,
    model: str,
    threshold: float,
    read_by: ReadBy = "token",
    mentions: LogMentions | None = None,
) -> MemoryLog:
    return MemoryLog(
        text=document.text,
        model=model,
        threshold=threshold,
        starts=document.starts,
        ends=document.ends,
        words=document.words,
        read_by=read_by,
        mentions=mentions,
        **gates._asdict(),
    )
