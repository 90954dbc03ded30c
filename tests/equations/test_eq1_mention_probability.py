"""Equation 1: e_t = sigmoid(MLP_1(h_t))."""

from __future__ import annotations

from math import log

import torch
from torch.testing import assert_close

from petra.memory.gates import MentionWeights, mention_probability


def test_two_relu_layers_and_a_sigmoid() -> None:
    # h = (1, 2). First layer: (1, 2) + (0, -3) = (1, -1), after the ReLU (1, 0).
    # Second layer: (1 * 2 + 0 * 5, 1 * 1 + 0 * 5) + (0, -2) = (2, -1), after the ReLU (2, 0).
    # Out: 2 * ln(3) + 0 * 7 - ln(3) = ln 3, and sigmoid(ln 3) = 3 / (3 + 1) = 0.75.
    mlp = MentionWeights(
        first=torch.tensor([[[1.0, 0.0], [0.0, 1.0]]]),
        first_bias=torch.tensor([[0.0, -3.0]]),
        second=torch.tensor([[[2.0, 1.0], [5.0, 5.0]]]),
        second_bias=torch.tensor([[0.0, -2.0]]),
        out=torch.tensor([[[log(3)], [7.0]]]),
        out_bias=torch.tensor([[-log(3)]]),
    )
    hidden = torch.tensor([[[1.0, 2.0]]])  # one model, one token
    assert_close(mention_probability(hidden, mlp), torch.tensor([[0.75]]))


def test_each_model_has_weights_of_its_own() -> None:
    # The hidden layers pass h = 1 through; the outputs are ln 3 for the first model and -ln 3 for the second.
    one = torch.ones(2, 1, 1)
    mlp = MentionWeights(one, torch.zeros(2, 1), one, torch.zeros(2, 1), one * log(3), torch.zeros(2, 1))
    mlp = mlp._replace(out=torch.tensor([[[log(3)]], [[-log(3)]]]))
    assert_close(mention_probability(torch.ones(2, 4, 1), mlp), torch.tensor([[0.75] * 4, [0.25] * 4]))
