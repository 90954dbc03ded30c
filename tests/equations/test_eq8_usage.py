"""Equation 8: u_t^i = min(1, o + c + gamma * u_{t-1}^i)."""

from __future__ import annotations

import torch
from torch.testing import assert_close

from petra.memory.cells import update_usage


def test_usage_decays_and_grows_with_use() -> None:
    # gamma = 0.5. Cell 1: 0.1 + 0.2 + 0.25; cell 2: 0 + 0.3 + 0.45; cell 3 was never written and stays at 0.
    usage = update_usage(
        torch.tensor([0.5, 0.9, 0.0]), torch.tensor([0.2, 0.3, 0.0]), torch.tensor([0.1, 0.0, 0.0]), decay=0.5
    )
    assert_close(usage, torch.tensor([0.55, 0.75, 0.0]))


def test_usage_is_at_most_one() -> None:
    # 0.8 + 0.98 * 0.9 = 1.682.
    assert update_usage(torch.tensor([0.9]), torch.tensor([0.8]), torch.tensor([0.0]), 0.98).tolist() == [1.0]


def test_a_cell_once_written_never_counts_as_unused_again() -> None:
    # 0.98^20000 is 10^-175, far below the least float32; yet u = 0 must go on to mean "never written".
    usage, nothing = torch.tensor([1.0]), torch.tensor([0.0])
    for _ in range(20_000):
        usage = update_usage(usage, nothing, nothing, 0.98)
    assert usage > 0
