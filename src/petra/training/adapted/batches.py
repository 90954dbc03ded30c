"""Batches of GAP instances for a model whose encoder is trained, so that no features are cached.

Letters: T tokens, B texts, K token pairs of a text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from petra.corpora.gap import GapInstance
from petra.domain import KINDS
from petra.text.document import Document
from petra.training.batches import LENGTH_STEP
from petra.training.examples import Example
from petra.training.losses import Pairs

_PAIRS = 5  # both names with the pronoun, with a soft label two pairs each, and with each other


class LabelledSpan(NamedTuple):
    """Tokens first..last, both included: a mention of a kind, counted from 1 as in KINDS, or 0 for none."""

    first: int
    last: int
    kind: int


class Snippet(NamedTuple):
    """A GAP instance tokenized, with the labels of its tokens and spans."""

    document: Document
    example: Example
    spans: tuple[LabelledSpan, ...]


def labelled_spans(instance: GapInstance, document: Document, max_width: int) -> tuple[LabelledSpan, ...]:
    """The spans that an instance labels: pronoun and names are mentions, the first or last word of a name is none."""
    found = []
    for span, kind in ((instance.a, "name"), (instance.b, "name"), (instance.pronoun, "pronoun")):
        tokens = document.tokens_in(span.start, span.end)
        first, last = tokens[0], tokens[-1]
        words = document.words[first : last + 1]
        found.append(LabelledSpan(first, last, KINDS.index(kind) + 1))
        if words[0] != words[-1]:
            found.append(LabelledSpan(first, first + int((words == words[0]).sum()) - 1, 0))
            found.append(LabelledSpan(last - int((words == words[-1]).sum()) + 1, last, 0))
    return tuple(span for span in found if span.last - span.first < max_width)


class SnippetBatch(NamedTuple):
    """B texts; texts that only fill up the batch have no real token and no weight."""

    real: Tensor  # (T, B) false for padding
    unlabelled: Tensor  # (T, B) real and outside the labelled spans
    pairs: Pairs  # (B, K)


def padded_length(lengths: Sequence[int]) -> int:
    return -(-max(lengths) // LENGTH_STEP) * LENGTH_STEP


def make_batch(examples: Sequence[Example], batch_size: int, device: torch.device) -> SnippetBatch:
    """The labels of texts, filled up to the size of a batch."""
    tokens = padded_length([example.length for example in examples])
    real, unlabelled = (np.zeros((tokens, batch_size), np.bool_) for _ in range(2))
    first, second = (np.zeros((batch_size, _PAIRS), np.int64) for _ in range(2))
    label, weight = (np.zeros((batch_size, _PAIRS), np.float32) for _ in range(2))
    for column, example in enumerate(examples):
        real[: example.length, column] = unlabelled[: example.length, column] = True
        unlabelled[list(example.labelled), column] = False
        for at, pair in enumerate(example.pairs):
            first[column, at], second[column, at] = pair.first, pair.second
            label[column, at], weight[column, at] = pair.label, pair.weight

    def place(array: NDArray[np.generic]) -> Tensor:
        return torch.from_numpy(array).to(device)

    pairs = Pairs(place(first), place(second), place(label), place(weight))
    return SnippetBatch(place(real), place(unlabelled), pairs)
