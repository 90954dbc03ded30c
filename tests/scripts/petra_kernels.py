"""How far the fused kernels are from the loop over tokens, as JSON: run as a script, under Triton's interpreter."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import torch
from kernel_differences import by_kernels, compared
from torch import Tensor

from petra.config import MemoryConfig, Variant
from petra.memory import scan
from petra.memory.cells import absent_cells
from petra.memory.network import Network

TOKENS, TEXTS, CELLS, FEATURES, SIZE, LAYER = 4, 4, 5, 6, 20, 18


class Case(NamedTuple):
    """A model, and what of the kernels' plan is not as in most cases."""

    variant: Variant = "vanilla"
    capacity: tuple[int, ...] = (CELLS, CELLS)  # of each model
    plan: Mapping[str, Any] = MappingProxyType({})
    tokens: int = TOKENS


CASES = {
    "vanilla": Case(),
    "learned-init": Case("learned-init"),
    "fixed-key": Case("fixed-key"),
    "vanilla with fewer cells": Case(capacity=(2, CELLS)),  # all its texts fit a program: one is left idle
    "learned-init with fewer cells": Case("learned-init", (2, CELLS)),
    "fixed-key with fewer cells": Case("fixed-key", (2, CELLS)),
    "blocks wider than what is left": Case("learned-init", plan={"block": 64}),
    "all texts in one program": Case("learned-init", plan={"rows": 32}),
    "half precision": Case("learned-init", plan={"dtype": torch.float16}),
    "bfloat16": Case("learned-init", plan={"dtype": torch.bfloat16}),
    "64 tokens": Case("learned-init", (CELLS,), plan={"block": 32, "step": 32, "rows": 32}, tokens=64),
}


def network_of(case: Case) -> Network:
    config = MemoryConfig(num_cells=CELLS, hidden_size=SIZE, mlp_size=LAYER, key_size=3, variant=case.variant)
    network = Network(config, FEATURES, seeds=(1, 2)[: len(case.capacity)], capacity=case.capacity)
    with torch.no_grad():  # larger weights, so that decisions are not all alike
        for parameter in network.parameters():
            parameter.mul_(2)
    return network


def trained(network: Network, tokens: int) -> dict[str, Tensor]:
    """Gates with soft overwrites, and gradients of a loss of them."""
    generator = torch.Generator().manual_seed(0)
    features = torch.randn(1, tokens, TEXTS, FEATURES, generator=generator)
    real = torch.rand(tokens, TEXTS, generator=generator) < 0.8
    dropout = (torch.rand(network.num_models, tokens, TEXTS, SIZE, generator=generator) < 0.5) * 2.0
    noise = -torch.log(-torch.log(torch.rand(network.num_models, tokens, TEXTS, CELLS, generator=generator)))
    weights = torch.randn(2, network.num_models, tokens, TEXTS, CELLS, generator=generator)
    gates = network.train_step(features, real, dropout, noise, torch.tensor(0.7))
    loss = (weights[0] * gates.coref_prob + weights[1] * gates.overwrite_prob).sum()
    names = [name for name, _ in network.named_parameters()]
    gradients = torch.autograd.grad(loss, [network.get_parameter(name) for name in names])
    decided = {name: value.detach() for name, value in gates._asdict().items()}
    return {**decided, **dict(zip(names, gradients, strict=True))}


@torch.no_grad()
def read(network: Network, tokens: int) -> dict[str, Tensor]:
    """Gates with hard overwrites, and the memory after them: the second half is read from where the first ended."""
    generator = torch.Generator().manual_seed(1)
    features = torch.randn(1, tokens, TEXTS, FEATURES, generator=generator)
    whole = all(network.capacity == CELLS)
    preference = None  # or one, to try each
    if not whole:
        preference = torch.rand(network.num_models, TEXTS, CELLS, generator=generator)
    terms = network.token_terms(network.hidden_states(features))
    state = network.start(TEXTS)
    absent = absent_cells(network.capacity, CELLS)
    found = {}
    for half in (slice(0, tokens // 2), slice(tokens // 2, tokens)):
        part = type(terms)(*(term[:, half] for term in terms))
        gates, state = scan.scan_inference(
            part,
            state,
            absent,
            preference,
            network.similarity_weights,
            network.update_weights,
            network.variant,
            network.config.usage_decay,
        )
        found.update({f"{name} from token {half.start}": value for name, value in gates._asdict().items()})
    return {**found, **{f"{name} at the end": value for name, value in state._asdict().items()}}


def main() -> None:
    from petra.memory.kernels import scan as kernels

    found = {}
    for name, case in CASES.items():
        network = network_of(case)
        theirs = trained(network, case.tokens), read(network, case.tokens)
        with by_kernels(scan, kernels, case.plan):
            ours = trained(network, case.tokens), read(network, case.tokens)
        found[name] = compared(ours, theirs)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
