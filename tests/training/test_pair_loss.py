"""The loss over all pairs of tokens: by hand, and against a version that multiplies out every product."""

from __future__ import annotations

from math import log

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import gates as random_gates
from torch import Tensor
from torch.testing import assert_close

from petra.memory.gates import Gates
from petra.training.losses import Pairs
from petra.training.pair_loss import all_links, all_pairs_loss, pair_targets


def gates_of(update: Tensor, overwrite: Tensor) -> Gates:
    """Gates from up and ov (E, T, B, N)."""
    return Gates((update + overwrite).sum(-1), update, overwrite, torch.zeros_like(update))


def one_text(update: list[list[float]], overwrite: list[list[float]]) -> Gates:
    """The gates of one model in one text: rows are tokens."""
    return gates_of(*(torch.tensor(rows)[None, :, None] for rows in (update, overwrite)))


def pairs_of(*texts: list[tuple[int, int, int, float]]) -> Pairs:
    """Pairs of each text, filled up with pairs of weight 0."""
    most = max(len(pairs) for pairs in texts)
    rows = [[*pairs, *[(0, 0, 0, 0.0)] * (most - len(pairs))] for pairs in texts]
    first, second, label, weight = (torch.tensor([[pair[at] for pair in row] for row in rows]) for at in range(4))
    return Pairs(first, second, label.float(), weight.float())


def literal_link(update: Tensor, overwrite: Tensor, first: int, second: int) -> Tensor:
    """P of two tokens from up and ov (T, N), every product multiplied out: O(T) a pair, O(T^3) a text."""
    total = torch.tensor(0.0)
    for cell in range(update.shape[1]):
        kept = torch.tensor(1.0)
        for between in range(first + 1, second):
            kept = kept * (1 - overwrite[between, cell])
        total = total + (update[first, cell] + overwrite[first, cell]) * kept * update[second, cell]
    return total


def literal_loss(gates: Gates, lengths: tuple[int, ...], texts: list[list[tuple[int, int, int, float]]]) -> Tensor:
    """The loss of each model, pair by pair."""
    losses = []
    for update, overwrite in zip(gates.coref_prob, gates.overwrite_prob, strict=True):
        loss, weights = torch.tensor(0.0), 0.0
        for text, length in enumerate(lengths):
            annotated = {(first, second): (label, weight) for first, second, label, weight in texts[text]}
            for second in range(length):
                for first in range(second):
                    label, weight = annotated.get((first, second), (0, 1.0))
                    link = literal_link(update[:, text], overwrite[:, text], first, second)
                    loss = loss - weight * torch.log(link if label else 1 - link)
                    weights += weight
        losses.append(loss / weights)
    return torch.stack(losses)


def test_links_between_four_tokens() -> None:
    # One cell, written at token 0 (ov 0.8), overwritten in part at token 1 (ov 0.25, up 0.1) and 2 (ov 0.5, up 0.4).
    # 0-1: 0.8 * 0.1 = 0.08, for token 1's own overwrite does not count; 0-2: 0.8 * (1 - 0.25) * 0.4 = 0.24;
    # 0-3: 0.8 * 0.75 * 0.5 * 0.9 = 0.27; 1-2: 0.35 * 0.4 = 0.14; 1-3: 0.35 * 0.5 * 0.9 = 0.1575; 2-3: 0.9 * 0.9 = 0.81.
    links = all_links(one_text([[0.0], [0.1], [0.4], [0.9]], [[0.8], [0.25], [0.5], [0.0]]))
    expected = [[0, 0.08, 0.24, 0.27], [0, 0, 0.14, 0.1575], [0, 0, 0, 0.81], [0, 0, 0, 0]]
    assert_close(links, torch.tensor(expected)[None, None])


def test_cells_add_up() -> None:
    # 0.5 * 0.4 + 0.3 * 0.2 = 0.26.
    links = all_links(one_text([[0.1, 0.3], [0.4, 0.2]], [[0.4, 0.0], [0.0, 0.0]]))
    assert links[0, 0, 0, 1].item() == pytest.approx(0.26)


def test_a_sure_overwrite_cuts_every_link_across_it() -> None:
    # In float32 as many sure overwrites as tokens: running sums go far below any single logarithm.
    tokens = 400
    update, overwrite = torch.full((1, tokens, 1, 1), 0.5), torch.full((1, tokens, 1, 1), 1.0)
    links = all_links(gates_of(update, overwrite))[0, 0]
    assert links.isfinite().all()
    assert links.triu(2).max() < 2e-6
    assert_close(links.diagonal(1), torch.full((tokens - 1,), 0.75))  # neighbours have nothing between them


