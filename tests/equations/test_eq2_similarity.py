"""Equation 2: sim_t^i = MLP_2([h_t; m^i; h_t * m^i; u^i])."""

from __future__ import annotations

import torch
from torch.testing import assert_close

from petra.memory.gates import SimilarityWeights, similarity, token_share

IDENTITY = torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])
MLP = SimilarityWeights(
    token=IDENTITY,
    cell=IDENTITY,
    product=torch.tensor([[[1.0, 0.0], [0.0, -1.0]]]),
    usage=torch.tensor([[2.0, 4.0]]),
    first_bias=torch.tensor([[0.0, -1.0]]),
    second=torch.tensor([[[0.5, 0.0], [0.0, -1.0]]]),
    second_bias=torch.tensor([[0.0, 1.0]]),
    out=torch.tensor([[0.25, 9.0]]),
    out_bias=torch.tensor([-3.0]),
)


def test_the_token_s_share_is_the_same_for_every_cell() -> None:
    # h = (1, 2) through the identity, plus the bias (0, -1).
    assert_close(token_share(torch.tensor([[[1.0, 2.0]]]), MLP), torch.tensor([[[1.0, 1.0]]]))


def test_two_cells_against_one_token() -> None:
    # h = (1, 2), its share (1, 1).
    # Cell 1: m = (3, 1), h * m = (3, 2), u = 0.5.
    #   First layer: share (1, 1) + cell (3, 1) + product (3, -2) + usage (1, 2) = (8, 2).
    #   Second layer: (4, -2) + (0, 1) = (4, -1), after the ReLU (4, 0). Out: 0.25 * 4 + 0 - 3 = -2.
    # Cell 2: m = (0, 0), u = 0. First layer: (1, 1). Second: (0.5, -1) + (0, 1) = (0.5, 0).
    #   Out: 0.125 - 3 = -2.875.
    hidden = torch.tensor([[[1.0, 2.0]]])
    cells = torch.tensor([[[[3.0, 1.0], [0.0, 0.0]]]])
    usage = torch.tensor([[[0.5, 0.0]]])
    found = similarity(token_share(hidden, MLP), hidden, cells, usage, MLP)
    assert_close(found.first, torch.tensor([[[[8.0, 2.0], [1.0, 1.0]]]]))
    assert_close(found.second, torch.tensor([[[[4.0, 0.0], [0.5, 0.0]]]]))
    assert_close(found.score, torch.tensor([[[-2.0, -2.875]]]))
