"""Equation 3: cs_t^i = sim_t^i - infinity * 1[u^i = 0]."""

from __future__ import annotations

import torch

from petra.memory.gates import coref_scores


def test_only_a_cell_never_written_is_ruled_out() -> None:
    # However long ago a person was mentioned, they can be mentioned again: only u = 0 itself counts as never.
    similarity = torch.tensor([2.0, -1.0, 5.0])
    usage = torch.tensor([0.3, 1e-40, 0.0])
    assert coref_scores(similarity, usage).tolist() == [2.0, -1.0, float("-inf")]
