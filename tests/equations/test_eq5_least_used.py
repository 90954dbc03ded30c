"""Equation 5: o_t^i = n_t * 1[i = argmin_j u^j]."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.testing import assert_close

from petra.memory.gates import overwrite_least_used

NEW = torch.tensor([0.2])  # n_t


def test_a_new_person_goes_whole_to_the_least_used_cell() -> None:
    usage = torch.tensor([[0.5, 0.1, 0.9]])
    assert_close(overwrite_least_used(NEW, usage), torch.tensor([[0.0, 0.2, 0.0]]))


def test_of_equally_little_used_cells_the_lowest_is_taken() -> None:
    usage = torch.tensor([[0.3, 0.1, 0.1]])
    assert_close(overwrite_least_used(NEW, usage), torch.tensor([[0.0, 0.2, 0.0]]))


def test_a_preference_decides_only_between_equally_little_used_cells() -> None:
    # Cell 1 is preferred most but used more; of the other two, cell 3 is preferred.
    usage = torch.tensor([[0.3, 0.1, 0.1]])
    preference = torch.tensor([[9.0, -2.0, -1.0]])
    assert_close(overwrite_least_used(NEW, usage, preference), torch.tensor([[0.0, 0.0, 0.2]]))


def test_of_equally_preferred_cells_the_lowest_is_taken() -> None:
    usage = torch.zeros(1, 3)
    assert_close(overwrite_least_used(NEW, usage, torch.zeros(1, 3)), torch.tensor([[0.2, 0.0, 0.0]]))


def test_texts_decide_apart() -> None:
    usage = torch.tensor([[0.0, 0.5], [0.5, 0.0]])
    found: Tensor = overwrite_least_used(torch.tensor([0.2, 0.7]), usage)
    assert_close(found, torch.tensor([[0.2, 0.0], [0.0, 0.7]]))
