"""How the Referential Reader's kernels divide their work, and the parameters as they need them.

A column of ones after the H columns of a row lets a matrix hold its bias as its next row.

Letters: E models, H hidden size, K size of a key; S slots for texts of a program, P
programs of a model; H' is H padded.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from petra.memory.kernels.layout import Plan, exact_products
from petra.memory.referential.checkpointing import Tensors
from petra.memory.referential.step import Vectors


def reader_plan(half: torch.dtype) -> Plan:
    """A plan with products of that half precision, or of single where no less is allowed."""
    if exact_products():
        return Plan(block=32, step=32, stages=2, dtype=torch.float32)  # without tensor cores, small tiles fit registers
    return Plan(dtype=half)


class ReaderLayout(NamedTuple):
    """Sizes that follow from a plan and the shapes of what it is for."""

    texts: int  # S
    programs: int  # P
    width: int  # H'


def reader_layout(plan: Plan, batch: int, num_cells: int, size: int) -> ReaderLayout:
    """The layout for texts of so many cells.

    A model with fewer cells may have more texts in a program, as many as there are slots.
    """
    each = min(plan.rows // num_cells, batch)
    texts = max(16, 1 << (each - 1).bit_length())
    return ReaderLayout(texts, -(-batch // each), plan.padded(size))


class ReaderMatrices(NamedTuple):
    """What the loop multiplies by, padded with zeros, in the order of ``ReferentialProducts``."""

    recurrent: Tensor  # (E, H', H')
    readout: Tensor  # (E, H', 2K + H')
    query: Tensor  # (E, K, K)
    residual: Tensor  # (E, K, K)
    key_inputs: Tensor  # (E, K, 3K)
    key_cells: Tensor  # (E, K, 3K)
    value_inputs: Tensor  # (E, H', 3H')
    value_cells: Tensor  # (E, H', 3H')
    hidden: Tensor  # (E, H', 3H')

    def transposed(self) -> ReaderMatrices:
        """Each with rows and columns exchanged, for the backward pass."""
        return ReaderMatrices(*(matrix.transpose(1, 2).contiguous() for matrix in self))


class ReaderVectors(NamedTuple):
    """The parameters that stay vectors; the other biases are rows of the matrices."""

    gates: Tensor  # w_e, w_r, w_g with their biases as the next column  (E, 3, H')
    query: Tensor  # (E, K)
    key_inputs: Tensor  # (E, 3K)
    key_cells: Tensor  # (E, 3K)


def reader_matrices(matrices: Tensors, vectors: Vectors, width: int, dtype: torch.dtype) -> ReaderMatrices:
    """The matrices of a width, in a dtype."""
    recurrent, readout, query, residual, key_inputs, key_cells, value_inputs, value_cells, hidden = matrices
    more = width - recurrent.shape[1]
    inner_bias = F.pad(vectors.inner_query, (0, readout.shape[2] - vectors.inner_query.shape[1]))
    padded = (
        F.pad(recurrent, (0, more, 0, more)),
        F.pad(torch.cat([readout, inner_bias.unsqueeze(1)], dim=1), (0, more, 0, more - 1)),
        query,
        residual,
        key_inputs,
        key_cells,
        _by_gate(value_inputs, vectors.value_inputs, more),
        _by_gate(value_cells, vectors.value_cells, more),
        _by_gate(hidden, vectors.hidden, more),
    )
    return ReaderMatrices(*(matrix.to(dtype).contiguous() for matrix in padded))


def reader_vectors(vectors: Vectors, width: int) -> ReaderVectors:
    """The vectors of a width."""
    gates = torch.cat([vectors.gates, vectors.gates_bias.unsqueeze(2)], dim=2)
    gates = F.pad(gates, (0, width - gates.shape[2]))
    return ReaderVectors(*(each.contiguous() for each in (gates, vectors.query, vectors.key_inputs, vectors.key_cells)))


def _by_gate(weight: Tensor, bias: Tensor, more: int) -> Tensor:
    """A GRU's matrix (E, H, 3H) with its bias (E, 3H) as the next row, each of three parts padded: (E, H', 3H')."""
    joined = torch.cat([weight, bias.unsqueeze(1)], dim=1).unflatten(2, (3, -1))  # (E, H + 1, 3, H)
    return F.pad(joined, (0, more, 0, 0, 0, more - 1)).flatten(2)


def whole_gates(grad: Tensor, size: int) -> tuple[Tensor, Tensor]:
    """What ``_by_gate`` joined, from (E, H', 3H') without what fills it up: (E, H, 3H) and (E, 3H)."""
    parts = grad.unflatten(2, (3, -1))[..., :size].flatten(2)
    return parts[:, :size], parts[:, size]


def reader_sizes(plan: Plan, layout: ReaderLayout, num_cells: int, size: int, key_size: int) -> dict[str, Any]:
    """What both kernels are compiled for."""
    return {
        "num_cells": num_cells,
        "size": size,
        "key_size": key_size,
        "texts": layout.texts,
        "width": layout.width,
        "wide": 4 * plan.block,  # columns made at a time of rows that are texts, which are fewer
        "strip": max(16, plan.block // 2),  # and where many tiles are held at once
        "ahead": plan.stages + 1,
        **plan.options(),
    }