def test_the_loss_of_three_tokens() -> None:
    # P(0, 1) = 1 * 0.5, annotated 1 with weight 5: -5 ln 0.5. P(0, 2) = 1 * 0.2, annotated 0 with 50: -50 ln 0.8.
    # P(1, 2) = 0.5 * 0.2 = 0.1 is one of the others: -ln 0.9. The weights add up to 56.
    gates = one_text([[0.0], [0.5], [0.2]], [[1.0], [0.0], [0.0]])
    loss = all_pairs_loss(gates, torch.ones(3, 1, dtype=torch.bool), pairs_of([(0, 1, 1, 5.0), (0, 2, 0, 50.0)]))
    assert_close(loss, torch.tensor([(5 * log(2) - 50 * log(0.8) - log(0.9)) / 56]))


def test_targets_of_a_padded_text() -> None:
    # The second text has two tokens and no annotated pair; what fills up leaves no trace.
    real = torch.tensor([[True, True], [True, True], [True, False]])
    label, weight = pair_targets(real, pairs_of([(0, 1, 1, 0.1), (1, 2, 0, 50.0)], []))
    assert label[0].tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 0]]
    assert_close(weight[0], torch.tensor([[0, 0.1, 1], [0, 0, 50], [0, 0, 0]]))
    assert not label[1].any()
    assert weight[1].tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 0]]


def random_case() -> tuple[Gates, tuple[int, ...], list[list[tuple[int, int, int, float]]]]:
    """Two models, texts of 7 and 4 tokens, 3 cells."""
    generator = torch.Generator().manual_seed(0)
    shares = torch.rand(2, 7, 2, 8, generator=generator)
    update, overwrite, _ = (shares / shares.sum(-1, keepdim=True)).split((3, 3, 2), dim=-1)
    texts = [[(0, 1, 1, 0.1), (0, 5, 1, 5.0), (2, 5, 0, 50.0)], [(1, 2, 1, 5.0)]]
    return gates_of(update.requires_grad_(), overwrite.requires_grad_()), (7, 4), texts


def test_the_loss_and_its_gradient_are_those_of_the_literal_version() -> None:
    gates, lengths, texts = random_case()
    real = torch.arange(7)[:, None] < torch.tensor(lengths)
    fast, literal = all_pairs_loss(gates, real, pairs_of(*texts)), literal_loss(gates, lengths, texts)
    assert_close(fast, literal, atol=1e-6, rtol=1e-5)
    leaves = (gates.coref_prob, gates.overwrite_prob)
    of_models = torch.tensor([1.0, -2.0])
    ours, theirs = (torch.autograd.grad((loss * of_models).sum(), leaves) for loss in (fast, literal))
    assert_close(ours, theirs, atol=1e-6, rtol=1e-5)


@given(st.integers(2, 8), st.integers(1, 3), st.data())
@settings(max_examples=30)
def test_any_links_are_those_of_the_literal_version(num_tokens: int, num_cells: int, draw: st.DataObject) -> None:
    update, overwrite = map(torch.from_numpy, draw.draw(random_gates(num_tokens, num_cells)))
    links = all_links(gates_of(update[None, :, None], overwrite[None, :, None]))[0, 0]
    for second in range(num_tokens):
        for first in range(second):
            literal = literal_link(update, overwrite, first, second)
            assert links[first, second].item() == pytest.approx(literal.item(), abs=1e-5)
    assert not links.tril().any()


def test_a_surely_wrong_link_has_a_finite_gradient() -> None:
    # P(0, 1) = 0 where 1 is right, and P(0, 2) = 1 where 0 is right.
    gates = one_text([[0.0], [0.0], [1.0]], [[1.0], [0.0], [0.0]])
    update = gates.coref_prob.requires_grad_()
    pairs = pairs_of([(0, 1, 1, 5.0), (0, 2, 0, 50.0)])
    all_pairs_loss(gates, torch.ones(3, 1, dtype=torch.bool), pairs).sum().backward()
    assert update.grad is not None
    assert update.grad.isfinite().all()
    assert update.grad[0, 1, 0, 0] < 0 < update.grad[0, 2, 0, 0]  # up, and down
