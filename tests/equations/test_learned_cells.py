"""The initial values of learned cells: where they come from, and what zero would do."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.testing import assert_close

from petra.config import MemoryConfig, Variant
from petra.memory import scan
from petra.memory.cells import absent_cells
from petra.memory.network import Network

CELLS, FEATURES, TEXTS, TOKENS = 4, 6, 3, 5


def network_of(variant: Variant, seed: int = 1) -> Network:
    config = MemoryConfig(num_cells=CELLS, hidden_size=40, mlp_size=10, key_size=20, variant=variant)
    return Network(config, FEATURES, seeds=(seed,))


def gates_of(network: Network) -> tuple[Tensor, ...]:
    """What a network decides on reading some texts, the cells of each token by their values: equal ones may swap."""
    features = torch.randn(1, TOKENS, TEXTS, FEATURES, generator=torch.Generator().manual_seed(0))
    absent = absent_cells(network.capacity, CELLS)
    with torch.no_grad():
        gates, _ = scan.scan_inference(
            network.token_terms(network.hidden_states(features)),
            network.start(TEXTS),
            absent,
            None,
            network.similarity_weights,
            network.update_weights,
            network.variant,
            network.config.usage_decay,
        )
    return tuple(gate.sort(dim=-1).values if gate.dim() == 4 else gate for gate in gates)


def test_learned_cells_begin_normal_with_a_deviation_of_a_tenth() -> None:
    for variant, name in (("learned-init", "initial_cells"), ("fixed-key", "keys")):
        values = network_of(variant).get_parameter(name).detach()  # type: ignore[arg-type]
        assert 0.06 < float(values.std()) < 0.14  # of 80 numbers or more
        assert abs(float(values.mean())) < 0.05
        other = network_of(variant, seed=2).get_parameter(name).detach()  # type: ignore[arg-type]
        assert not torch.equal(values, other)


def test_from_zero_a_learned_memory_reads_like_vanilla() -> None:
    learned, vanilla = network_of("learned-init"), network_of("vanilla")
    with torch.no_grad():
        for name, parameter in vanilla.named_parameters():
            parameter.copy_(learned.get_parameter(name))
        learned.initial_cells.zero_()
    for ours, theirs in zip(gates_of(learned), gates_of(vanilla), strict=True):
        assert_close(ours, theirs)


def test_other_than_zero_it_does_not() -> None:
    learned, vanilla = network_of("learned-init"), network_of("vanilla")
    with torch.no_grad():
        for name, parameter in vanilla.named_parameters():
            parameter.copy_(learned.get_parameter(name))
        learned.initial_cells.mul_(20)
    assert any(
        (ours - theirs).abs().max() > 1e-4 for ours, theirs in zip(gates_of(learned), gates_of(vanilla), strict=True)
    )
