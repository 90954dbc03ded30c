"""Choosing mentions among the candidates of the span head.

Candidates overlap and contradict each other. Of those at least as probable as the
threshold the most probable are kept, as long as they are consistent: mentions may
nest ("Emma's father") but do not cross, and no two have the same head.

Letters: S candidates, W tokens of the widest span.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from petra.domain import KINDS, Kind
from petra.english.gender import Gender
from petra.english.heads import head_span
from petra.english.vocabulary import takes_dot
from petra.errors import ConfigError
from petra.text.buffer import TextBuffer, TokenBuffer

_LONGEST_CLUSTER = 4  # in units of the widest span
_SURE = 0.85  # least probability of a gender that counts
_POSSESSIVE = ("'s", "’s", "'S", "’S")
_LAST_WORD = re.compile(r"[^\W_]+(?:\.[^\W_]+)*$")


class Candidates(Protocol):
    """Spans of whole words that may be mentions (``petra.mentions.span_head.SpanCandidates``)."""

    @property
    def first(self) -> NDArray[np.int64]: ...  # (S,) the first token

    @property
    def last(self) -> NDArray[np.int64]: ...  # (S,) the last token, included

    @property
    def kind_prob(self) -> NDArray[np.float32]: ...  # (S, 3) probabilities of KINDS; the rest is no mention

    @property
    def feminine_prob(self) -> NDArray[np.float32] | None: ...  # (S,) of names, where the model tells


class ScoredSpan(NamedTuple):
    """A span of tokens that may be a mention; in order of their first token, then of their last."""

    first: int
    last: int
    kind: Kind
    probability: float  # that it is a mention of any kind
    feminine_prob: float = 0.5  # of a name: that it is of a woman rather than of a man


@dataclass(frozen=True, slots=True)
class DetectedMention:
    """A mention that is not linked yet: a half-open range of characters."""

    start: int
    end: int
    kind: Kind
    probability: float
    head: int  # token that ends its head word
    gender: Gender | None = None  # that a name tells, where the model is sure


class ClusterReader:
    """Groups overlapping candidates into clusters; returns a cluster when no later candidate can join it.

    A cluster is never longer than a few times the widest span: a candidate that would
    make it longer is left out. So the reader keeps a bounded number of candidates, and the
    clusters do not depend on how the candidates were cut into parts.
    """

    def __init__(self, threshold: float, max_width: int) -> None:
        if not 0 <= threshold <= 1:
            raise ConfigError(f"The threshold is {threshold}; it lies between 0 and 1.")
        if max_width < 1:
            raise ConfigError(f"The widest span is {max_width} tokens; choose 1 or more.")
        self._threshold = threshold
        self._max_width = max_width
        self._waiting: list[ScoredSpan] = []
        self._cluster: list[ScoredSpan] = []
        self._reach = -1  # last token of the cluster
        self.settled = 0  # tokens before this one belong to no later cluster

    def read(self, num_tokens: int, candidates: Candidates) -> list[list[ScoredSpan]]:
        """The clusters complete once the text has so many tokens; ``candidates`` are all that end in the new tokens."""
        self._waiting += _likely(candidates, self._threshold)
        return self._release(num_tokens - self._max_width)

    def finish(self, num_tokens: int) -> list[list[ScoredSpan]]:
        """The clusters left at the end of the text."""
        return self._release(num_tokens)

    def _release(self, known: int) -> list[list[ScoredSpan]]:
        """The clusters complete once all candidates that begin up to a token are known."""
        self._waiting.sort()
        count = sum(candidate.first <= known for candidate in self._waiting)
        ready, self._waiting = self._waiting[:count], self._waiting[count:]
        clusters = [cluster for candidate in ready for cluster in self._add(candidate)]
        if self._reach <= known:
            clusters += self._close()
        self.settled = self._cluster[0].first if self._cluster else max(self.settled, known + 1)
        return clusters

    def _add(self, candidate: ScoredSpan) -> list[list[ScoredSpan]]:
        closed = self._close() if candidate.first > self._reach else []
        start = self._cluster[0].first if self._cluster else candidate.first
        if candidate.last - start < _LONGEST_CLUSTER * self._max_width:
            self._cluster.append(candidate)
            self._reach = max(self._reach, candidate.last)
        return closed

    def _close(self) -> list[list[ScoredSpan]]:
        cluster, self._cluster = self._cluster, []
        return [cluster] if cluster else []


def choose(cluster: Iterable[ScoredSpan], text: TextBuffer, tokens: TokenBuffer) -> list[DetectedMention]:
    """The mentions among overlapping candidates, in the order of their heads."""
    spans = [span for candidate in cluster if (span := _span(candidate, text, tokens)) is not None]
    spans.sort(key=lambda span: (-span.probability, span.start - span.end, span.start))
    chosen: list[DetectedMention] = []
    for span in spans:
        if all(_are_consistent(span, other) for other in chosen):
            chosen.append(span)
    return sorted(chosen, key=lambda span: span.head)


@lru_cache(maxsize=8192)  # most mentions of a text are written like one before
def trim(text: str) -> tuple[int, int]:
    """Where the written words of a span's text begin and end; twice the same place if there are none.

    White space and punctuation at either end are left out, and so is a possessive
    ending; combining marks stay with their letter, and a dot with its abbreviation ("Esq.").
    """
    start = next((place for place, character in enumerate(text) if character.isalnum()), None)
    if start is None:
        return 0, 0
    end = next(place for place in range(len(text), start, -1) if text[place - 1].isalnum())
    if end - start > 2 and text[end - 2 : end] in _POSSESSIVE:
        return start, end - 2
    while end < len(text) and unicodedata.category(text[end]).startswith("M"):
        end += 1
    last_word = _LAST_WORD.search(text, start, end)
    keeps_dot = text[end : end + 1] == "." and last_word is not None and takes_dot(last_word.group())
    return start, end + keeps_dot


def _span(candidate: ScoredSpan, text: TextBuffer, tokens: TokenBuffer) -> DetectedMention | None:
    begin = tokens.start_of(candidate.first)
    piece = text.slice(begin, tokens.end_of(candidate.last))
    start, end = trim(piece)
    if start == end:
        return None
    _, end_of_head = head_span(piece[start:end])
    return DetectedMention(
        start=begin + start,
        end=begin + end,
        kind=candidate.kind,
        probability=candidate.probability,
        head=tokens.token_before(begin + start + end_of_head),
        gender=_gender(candidate.feminine_prob),
    )


def _gender(feminine_prob: float) -> Gender | None:
    if feminine_prob >= _SURE:
        return "feminine"
    return "masculine" if feminine_prob <= 1 - _SURE else None


def _are_consistent(one: DetectedMention, other: DetectedMention) -> bool:
    earlier, later = sorted((one, other), key=lambda span: span.start)
    crossing = earlier.start < later.start < earlier.end < later.end
    return not crossing and one.head != other.head


def _likely(candidates: Candidates, threshold: float) -> list[ScoredSpan]:
    probability = candidates.kind_prob.sum(axis=1)
    # In the probabilities' own precision, so that 0.7 reaches the threshold 0.7.
    kept = np.flatnonzero(probability >= np.float32(threshold))
    feminine = np.full(len(probability), 0.5) if candidates.feminine_prob is None else candidates.feminine_prob
    return [
        ScoredSpan(first, last, KINDS[kind], min(1.0, likely), feminine_prob)
        for first, last, kind, likely, feminine_prob in zip(
            candidates.first[kept].tolist(),
            candidates.last[kept].tolist(),
            candidates.kind_prob[kept].argmax(axis=1).tolist(),
            probability[kept].tolist(),
            feminine[kept].tolist(),
            strict=True,
        )
    ]
