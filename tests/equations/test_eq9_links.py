"""Equation 9: P_CL(t1, t2) = sum_i (o_t1^i + c_t1^i) * prod_{j = t1+1 .. t2} (1 - o_j^i) * c_t2^i.

It stands twice in the code: differentiable for training, plain for logs.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from strategies import gates as random_gates
from torch.testing import assert_close

from petra.log.links import Links
from petra.memory.gates import Gates
from petra.training.losses import link_probability

Array = NDArray[np.float32]
Link = Callable[[Array, Array, list[tuple[int, int]]], list[float]]


def in_training(coref: Array, overwrite: Array, pairs: list[tuple[int, int]]) -> list[float]:
    first, second = torch.tensor(pairs).T
    return link_probability(gates_of(coref, overwrite), first[None], second[None])[0, 0].tolist()


def in_a_log(coref: Array, overwrite: Array, pairs: list[tuple[int, int]]) -> list[float]:
    links = Links(coref, overwrite)
    return [float(links.between(first, second)) for first, second in pairs]


def gates_of(coref: Array, overwrite: Array) -> Gates:
    """The gates (T, N) of one text as one model's over a batch of one."""
    c, o = (torch.from_numpy(array)[None, :, None] for array in (coref, overwrite))
    return Gates((c + o).sum(-1), c, o, torch.zeros_like(c))


#                      token 0     token 1       token 2
COREF = np.array([[0.0, 0.0], [0.1, 0.0], [0.4, 0.2]], dtype=np.float32)
OVERWRITE = np.array([[0.8, 0.0], [0.25, 0.5], [0.25, 0.0]], dtype=np.float32)


@pytest.mark.parametrize("link", [in_training, in_a_log])
def test_links_between_three_tokens(link: Link) -> None:
    # 0 and 1: cell 1: 0.8 * (1 - 0.25) * 0.1 = 0.06; cell 2: nothing there.
    # 0 and 2: cell 1: 0.8 * (1 - 0.25) * (1 - 0.25) * 0.4 = 0.18.
    # 1 and 2: cell 1: (0.25 + 0.1) * (1 - 0.25) * 0.4 = 0.105; cell 2: 0.5 * 1 * 0.2 = 0.1.
    found = link(COREF, OVERWRITE, [(0, 1), (0, 2), (1, 2)])
    assert found == pytest.approx([0.06, 0.18, 0.205], abs=1e-6)


@pytest.mark.parametrize("link", [in_training, in_a_log])
def test_a_sure_overwrite_between_two_tokens_cuts_their_link(link: Link) -> None:
    # The person of token 0 is gone at token 1; token 2 is of the one written there.
    coref = np.array([[0.0], [0.0], [0.9]], dtype=np.float32)
    overwrite = np.array([[1.0], [1.0], [0.0]], dtype=np.float32)
    assert link(coref, overwrite, [(0, 2), (1, 2)]) == pytest.approx([0.0, 0.9], abs=2e-6)


@given(st.integers(1, 12), st.integers(1, 4), st.data())
def test_both_give_the_same_link(num_tokens: int, num_cells: int, draw: st.DataObject) -> None:
    coref, overwrite = draw.draw(random_gates(num_tokens, num_cells))
    pairs = list(combinations_with_replacement(range(num_tokens), 2))
    differentiable, plain = (link(coref, overwrite, pairs) for link in (in_training, in_a_log))
    assert differentiable == pytest.approx(plain, abs=1e-5)


@given(st.integers(2, 8), st.integers(1, 3), st.data())
def test_a_link_is_a_probability(num_tokens: int, num_cells: int, draw: st.DataObject) -> None:
    coref, overwrite = draw.draw(random_gates(num_tokens, num_cells))
    pairs = list(combinations_with_replacement(range(num_tokens), 2))
    assert all(-1e-6 <= value <= 1 + 1e-6 for value in in_training(coref, overwrite, pairs))


def test_the_gradient_says_which_gates_made_the_link() -> None:
    # P(0, 2) = o_0 (1 - o_1) (1 - o_2) c_2 in cell 1 (c_0 adds to o_0):
    # by o_0 and c_0: 0.75 * 0.75 * 0.4 = 0.225; by o_1 and by o_2: -0.8 * 0.75 * 0.4 = -0.24;
    # by c_2: 0.8 * 0.75 * 0.75 = 0.45.
    # In cell 2, o_0 = 0 leaves only what o_0 and c_0 would add: (1 - 0.5) * 1 * 0.2 = 0.1.
    gates = gates_of(COREF, OVERWRITE)
    coref, overwrite = gates.coref_prob.requires_grad_(), gates.overwrite_prob.requires_grad_()
    link_probability(gates, torch.tensor([[0]]), torch.tensor([[2]])).sum().backward()
    assert coref.grad is not None
    assert overwrite.grad is not None
    assert_close(coref.grad[0, :, 0], torch.tensor([[0.225, 0.1], [0.0, 0.0], [0.45, 0.0]]))
    assert_close(overwrite.grad[0, :, 0], torch.tensor([[0.225, 0.1], [-0.24, 0.0], [-0.24, 0.0]]))
