"""The resolver: candidate spans become mentions, which are linked; the log says what was decided (docs/people.md).

Letters: t tokens of a piece or settled by it, N cells, H hidden size.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from petra.domain import Event, Mention
from petra.english.other_names import LONGEST, calls_oneself, gives_other_name
from petra.english.quotations import Quotations
from petra.errors import LogError
from petra.linking.cues import read_cues
from petra.linking.features import Weights
from petra.linking.linker import Floats, Link, Linker, Memory
from petra.log.rows import empty_rows
from petra.mentions.choose import Candidate, Candidates, ClusterReader, Span, choose
from petra.reading.reader import Reading
from petra.text.buffer import TextBuffer, TokenBuffer
from petra.text.piece import Piece

DEFAULT_WEIGHTS = Weights()
_CONTEXT = LONGEST  # characters before a mention, that tell whether somebody is called by it, joined or described
_BEFORE_CALL = ",;!?.—–-“”\"‘'"
_AFTER_CALL = ",;!?.—–-”\"’'"
_AND = re.compile(r"\s(?:and|or|nor|&)\s")  # alone between two mentions: no longer than the context
_INDEFINITE = re.compile(r"an?\s", re.IGNORECASE)
_COPULA = re.compile(r",?\s(?:am|is|are|was|were|became|becomes)\s")
_COMMA = re.compile(r",\s{1,2}")
_AFTER_APPOSITION = re.compile(r"[,.;:)—–](?!\s(?:and|or|nor|&)\s)")  # after that comma a list goes on
_LONGEST_AFTER = 6  # characters that tell of it
_APOSTROPHES = ("'", "’")
_LATEST = 4  # mentions, among which is the one before an "and" or a comma


class _Latest(NamedTuple):
    """A mention that was just read."""

    end: int
    text: str
    kind: str
    person: int


class Resolver:
    """Finds people in a text that arrives bit by bit, by the candidates of a span head and a memory of people.

    ``threshold`` is the least probability of a mention, ``max_width`` the tokens of the
    widest candidate. What comes out does not depend on how the text was portioned; what
    is kept is the memory, and the text and tokens of a few times the widest span or of
    the quotation being read, whose speaker may be told after it.
    """

    def __init__(self, memory: Memory, *, threshold: float, max_width: int, weights: Weights = DEFAULT_WEIGHTS) -> None:
        self._memory = memory
        self._linker = Linker(memory, weights)
        self._clusters = ClusterReader(threshold, max_width)
        self._text = TextBuffer()
        self._tokens = TokenBuffer()
        self._quotations = Quotations()
        self._waiting: deque[list[Candidate]] = deque()  # clusters in a quotation whose speaker may still be told
        self._latest: deque[_Latest] = deque(maxlen=_LATEST)
        self._ids: dict[int, int] = {}  # person of the linker -> id, in order of first mention
        self._num_people = 0

    def feed(self, piece: Piece, *, hidden: Floats, candidates: Candidates) -> Reading:
        """Read on: the next piece of the text, h_t (t, H) of its tokens, and all candidates that end in them.

        Candidates are numbered from the start of the whole text.
        """
        self._text.append(piece.text)
        self._quotations.feed(piece.text)
        starts, ends = piece.starts, piece.ends
        if len(starts) and not (self._text.start <= starts[0] and ends[-1] <= self._text.end):
            raise LogError(
                f"Tokens at {starts[0]}..{ends[-1]} were fed, with text for {self._text.start}..{self._text.end}. "
                "Feed the tokens in order, and the text that they cover with them or before."
            )
        self._tokens.append(starts, ends, hidden)
        return self._settle(self._clusters.read(self._tokens.end, candidates))

    def finish(self) -> Reading:
        """What only the end of the text settles."""
        self._quotations.finish()
        return self._settle(self._clusters.finish(self._tokens.end))

    def _settle(self, clusters: Iterable[list[Candidate]]) -> Reading:
        self._waiting.extend(clusters)
        ready = self._ready()
        first, settled = self._tokens.first, min(self._clusters.settled, self._tokens.end)
        if self._waiting:
            settled = self._waiting[0][0].first
        rows = empty_rows(settled - first, self._memory.num_cells)
        events: list[Event] = []
        done = first  # tokens before this one have their rows
        for cluster in ready:
            decided: list[tuple[Span, Link]] = []
            for span in choose(cluster, self._text, self._tokens):
                rows.usage[done - first : span.head - first] = self._memory.usage(np.arange(done, span.head))
                done = span.head
                link = self._link(span, decided)
                decided.append((span, link))
                rows.mention_prob[done - first] = span.probability
                rows.coref_prob[done - first] = span.probability * link.coref_prob
                rows.overwrite_prob[done - first] = span.probability * link.overwrite_prob
            events += self._events(decided)
        rows.usage[done - first :] = self._memory.usage(np.arange(done, settled))
        self._forget(settled)
        return Reading(events, rows)

    def _ready(self) -> list[list[Candidate]]:
        """The clusters that no longer wait for who speaks there."""
        ready = []
        while self._waiting:
            end = self._tokens.end_of(max(candidate.last for candidate in self._waiting[0]))
            if end > self._quotations.settled:
                break
            ready.append(self._waiting.popleft())
        return ready

    def _link(self, span: Span, earlier: Iterable[tuple[Span, Link]]) -> Link:
        text = self._text.slice(span.start, span.end)
        # Mentions of one person never overlap: whoever is "his" in "his mother" is not she.
        overlapping = frozenset(
            link.person for other, link in earlier if other.start < span.end and span.start < other.end
        )
        quotation = self._quotations.at(span.start)
        apart_from = overlapping | self._joined(span, text)
        cues = read_cues(
            text,
            span.kind,
            quotation,
            ascribed=self._quotations.ascribed_at(span.start),
            is_addressed=quotation is not None and self._is_addressed(span),
        )
        link = self._linker.link(
            cues,
            self._tokens.hidden_of(span.head),
            span.head,
            apart_from=apart_from,
            described=self._described(span, text),
            renamed=self._renamed(span),
        )
        self._latest.append(_Latest(span.end, text, span.kind, link.person))
        return link

    def _joined(self, span: Span, text: str) -> frozenset[int]:
        """Whoever stands before an "and", so is somebody else: Tom in "Tom and Mary", not in "Tom and Tom's cat"."""
        if span.kind == "pronoun" or self._text.slice(span.end, span.end + 1) in _APOSTROPHES:
            return frozenset()
        return frozenset(
            other.person
            for other in self._latest
            if self._text.start <= other.end < span.start
            and _AND.fullmatch(self._text.slice(other.end, span.start))
            and other.text.lower() != text.lower()
        )

    def _described(self, span: Span, text: str) -> frozenset[int]:
        """Whoever a nominal describes, or is described by before: "the judge, Peter Lowe,", "she was a nurse"."""
        return frozenset(
            other.person
            for other in self._latest
            if self._text.start <= other.end < span.start
            and (self._is_apposed(other, span, text) or self._is_predicate(other, span))
        )

    def _renamed(self, span: Span) -> frozenset[int]:
        """Whoever is given a name as another one: "Samuel Clemens, better known as Mark Twain"."""
        if span.kind != "name":
            return frozenset()
        first = max(self._text.start, span.start - LONGEST)
        near = [other for other in self._latest if first <= other.end < span.start]
        if calls_oneself(self._text.slice(first, span.start)):
            return frozenset(other.person for other in near[-1:])
        return frozenset(other.person for other in near if gives_other_name(self._text.slice(other.end, span.start)))

    def _is_apposed(self, other: _Latest, span: Span, text: str) -> bool:
        """Whether a nominal and a name, or "a nurse", have only a comma between them, and a mark after."""
        kinds = (other.kind, span.kind)
        return (
            (
                kinds == ("nominal", "name")
                or (kinds == ("name", "nominal") and " " in text)  # not "Jane, dear,"
                or (kinds == ("nominal", "nominal") and _INDEFINITE.match(text) is not None)
            )
            and _COMMA.fullmatch(self._text.slice(other.end, span.start)) is not None
            and _AFTER_APPOSITION.match(self._text.slice(span.end, span.end + _LONGEST_AFTER)) is not None
        )

    def _is_predicate(self, other: _Latest, span: Span) -> bool:
        return span.kind == "nominal" and _COPULA.fullmatch(self._text.slice(other.end, span.start)) is not None

    def _is_addressed(self, span: Span) -> bool:
        """Whether a name stands by itself, as one calls somebody: "Come, Jane, and sit"."""
        before = self._text.slice(max(self._text.start, span.start - _CONTEXT), span.start).rstrip()
        after = self._text.slice(span.end, span.end + 1)
        return span.kind == "name" and before[-1:] in _BEFORE_CALL and after in _AFTER_CALL

    def _events(self, decided: Iterable[tuple[Span, Link]]) -> Iterator[Event]:
        """The events of a cluster, in text order; the outer of two mentions that begin together comes last."""
        for span, link in sorted(decided, key=lambda item: (item[0].start, item[0].end)):
            is_new = link.person not in self._ids
            self._num_people += is_new
            mention = Mention(
                start=span.start,
                end=span.end,
                text=self._text.slice(span.start, span.end),
                kind=span.kind,
                probability=span.probability * link.share,
            )
            yield Event(self._ids.setdefault(link.person, self._num_people), mention, is_new=is_new)
        # Nobody dropped from memory is mentioned again.
        self._ids = {person: number for person, number in self._ids.items() if self._linker.knows(person)}

    def _forget(self, settled: int) -> None:
        """Let go of the tokens before one, and of their text."""
        if settled < self._tokens.end:
            place = self._tokens.start_of(settled)
        elif settled > self._tokens.first:
            place = self._tokens.end_of(settled - 1)
        else:
            return
        self._tokens.forget_before(settled)
        self._text.forget_before(max(self._text.start, place - _CONTEXT))
        self._quotations.forget_before(min(place, self._quotations.settled))
