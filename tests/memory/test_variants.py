"""The paper's variants, one fact each; and that a step of every variant is one graph for the compiler."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.testing import assert_close

from petra.config import MemoryConfig, Variant
from petra.memory import scan
from petra.memory.network import Network
from petra.memory.variants import FixedKey, LearnedInit, Vanilla, variant_of

USAGE = torch.tensor([0.0, 0.5, 0.0])
SIMILARITY = torch.tensor([1.0, 9.0, 2.0])


@pytest.mark.parametrize(
    ("name", "expected"), [("vanilla", Vanilla()), ("learned-init", LearnedInit()), ("fixed-key", FixedKey(3))]
)
def test_a_configuration_names_its_variant(name: Variant, expected: Vanilla) -> None:
    assert variant_of(MemoryConfig(variant=name, key_size=3)) == expected


def test_vanilla_takes_the_cells_as_they_are_asked_for() -> None:
    order = torch.tensor([3.0, 2.0, 1.0])
    assert Vanilla().hard_preference(SIMILARITY, USAGE, order) is order
    assert Vanilla().hard_preference(SIMILARITY, USAGE, None) is None


@pytest.mark.parametrize("variant", [LearnedInit(), FixedKey(1)])
def test_the_learned_variants_prefer_the_most_similar_unused_cell(variant: Vanilla) -> None:
    assert_close(variant.hard_preference(SIMILARITY, USAGE, None), torch.tensor([1.0, 0.0, 2.0]))


def test_only_the_keys_are_fixed() -> None:
    before, after = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([4.0, 5.0, 6.0])
    assert_close(FixedKey(1).keep_keys(before, after), torch.tensor([1.0, 5.0, 6.0]))
    assert_close(FixedKey(1).keep_keys_backward(after), torch.tensor([0.0, 5.0, 6.0]))
    assert LearnedInit().keep_keys(before, after) is after


@pytest.mark.parametrize("variant", [Vanilla(), LearnedInit()])
def test_backward_is_what_autograd_finds(variant: Vanilla) -> None:
    similarity = SIMILARITY.clone().requires_grad_()
    logits = variant.soft_preference(torch.zeros(3), similarity, USAGE == 0)
    grad_logits = torch.tensor([0.5, -1.0, 2.0])
    (logits * grad_logits + similarity).sum().backward()
    found = variant.soft_preference_backward(torch.ones(3), grad_logits, SIMILARITY, USAGE == 0)
    assert_close(found, similarity.grad)


@pytest.mark.filterwarnings("ignore:The .grad attribute")  # the compiler looks at that of every tensor
@pytest.mark.parametrize("name", ["vanilla", "learned-init", "fixed-key"])
def test_every_step_is_one_graph(name: Variant, monkeypatch: pytest.MonkeyPatch) -> None:
    @functools.cache
    def traced(step: Callable[..., Any], _: bool) -> Callable[..., Any]:  # as on a GPU, but for the machine code
        return torch.compile(step, fullgraph=True, dynamic=False, backend="eager")

    network = Network(MemoryConfig(num_cells=3, hidden_size=4, mlp_size=4, key_size=2, variant=name), 5)
    features, real = torch.randn(1, 3, 2, 5), torch.ones(3, 2)
    noise, dropout = torch.zeros(1, 3, 2, 3), torch.ones(1, 3, 2, 4)
    with torch.no_grad():
        expected = network.read(features, real)
        monkeypatch.setattr(scan, "compiled", traced)
        assert_close(tuple(network.read(features, real)), tuple(expected))
    network.train_step(features, real, dropout, noise, torch.tensor(1.0)).coref_prob.sum().backward()
    assert network.update.grad is not None
