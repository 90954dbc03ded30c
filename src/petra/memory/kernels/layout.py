"""How the fused kernels divide their work, and the weights as they need them.

Letters: E models, N cells, H hidden size, M size of MLP_2's layers; P programs of a
model, R rows of a program; H' and M' sizes padded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from petra.memory.step import LoopWeights
from petra.memory.variants import Vanilla


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """How the kernels divide their work; the sizes are powers of two from 16."""

    rows: int = 64  # R: the cells of a program, those of one or several texts
    block: int = 64  # columns of a product made at a time
    step: int = 64  # of what these columns are summed over, at a time
    warps: int = 4
    stages: int = 3  # loads under way at a time
    registers: int | None = None  # at most, of a thread: fewer let more programs run side by side
    dtype: torch.dtype = torch.bfloat16  # of the factors of products, and of the rows that are saved

    def padded(self, length: int) -> int:
        """A length padded to whole steps, with one column at least to spare."""
        return (length // self.step + 1) * self.step

    def options(self) -> dict[str, Any]:
        """What of it every kernel is compiled for."""
        return {
            "rows": self.rows,
            "block": self.block,
            "step": self.step,
            "precision": "ieee" if exact_products() else "tf32",
            "num_warps": self.warps,
            "num_stages": self.stages,
            "maxnreg": self.registers,
        }


def exact_products() -> bool:
    """Whether PyTorch's own products of single precision may be of no less."""
    return torch.get_float32_matmul_precision() == "highest"


def plan_of(half: torch.dtype) -> Plan:
    """A plan with products of that half precision, or of single where no less is allowed."""
    return Plan(dtype=torch.float32 if exact_products() else half)


class KernelLayout(NamedTuple):
    """Sizes that follow from a plan and the shapes of what it is for."""

    texts: int  # that a program may hold
    programs: int  # P
    width: int  # H'
    depth: int  # M'


def layout_of(plan: Plan, batch: int, num_cells: int, size: int, layer: int) -> KernelLayout:
    """The layout for texts of so many cells."""
    texts = max(16, 1 << (min(batch, plan.rows) - 1).bit_length())
    each = min(plan.rows // num_cells, texts)
    return KernelLayout(texts, -(-batch // each), plan.padded(size), plan.padded(layer))


class KernelMatrices(NamedTuple):
    """The loop's weights as the kernels want them, padded with zeros."""

    first: Tensor  # rows for the cells, then their usage; then rows for their product with h_t  (E, 2H', M')
    second: Tensor  # the row after MLP_2's M rows is its bias  (E, M', M')
    merge: Tensor  # (E, H', H')


def matrices_of(weights: LoopWeights, layout: KernelLayout, dtype: torch.dtype) -> KernelMatrices:
    """The matrices of a layout, in a dtype."""
    mlp = weights.similarity
    cell = torch.cat([mlp.cell, mlp.usage.unsqueeze(1)], dim=1)
    second = torch.cat([mlp.second, mlp.second_bias.unsqueeze(1)], dim=1)
    first = torch.cat([_padded(each, layout.width, layout.depth) for each in (cell, mlp.product)], dim=1)
    second = _padded(second, layout.depth, layout.depth)
    merge = _padded(weights.update_cell, layout.width, layout.width)
    return KernelMatrices(*(matrix.to(dtype) for matrix in (first, second, merge)))


def _padded(matrix: Tensor, rows: int, columns: int) -> Tensor:
    return F.pad(matrix, (0, columns - matrix.shape[2], 0, rows - matrix.shape[1]))


def sizes_of(
    variant: Vanilla, plan: Plan, layout: KernelLayout, num_cells: int, size: int, layer: int
) -> dict[str, Any]:
    """What both kernels are compiled for."""
    return {
        "num_cells": num_cells,
        "size": size,
        "layer": layer,
        "key_size": variant.key_size,
        "by_similarity": variant.by_similarity,
        "texts": layout.texts,
        "width": layout.width,
        "depth": layout.depth,
        **plan.options(),
    }
