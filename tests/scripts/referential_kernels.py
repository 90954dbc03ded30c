"""How far the Referential Reader's kernels are from its loop, as JSON: run as a script, under Triton's interpreter."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, NamedTuple
from unittest import mock

import torch
from kernel_differences import by_kernels, compared
from torch import Tensor

from petra.config import MemoryConfig
from petra.memory.referential import network
from petra.memory.referential.network import ReferentialReader
from petra.memory.referential.step import ReferentialState

TEXTS, CELLS, FEATURES, SIZE = 4, 5, 6, 20
TOKENS = 4  # the least with which a gate depends on the update of a value


class Case(NamedTuple):
    """A model, and what of the kernels' plan is not as in most cases."""

    capacity: tuple[int, ...] = (CELLS, CELLS)  # of each model
    plan: Mapping[str, Any] = MappingProxyType({})
    equal: bool = False  # whether a match and twice the salience are equal, and nothing is left to write
    dropout: float = 0.5
    tokens: int = TOKENS


WHOLE = MappingProxyType({"block": 32})  # all columns of a row at a time, which the interpreter is quicker with
CASES = {
    "as many cells": Case(),
    "one cell, without dropout": Case((1, CELLS), WHOLE, dropout=0.0),  # its texts fit a program: one is left idle
    "wide blocks, all texts in one program": Case(plan={"block": 64, "rows": 32}),
    "equals and bounds": Case((2, 4), WHOLE, equal=True),
    "half precision": Case(plan={"dtype": torch.float16, "rows": 32, **WHOLE}),
    "bfloat16": Case(plan={"dtype": torch.bfloat16, "rows": 32, **WHOLE}),
    "64 tokens": Case((CELLS,), plan={"step": 32, "rows": 32, **WHOLE}, tokens=64),
}


def reader_of(case: Case) -> ReferentialReader:
    config = MemoryConfig(num_cells=CELLS, hidden_size=SIZE, variant="referential-reader")
    reader = ReferentialReader(config, FEATURES, seeds=(1, 2)[: len(case.capacity)], capacity=case.capacity)
    with torch.no_grad():
        for name, parameter in reader.named_parameters():
            if not name.startswith("start"):
                parameter.mul_(2)  # larger weights, so that decisions are not all alike
        reader.start_hidden.uniform_(-1, 1, generator=torch.Generator().manual_seed(3))
        if case.equal:  # e_t is a half, of somebody known for certain, and the cells match equally
            reader.gates.zero_()
            reader.gates_bias.copy_(torch.tensor([0.0, 40.0, 0.0]))
            reader.query.zero_()
            reader.query_bias.zero_()
    return reader


@contextmanager
def beginning(case: Case) -> Iterator[None]:
    """Let salience begin where the cells' parts of a half are twice of it."""
    if not case.equal:
        yield
        return
    start = ReferentialReader.start

    def salient(self: ReferentialReader, batch: int) -> ReferentialState:
        state = start(self, batch)
        return state._replace(salience=(state.salience > 0) / (4.0 * self.capacity[:, None, None]))

    with mock.patch.object(ReferentialReader, "start", salient):
        yield


def trained(reader: ReferentialReader, case: Case) -> dict[str, Tensor]:
    """Gates with soft overwrites, and gradients of a sum of them."""
    generator = torch.Generator().manual_seed(0)
    features = torch.randn(1, case.tokens, TEXTS, FEATURES, generator=generator)
    real = torch.rand(case.tokens, TEXTS, generator=generator) < 0.8
    dropout = (
        torch.rand(reader.num_models, case.tokens, TEXTS, reader.dropout_size, generator=generator) >= case.dropout
    )
    noise = -torch.log(-torch.log(torch.rand(reader.num_models, case.tokens, TEXTS, CELLS, generator=generator)))
    weights = torch.randn(4, reader.num_models, case.tokens, TEXTS, CELLS, generator=generator)
    gates = reader.train_step(features, real, dropout / (1 - case.dropout), noise, torch.tensor(0.7))
    loss = (weights[0, ..., 0] * gates[0]).sum()
    for weight, gate in zip(weights[1:], gates[1:], strict=True):
        loss = loss + (weight * gate).sum()
    names = [name for name, _ in reader.named_parameters() if name != "match_bias"]  # which nothing depends on
    gradients = torch.autograd.grad(loss, [reader.get_parameter(name) for name in names])
    decided = {name: value.detach() for name, value in gates._asdict().items()}
    return {**decided, **dict(zip(names, gradients, strict=True))}


def read(reader: ReferentialReader, case: Case) -> dict[str, Tensor]:
    """Gates with hard overwrites."""
    generator = torch.Generator().manual_seed(1)
    features = torch.randn(1, case.tokens, TEXTS, FEATURES, generator=generator)
    real = torch.rand(case.tokens, TEXTS, generator=generator) < 0.8
    whole = all(reader.capacity == CELLS)
    preference = None  # or one, to try each
    if not whole:
        preference = torch.rand(reader.num_models, TEXTS, CELLS, generator=generator)
    return reader.read(features, real, preference)._asdict()


def main() -> None:
    from petra.memory.kernels.referential import scan as kernels

    torch.use_deterministic_algorithms(True)  # what was never written is then no number, and may not be read
    found = {}
    for name, case in CASES.items():
        reader = reader_of(case)
        with beginning(case):
            theirs = trained(reader, case), read(reader, case)
            with by_kernels(network, kernels, case.plan):
                ours = trained(reader, case), read(reader, case)
        found[name] = compared(ours, theirs)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
