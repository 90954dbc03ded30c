from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from petra.training.batches import Batcher, epoch_order, reading_order
from petra.training.examples import Example, LabelledPair


@dataclass(frozen=True)
class Features:
    """Three texts of 3, 2 and 17 tokens; the features of row r are r and r + 0.5."""

    @property
    def rows(self) -> NDArray[np.float16]:
        return (np.arange(22)[:, None] + np.array([0, 0.5])).astype(np.float16)

    @property
    def bounds(self) -> NDArray[np.int64]:
        return np.array([0, 3, 5, 22])


def pair(first: int, second: int, label: int, weight: float) -> LabelledPair:
    return LabelledPair(first=first, second=second, label=label, weight=weight)


EXAMPLES = (
    Example(
        id="three",
        length=3,
        labelled=frozenset({0, 2}),
        pairs=(pair(0, 2, 1, 5.0), pair(0, 1, 0, 50.0)),
        links=(((0, 2), (1, 2)), ((1, 2),)),
    ),
    Example(id="two", length=2, labelled=frozenset({1}), pairs=(pair(0, 1, 0, 50.0),), links=(((0, 1),), ((1, 1),))),
    Example(
        id="seventeen",
        length=17,
        labelled=frozenset({16}),
        pairs=(pair(4, 16, 1, 5.0),),
        links=(((4, 16),), ((5, 16),)),
    ),
)


@pytest.fixture
def batcher() -> Batcher:
    return Batcher(EXAMPLES, Features(), batch_size=2, device=torch.device("cpu"))


def test_texts_of_like_length_are_read_together() -> None:
    assert reading_order([3, 2, 17], 2) == [[2], [1, 0]]  # the longest first


def test_the_layout_of_a_batch(batcher: Batcher) -> None:
    [(first, long), (members, short)] = batcher.reading()
    assert (first, members) == ([2], [1, 0])
    # Lengths are rounded up to a multiple of 16, and a batch always has two columns.
    assert (short.rows.shape, long.rows.shape) == ((16, 2), (32, 2))
    # Column 0 is the text of two tokens, rows 3 and 4 of the features; column 1 the text of three.
    assert short.rows[:3].tolist() == [[3, 0], [4, 1], [0, 2]]
    assert short.real[:4].tolist() == [[True, True], [True, True], [False, True], [False, False]]
    assert short.real.sum() == 5
    assert long.rows[:17, 0].tolist() == list(range(5, 22))
    assert long.real.sum(0).tolist() == [17, 0]  # the second column only fills up


def test_the_links_a_score_looks_at(batcher: Batcher) -> None:
    _, (_, short) = batcher.reading()
    # For A and for B, up to two pairs; the text of three has two pairs of A and one of B.
    assert short.first[1].tolist() == [[0, 1], [1, 0]]
    assert short.second[1].tolist() == [[2, 2], [2, 0]]
    assert short.counted[1].tolist() == [[True, True], [True, False]]
    assert short.counted[0].tolist() == [[True, False], [True, False]]


def columns(batcher: Batcher) -> dict[int, tuple[list[int], list[list[float]]]]:
    """The unlabelled tokens and the pairs of each text of an epoch, by the text's length; 0 for one that fills up."""
    found = {}
    for batch in batcher.training(epoch=0, seed=0):
        for column in range(batch.rows.shape[1]):
            unlabelled = batch.unlabelled[:, column].nonzero().flatten().tolist()
            pairs = torch.stack([values[column].float() for values in batch.pairs], dim=1).tolist()
            found[int(batch.real[:, column].sum())] = (unlabelled, pairs)
    return found


def test_a_batch_to_learn_from(batcher: Batcher) -> None:
    # A pair is first, second, label, weight; there are two to a text, of weight 0 where they only fill up.
    nothing = [0.0, 0.0, 0.0, 0.0]
    assert columns(batcher) == {
        3: ([1], [[0.0, 2.0, 1.0, 5.0], [0.0, 1.0, 0.0, 50.0]]),
        2: ([0], [[0.0, 1.0, 0.0, 50.0], nothing]),
        17: (list(range(16)), [[4.0, 16.0, 1.0, 5.0], nothing]),
        0: ([], [nothing, nothing]),
    }


def test_the_largest_batch_has_the_longest_texts(batcher: Batcher) -> None:
    batch = batcher.longest()
    assert batch.rows.shape == (32, 2)
    assert batch.real.sum(0).tolist() == [17, 3]


def test_features_of_a_batch_are_the_rows_it_names(batcher: Batcher) -> None:
    _, (_, short) = batcher.reading()
    features = batcher.features(short.rows)
    assert features.dtype == torch.float32
    assert features.shape == (1, 16, 2, 2)
    assert features[0, :2, 0].tolist() == [[3.0, 3.5], [4.0, 4.5]]


LENGTHS = st.lists(st.integers(1, 40), min_size=1, max_size=80)


@given(LENGTHS, st.integers(1, 5), st.integers(0, 100), st.integers(0, 100))
def test_an_epoch_has_every_text_once(lengths: list[int], batch_size: int, seed: int, epoch: int) -> None:
    order = epoch_order(lengths, batch_size, seed, epoch)
    assert sorted(index for batch in order for index in batch) == list(range(len(lengths)))
    assert all(len(batch) <= batch_size for batch in order)
    assert len(order) == -(-len(lengths) // batch_size)
    assert order == epoch_order(lengths, batch_size, seed, epoch)


@given(LENGTHS, st.integers(1, 5))
def test_a_reading_has_every_text_once(lengths: list[int], batch_size: int) -> None:
    order = reading_order(lengths, batch_size)
    assert sorted(index for batch in order for index in batch) == list(range(len(lengths)))


def test_epochs_and_seeds_differ_in_their_order() -> None:
    lengths = [10] * 100
    orders = [epoch_order(lengths, 8, seed, epoch) for seed, epoch in ((0, 0), (0, 1), (1, 0))]
    assert orders[0] != orders[1]
    assert orders[0] != orders[2]


def test_texts_of_like_length_learn_together() -> None:
    lengths = list(range(1, 65))
    order = epoch_order(lengths, 8, seed=0, epoch=0)  # all 64 texts are sorted together
    assert all(max(batch) - min(batch) == 7 for batch in order)
