"""Equation 7: m_t^i = (1 - o - c) m_{t-1}^i + o h_t + c MLP_3([h_t; m_{t-1}^i])."""

from __future__ import annotations

from math import log

import torch
from torch.testing import assert_close

from petra.memory.cells import UpdateWeights, merged_cells, token_update, update_cells
from petra.memory.variants import FixedKey

CELLS = torch.tensor([[[[2.0, 4.0]]]])  # one model, one text, one cell
HIDDEN = torch.tensor([[[1.0, 0.0]]])
MERGED = torch.tensor([[[[-1.0, 1.0]]]])


def test_ignored_overwritten_and_merged_in_their_proportions() -> None:
    # 0.25 * (2, 4) + 0.25 * (1, 0) + 0.5 * (-1, 1) = (0.5 + 0.25 - 0.5, 1 + 0 + 0.5).
    updated = update_cells(CELLS, HIDDEN, MERGED, torch.tensor([[[0.5]]]), torch.tensor([[[0.25]]]))
    assert_close(updated, torch.tensor([[[[0.25, 1.5]]]]))


def test_a_fixed_key_stays() -> None:
    # As above, but the first dimension is the key.
    updated = update_cells(CELLS, HIDDEN, MERGED, torch.tensor([[[0.5]]]), torch.tensor([[[0.25]]]))
    assert_close(FixedKey(1).keep_keys(CELLS, updated), torch.tensor([[[[2.0, 1.5]]]]))


def test_an_ignored_token_changes_nothing() -> None:
    nothing = torch.zeros(1, 1, 1)
    assert torch.equal(update_cells(CELLS, HIDDEN, MERGED, nothing, nothing), CELLS)


def test_a_sure_overwrite_leaves_nothing_of_the_old_person() -> None:
    updated = update_cells(CELLS, HIDDEN, MERGED, torch.zeros(1, 1, 1), torch.ones(1, 1, 1))
    assert torch.equal(updated[0, 0, 0], HIDDEN[0, 0])


def test_mlp_3_is_a_linear_layer_and_tanh() -> None:
    # h = 2 and m = 1 of one dimension: ln 3 * 2 - 1.5 ln 3 * 1 + 0 = ln 3 / 2, and tanh(ln 3 / 2) =
    # (3 - 1) / (3 + 1) = 0.5.
    mlp = UpdateWeights(
        token=torch.tensor([[[log(3)]]]), cell=torch.tensor([[[-1.5 * log(3)]]]), bias=torch.tensor([[0.0]])
    )
    share = token_update(torch.tensor([[[2.0]]]), mlp)
    assert_close(share, torch.tensor([[[2 * log(3)]]]))
    assert_close(merged_cells(share, torch.ones(1, 1, 1, 1), mlp), torch.tensor([[[[0.5]]]]))
