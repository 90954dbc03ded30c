"""Batches of examples, padded to one of a few lengths so that shapes recur.

Letters: T tokens, B texts, K token pairs of a text, L token pairs of a name and the pronoun.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from petra.training.examples import Example
from petra.training.losses import Pairs

_POOL = 16  # batches whose texts are sorted by length together, so that little is padded
LENGTH_STEP = 16  # lengths are rounded up to a multiple of this, so that shapes come back


class FeatureSource(Protocol):
    """Features of a corpus's texts, one after the other: ``encoder.features.CorpusFeatures``."""

    @property
    def rows(self) -> NDArray[np.float16]: ...  # (tokens of the corpus, D)

    @property
    def bounds(self) -> NDArray[np.int64]: ...  # (texts + 1,) where each text begins, and the last one ends


class Batch(NamedTuple):
    """B texts; texts that only fill up the batch have no real token and no weight."""

    rows: Tensor  # (T, B) each token's row of the corpus's features
    real: Tensor  # (T, B) false for padding
    unlabelled: Tensor  # (T, B) real and outside the labelled spans
    pairs: Pairs  # (B, K)


class LinkBatch(NamedTuple):
    """B texts and the token pairs whose strongest link answers for a name."""

    rows: Tensor  # (T, B)
    real: Tensor  # (T, B)
    first: Tensor  # (B, 2, L) for A and for B
    second: Tensor  # (B, 2, L)
    counted: Tensor  # (B, 2, L) false where a pair is padding


def epoch_order(lengths: Sequence[int], batch_size: int, seed: int, epoch: int) -> list[list[int]]:
    """The texts of each batch of an epoch: random, with texts of like length together."""
    random = np.random.default_rng((seed, epoch))
    order = random.permutation(len(lengths))
    pool = batch_size * _POOL
    batches = []
    for start in range(0, len(order), pool):
        by_length = sorted(order[start : start + pool].tolist(), key=lambda index: lengths[index])
        batches += [by_length[at : at + batch_size] for at in range(0, len(by_length), batch_size)]
    return [batches[index] for index in random.permutation(len(batches))]


def reading_order(lengths: Sequence[int], batch_size: int) -> list[list[int]]:
    """All texts in batches of like length, the longest first, for reading without training."""
    order = sorted(range(len(lengths)), key=lambda index: lengths[index])
    return [order[at : at + batch_size] for at in range(0, len(order), batch_size)][::-1]


class Batcher:
    """Makes the batches of one corpus, on a device."""

    def __init__(
        self, examples: Sequence[Example], features: FeatureSource, batch_size: int, device: torch.device
    ) -> None:
        self.examples = examples
        self.lengths = [example.length for example in examples]
        self.batch_size = batch_size
        self.device = device
        self._bounds = features.bounds
        self._rows = features.rows
        # A GPU holds the whole corpus; a CPU reads the rows it needs from the memory-mapped file.
        self._resident = torch.from_numpy(np.array(features.rows)).to(device) if device.type == "cuda" else None
        self._most_pairs = max(len(example.pairs) for example in examples)
        self._most_links = max(len(links) for example in examples for links in example.links)

    def features(self, rows: Tensor) -> Tensor:
        """The features of tokens (T, B), as all models see them: (1, T, B, D)."""
        if self._resident is not None:
            return self._resident[rows].float()[None]
        return torch.from_numpy(self._rows[rows.numpy()]).float()[None]

    def training(self, epoch: int, seed: int) -> Iterator[Batch]:
        for members in epoch_order(self.lengths, self.batch_size, seed, epoch):
            yield self._batch(members)

    def longest(self) -> Batch:
        """The largest batch that texts can make."""
        return self._batch(sorted(range(len(self.lengths)), key=lambda index: -self.lengths[index])[: self.batch_size])

    def reading(self) -> Iterator[tuple[list[int], LinkBatch]]:
        for members in reading_order(self.lengths, self.batch_size):
            yield members, self._link_batch(members)

    def _batch(self, members: list[int]) -> Batch:
        rows, real = self._layout(members)
        unlabelled = real.copy()
        first, second, label = (np.zeros((self.batch_size, self._most_pairs), np.int64) for _ in range(3))
        weight = np.zeros((self.batch_size, self._most_pairs), np.float32)
        for column, index in enumerate(members):
            example = self.examples[index]
            unlabelled[list(example.labelled), column] = False
            for at, pair in enumerate(example.pairs):
                first[column, at], second[column, at] = pair.first, pair.second
                label[column, at], weight[column, at] = pair.label, pair.weight
        pairs = Pairs(self._place(first), self._place(second), self._place(label).float(), self._place(weight))
        return Batch(self._place(rows), self._place(real), self._place(unlabelled), pairs)

    def _link_batch(self, members: list[int]) -> LinkBatch:
        rows, real = self._layout(members)
        first, second = (np.zeros((self.batch_size, 2, self._most_links), np.int64) for _ in range(2))
        counted = np.zeros((self.batch_size, 2, self._most_links), np.bool_)
        for column, index in enumerate(members):
            for name, links in enumerate(self.examples[index].links):
                first[column, name, : len(links)], second[column, name, : len(links)] = zip(*links, strict=True)
                counted[column, name, : len(links)] = True
        return LinkBatch(*(self._place(array) for array in (rows, real, first, second, counted)))

    def _layout(self, members: list[int]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        longest = max(self.lengths[index] for index in members)
        tokens = -(-longest // LENGTH_STEP) * LENGTH_STEP
        rows = np.zeros((tokens, self.batch_size), np.int64)
        real = np.zeros((tokens, self.batch_size), np.bool_)
        for column, index in enumerate(members):
            length = self.lengths[index]
            rows[:length, column] = np.arange(self._bounds[index], self._bounds[index] + length)
            real[:length, column] = True
        return rows, real

    def _place(self, array: NDArray[np.generic]) -> Tensor:
        return torch.from_numpy(array).to(self.device)
