"""The resolver: candidate spans become mentions, and each mention is linked to a person (docs/people.md).

Letters: t tokens of a piece, or those whose rows it completes, N cells, H hidden size.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Protocol

import numpy as np

from petra.domain import Event, Mention
from petra.errors import LogError
from petra.linking.context import Context
from petra.linking.linker import Link, Linker, Memory
from petra.linking.record import LinkRecord
from petra.linking.scorer import FeatureWeights
from petra.log.rows import Floats, empty_rows
from petra.mentions.choose import Candidates, ClusterReader, DetectedMention, ScoredSpan, choose
from petra.reading.reader import Reading
from petra.text.buffer import TokenBuffer
from petra.text.piece import Piece


class Watcher(Protocol):
    """A function called with every link as it is decided; people have the linker's numbers in it."""

    def __call__(self, event: Event, span: DetectedMention, link: Link) -> None: ...


class Resolver:
    """Finds people in a text that arrives in parts, by the candidates of a span head and a memory of people.

    ``threshold`` is the least probability of a mention, ``max_width`` the tokens of the
    widest candidate, ``weights`` those of the features of linking. What comes out does
    not depend on how the text was cut into parts. The resolver keeps the memory, and the
    text and tokens of a few times the widest span or of the quotation being read: the
    speaker may be named after it.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        threshold: float,
        max_width: int,
        weights: FeatureWeights,
        watcher: Watcher | None = None,
    ) -> None:
        self._memory = memory
        self._linker = Linker(memory, weights)
        self._clusters = ClusterReader(threshold, max_width)
        self._watcher = watcher
        self._context = Context()
        self._tokens = TokenBuffer()
        self._waiting: deque[list[ScoredSpan]] = deque()  # clusters in a quotation whose speaker may still be named
        self._ids: dict[int, int] = {}  # person of the linker -> id, in order of first mention
        self._num_people = 0

    def feed(self, piece: Piece, *, hidden: Floats, candidates: Candidates) -> Reading:
        """Read on: the next piece of the text, h_t (t, H) of its tokens, and all candidates that end in them.

        Candidates are numbered from the start of the whole text.
        """
        self._context.feed(piece.text)
        text, starts, ends = self._context.text, piece.starts, piece.ends
        if len(starts) and not (text.start <= starts[0] and ends[-1] <= text.end):
            raise LogError(
                f"Tokens at {starts[0]}..{ends[-1]} were fed, with text for {text.start}..{text.end}. "
                "Feed the tokens in order, and the text that they cover with them or before."
            )
        self._tokens.append(starts, ends, hidden)
        return self._settle(self._clusters.read(self._tokens.end, candidates))

    def finish(self) -> Reading:
        """What can be decided only at the end of the text."""
        self._context.finish()
        return self._settle(self._clusters.finish(self._tokens.end))

    def _settle(self, clusters: Iterable[list[ScoredSpan]]) -> Reading:
        self._waiting.extend(clusters)
        ready = self._ready()
        first, settled = self._tokens.first, min(self._clusters.settled, self._tokens.end)
        if self._waiting:
            settled = self._waiting[0][0].first
        rows = empty_rows(settled - first, self._memory.num_cells)
        events: list[Event] = []
        records: list[LinkRecord] = []
        heads: list[int] = []
        last_used = [self._memory.last_used]  # before the first head, and from each head on
        for cluster in ready:
            decided: list[tuple[DetectedMention, Link]] = []
            self._context.pass_over(self._tokens.start_of(cluster[0].first))
            for span in choose(cluster, self._context.text, self._tokens):
                link = self._linker.link(
                    self._context.of(span, span.gender), self._tokens.hidden_of(span.head), span.head
                )
                self._context.commit(span, link.person)
                decided.append((span, link))
                row = span.head - first
                rows.mention_prob[row] = span.probability
                rows.coref_prob[row] = span.probability * link.coref_prob
                rows.overwrite_prob[row] = span.probability * link.overwrite_prob
                heads.append(span.head)
                last_used.append(self._memory.last_used)
            for event, link in self._events(decided):
                events.append(event)
                records.append(LinkRecord.of(link))
        tokens = np.arange(first, settled)
        rows.usage[:] = self._memory.usage(tokens, np.stack(last_used)[np.searchsorted(heads, tokens, side="right")])
        self._forget(settled)
        return Reading(events, rows, records)

    def _ready(self) -> list[list[ScoredSpan]]:
        """The clusters whose speaker is known, or will not be named any more."""
        ready = []
        while self._waiting:
            end = self._tokens.end_of(max(candidate.last for candidate in self._waiting[0]))
            if end > self._context.settled:
                break
            ready.append(self._waiting.popleft())
        return ready

    def _events(self, decided: Iterable[tuple[DetectedMention, Link]]) -> Iterator[tuple[Event, Link]]:
        """The events of a cluster, in text order; the outer of two mentions that begin together comes last."""
        for span, link in sorted(decided, key=lambda item: (item[0].start, item[0].end)):
            is_new = link.person not in self._ids
            self._num_people += is_new
            mention = Mention(
                start=span.start,
                end=span.end,
                text=self._context.text.slice(span.start, span.end),
                kind=span.kind,
                probability=span.probability * link.share,
            )
            event = Event(self._ids.setdefault(link.person, self._num_people), mention, is_new=is_new)
            if self._watcher is not None:
                self._watcher(event, span, link)
            yield event, link
        if len(self._ids) > self._linker.num_people:  # nobody dropped from memory is mentioned again
            self._ids = {person: number for person, number in self._ids.items() if self._linker.knows(person)}

    def _forget(self, settled: int) -> None:
        """Drop the tokens before one, and their text."""
        if settled < self._tokens.end:
            place = self._tokens.start_of(settled)
        elif settled > self._tokens.first:
            place = self._tokens.end_of(settled - 1)
        else:
            return
        self._tokens.forget_before(settled)
        self._context.forget_before(place)
