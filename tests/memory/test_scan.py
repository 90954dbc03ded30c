"""The fast loop equals the plain one: gates and gradients, all variants, padding, several models at once."""

from __future__ import annotations

import pytest
import torch
from oracle import read as plain_read
from torch import Tensor
from torch.testing import assert_close

from petra.config import MemoryConfig, Variant
from petra.memory.network import Network

VARIANTS: list[Variant] = ["vanilla", "learned-init", "fixed-key"]
LENGTHS = (7, 4)  # of the two texts; the second is padded


def network_of(variant: Variant, capacity: tuple[int, ...] = (3, 3)) -> Network:
    config = MemoryConfig(num_cells=3, hidden_size=6, mlp_size=5, key_size=2, variant=variant)
    network = Network(config, input_size=4, seeds=(1, 2), capacity=capacity)
    with torch.no_grad():  # larger weights, so that decisions are not all alike
        for parameter in network.parameters():
            parameter.mul_(3)
    return network


def inputs(seed: int = 0) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    features = torch.randn(1, max(LENGTHS), 2, 4, generator=generator)
    real = torch.arange(max(LENGTHS))[:, None] < torch.tensor(LENGTHS)
    dropout = (torch.rand(2, max(LENGTHS), 2, 6, generator=generator) < 0.5) * 2.0
    uniform = torch.rand(2, max(LENGTHS), 2, 3, generator=generator)
    return features, real, dropout, -torch.log(-torch.log(uniform))


@pytest.mark.parametrize("capacity", [(3, 3), (2, 3)])
@pytest.mark.parametrize("variant", VARIANTS)
def test_training_equals_the_plain_loop_forward_and_backward(variant: Variant, capacity: tuple[int, ...]) -> None:
    network = network_of(variant, capacity)
    features, real, dropout, noise = inputs()
    weights = torch.randn(3, 2, max(LENGTHS), 2, 3, generator=torch.Generator().manual_seed(5))

    gates = network.train_step(features, real, dropout, noise, torch.tensor(0.7))
    loss = (weights[0] * gates.coref_prob + weights[1] * gates.overwrite_prob)[:, real].sum()
    loss = loss + (weights[2, ..., 0] * gates.mention_prob)[:, real].sum()
    fast = torch.autograd.grad(loss, list(network.parameters()))

    total = torch.tensor(0.0)
    for model in range(2):
        for text, length in enumerate(LENGTHS):
            cells = capacity[model]
            e, c, o, u = plain_read(
                network,
                model,
                features[0, :length, text],
                dropout=dropout[model, :, text],
                noise=noise[model, :, text, :cells],
                temperature=0.7,
            )
            assert_close(gates.mention_prob[model, :length, text], e, atol=1e-5, rtol=1e-5)
            assert_close(gates.coref_prob[model, :length, text, :cells], c, atol=1e-5, rtol=1e-5)
            assert_close(gates.overwrite_prob[model, :length, text, :cells], o, atol=1e-5, rtol=1e-5)
            assert_close(gates.usage[model, :length, text, :cells], u, atol=1e-5, rtol=1e-5)
            assert not gates.overwrite_prob[model, :, text, cells:].any()
            own = weights[:, model, :length, text]
            total = total + (own[0, :, :cells] * c + own[1, :, :cells] * o).sum() + (own[2, :, 0] * e).sum()
    plain = torch.autograd.grad(total, list(network.parameters()), allow_unused=True)
    for (name, parameter), ours, theirs in zip(network.named_parameters(), fast, plain, strict=True):
        expected = torch.zeros_like(parameter) if theirs is None else theirs
        assert_close(ours, expected, atol=1e-5, rtol=1e-4, msg=lambda text, name=name: f"{name}: {text}")


@pytest.mark.parametrize("variant", VARIANTS)
def test_reading_equals_the_plain_loop(variant: Variant) -> None:
    network = network_of(variant)
    features, real, _, _ = inputs(seed=3)
    with torch.no_grad():
        gates = network.read(features, real)
        for model in range(2):
            for text, length in enumerate(LENGTHS):
                plain = plain_read(network, model, features[0, :length, text])
                for ours, theirs in zip(gates, plain, strict=True):
                    assert_close(ours[model, :length, text], theirs, atol=1e-5, rtol=1e-5)


def test_a_preference_decides_between_equally_little_used_cells() -> None:
    network = network_of("vanilla")
    features, real, _, _ = inputs()
    preference = torch.tensor([0.0, 2.0, 1.0]).expand(2, 2, 3)
    with torch.no_grad():
        gates = network.read(features, real, preference)
        plain = plain_read(network, 0, features[0, :7, 0], preference=preference[0, 0])
    assert_close(gates.overwrite_prob[0, :, 0], plain[2], atol=1e-5, rtol=1e-5)
    assert gates.overwrite_prob[0, 0, 0].argmax() == 1  # the first person goes to the preferred cell


def test_a_seed_alone_decides_its_parameters() -> None:
    config = MemoryConfig(num_cells=2, hidden_size=4, mlp_size=4, key_size=2)
    alone = Network(config, 3, seeds=(7,))
    among = Network(config, 3, seeds=(5, 7))
    for name, parameter in alone.named_parameters():
        assert torch.equal(parameter[0], among.get_parameter(name)[1])
