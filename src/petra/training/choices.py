"""Weights of features learned from choices: a softmax over candidates, of which some are right.

Letters: n choices, c candidates of a choice, F features.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

_STEPS = 100  # of the optimizer, at most


class Choice(NamedTuple):
    """The features of each candidate, and which of them are right."""

    rows: Sequence[Mapping[str, float]]
    right: Sequence[bool]


def fit_choices(choices: Sequence[Choice], initial: Mapping[str, float], penalty: float) -> dict[str, float]:
    """The weights of least cross-entropy, with a penalty on how far they move from the initial ones."""
    names = list(initial)
    widest = max(len(choice.rows) for choice in choices)
    values = torch.zeros(len(choices), widest, len(names))  # (n, c, F)
    right = torch.zeros(len(choices), widest, dtype=torch.bool)  # (n, c)
    absent = torch.ones(len(choices), widest, dtype=torch.bool)  # (n, c)
    for number, choice in enumerate(choices):
        absent[number, : len(choice.rows)] = False
        right[number, : len(choice.rows)] = torch.tensor(choice.right)
        values[number, : len(choice.rows)] = torch.stack([vector(row, names) for row in choice.rows])

    def loss(weights: Tensor) -> Tensor:
        scores = (values @ weights).masked_fill(absent, float("-inf"))  # (n, c)
        return -(scores.masked_fill(~right, float("-inf")).logsumexp(1) - scores.logsumexp(1)).mean()

    return fit(loss, initial, penalty)


def fit(loss: Callable[[Tensor], Tensor], initial: Mapping[str, float], penalty: float) -> dict[str, float]:
    """The weights of least loss, with a penalty on how far they move from the initial ones."""
    start = torch.tensor(list(initial.values()))
    weights = start.clone().requires_grad_()
    optimizer = torch.optim.LBFGS([weights], max_iter=_STEPS, line_search_fn="strong_wolfe")

    def closure() -> Tensor:
        optimizer.zero_grad()
        value = loss(weights) + penalty * (weights - start).square().sum()
        value.backward()
        return value

    optimizer.step(closure)
    return {name: round(value, 2) for name, value in zip(initial, weights.tolist(), strict=True)}


def vector(row: Mapping[str, float], names: Iterable[str]) -> Tensor:
    """The values of features, 0 for those that a row does not have."""
    return torch.tensor([row.get(name, 0.0) for name in names])


def tables(weights: Mapping[str, Mapping[str, float]], comment: str) -> str:
    """Weights as TOML, a table for each set of them, without those that count for nothing."""
    lines = [f"# {line}" for line in comment.splitlines()]
    for table, values in weights.items():
        lines += ["", f"[{table}]", *(f"{name} = {value:.2f}" for name, value in values.items() if abs(value) >= 0.005)]
    return "\n".join(lines) + "\n"
