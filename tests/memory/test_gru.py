"""The GRU of several models equals ``torch.nn.GRU`` of each: states and gradients."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close

from petra.memory.gru import RecurrentWeights, recurrent_states

MODELS, TOKENS, TEXTS, FEATURES, SIZE = 3, 7, 2, 4, 5


def torch_grus() -> list[nn.GRU]:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return [nn.GRU(FEATURES, SIZE) for _ in range(MODELS)]


def weights_of(grus: list[nn.GRU]) -> RecurrentWeights:
    """The weights of each GRU as rows of inputs, the models stacked."""

    def stacked(name: str) -> Tensor:
        return torch.stack([getattr(gru, name).detach().t() for gru in grus]).requires_grad_()

    return RecurrentWeights(*map(stacked, ("weight_ih_l0", "bias_ih_l0", "weight_hh_l0", "bias_hh_l0")))


def random(*shape: int, seed: int) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("shared", [True, False], ids=["features for all models", "features of each model"])
def test_states_and_gradients_are_those_of_torch(shared: bool) -> None:
    grus = torch_grus()
    weights = weights_of(grus)
    features = random(1 if shared else MODELS, TOKENS, TEXTS, FEATURES, seed=1).requires_grad_()
    start = random(MODELS, TEXTS, SIZE, seed=2).requires_grad_()
    states = recurrent_states(features, start, weights)
    into = random(*states.shape, seed=3)  # the gradient that comes back from above
    ours = torch.autograd.grad((states * into).sum(), [features, start, *weights])

    total = torch.zeros(())
    for model, gru in enumerate(grus):
        own = features.expand(MODELS, -1, -1, -1)[model]
        theirs, _ = gru(own, start[model : model + 1])
        assert_close(states[model], theirs, atol=1e-5, rtol=1e-5)
        total = total + (theirs * into[model]).sum()
    assert_close(ours[:2], torch.autograd.grad(total, [features, start], retain_graph=True), atol=1e-5, rtol=1e-5)
    names = ("weight_ih_l0", "bias_ih_l0", "weight_hh_l0", "bias_hh_l0")
    for grad, name in zip(ours[2:], names, strict=True):
        expected = torch.autograd.grad(total, [getattr(gru, name) for gru in grus], retain_graph=True)
        assert_close(grad, torch.stack([each.t() for each in expected]), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("cut", [1, 3, TOKENS - 1])
def test_in_two_pieces_with_the_state_carried_over(cut: int) -> None:
    weights = weights_of(torch_grus())
    features, start = random(1, TOKENS, TEXTS, FEATURES, seed=1), random(MODELS, TEXTS, SIZE, seed=2)
    whole = recurrent_states(features, start, weights)
    before = recurrent_states(features[:, :cut], start, weights)
    after = recurrent_states(features[:, cut:], before[:, -1], weights)
    pieces = torch.cat([before, after], dim=1)
    assert_close(pieces, whole, atol=1e-6, rtol=1e-6)
    into = random(*whole.shape, seed=3)
    of_pieces = torch.autograd.grad((pieces * into).sum(), [*weights])
    of_whole = torch.autograd.grad((whole * into).sum(), [*weights])
    assert_close(of_pieces, of_whole, atol=1e-5, rtol=1e-5)


def test_the_hand_written_gradient_is_that_of_finite_differences() -> None:
    weights = [weight.detach().double().requires_grad_() for weight in weights_of(torch_grus()[:1])]
    features = random(1, 3, 1, FEATURES, seed=1).double().requires_grad_()
    start = random(1, 1, SIZE, seed=2).double().requires_grad_()
    assert torch.autograd.gradcheck(
        lambda features, start, *weights: recurrent_states(features, start, RecurrentWeights(*weights)),
        (features, start, *weights),
    )


@pytest.mark.parametrize("cut", [0, 2, TOKENS])
def test_one_text_without_gradients_is_read_alike(cut: int) -> None:
    weights = weights_of(torch_grus()[:1])
    features, start = random(1, TOKENS, 1, FEATURES, seed=1), random(1, 1, SIZE, seed=2)
    expected = recurrent_states(features, start, weights).detach()
    with torch.no_grad():
        before = recurrent_states(features[:, :cut], start, weights)
        after = recurrent_states(features[:, cut:], before[:, -1] if cut else start, weights)
    assert_close(torch.cat([before, after], dim=1), expected, atol=1e-6, rtol=1e-5)
    assert_close(features, random(1, TOKENS, 1, FEATURES, seed=1))  # what was given is left as it was


def test_no_tokens_have_no_states() -> None:
    weights = weights_of(torch_grus())
    states = recurrent_states(torch.zeros(1, 0, TEXTS, FEATURES), torch.zeros(MODELS, TEXTS, SIZE), weights)
    assert states.shape == (MODELS, 0, TEXTS, SIZE)
