"""The loop over tokens on a GPU: one kernel for each direction, and the weights' gradients as four products.

It computes what ``petra.memory.scan`` does; ``forward`` and ``backward`` hold the
kernels. They need Triton, and are therefore imported only where they are used.

Letters: E models, T tokens, B texts, N cells, H hidden size, M size of MLP_2's layers;
P programs of a model, R rows of a program; H' and M' sizes padded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, cast

import torch
import torch.nn.functional as F
from torch import Tensor

from petra.memory.cells import MemoryState
from petra.memory.gates import SimilarityWeights
from petra.memory.kernels.backward import backward_kernel
from petra.memory.kernels.forward import forward_kernel
from petra.memory.kernels.layout import Plan, layout_of, matrices_of, plan_of, sizes_of
from petra.memory.linear import outer
from petra.memory.step import LoopWeights, TokenTerms
from petra.memory.variants import Vanilla

GateTensors = tuple[Tensor, Tensor, Tensor]  # c, o and u, (E, T, B, N)


def train_fused(
    terms: TokenTerms,
    start: MemoryState,
    noise: Tensor,
    absent: Tensor,
    temperature: Tensor,
    weights: LoopWeights,
    variant: Vanilla,
    decay: float,
    plan: Plan | None = None,
) -> GateTensors:
    """Read all tokens with soft overwrites, differentiably, as ``petra.memory.scan.scan_training`` does."""
    return _fused_scan(
        variant,
        decay,
        plan or plan_of(torch.bfloat16),  # whose range gradients need
        *terms,
        noise,
        _capacity(absent),
        start.cells,
        start.usage,
        temperature,
        weights.update_cell,
        *weights.similarity,
    )


@torch.no_grad()
def read_fused(
    terms: TokenTerms,
    start: MemoryState,
    absent: Tensor,
    preference: Tensor | None,
    weights: LoopWeights,
    variant: Vanilla,
    decay: float,
    plan: Plan | None = None,
) -> tuple[GateTensors, MemoryState]:
    """Read all tokens with hard overwrites, as ``petra.memory.scan.scan_inference`` does."""
    if preference is not None:
        preference = preference.contiguous()
    hard = OverwriteInputs(None, preference, terms.mention_prob.new_ones(()))
    plan = plan or plan_of(torch.float16)  # no less exact than TF32
    made = _forward(terms, start, hard, _capacity(absent), weights, variant, decay, plan)
    return made.gates, MemoryState(made.cells, made.gates[2][:, -1])


def _capacity(absent: Tensor) -> Tensor:
    """How many cells each model has, (E,), from 0 for those and -inf for the rest, (E, 1, N)."""
    return (absent == 0).sum((1, 2), dtype=torch.int32)


class OverwriteInputs(NamedTuple):
    """How overwrites are decided: softly by noise, or without any by usage and then preference."""

    noise: Tensor | None  # (E, T, B, N)
    preference: Tensor | None  # (E, B, N)
    temperature: Tensor


class SavedTensors(NamedTuple):
    """What the forward pass saves for the backward pass, (E, T, P, R, ...); without one, what the next token needs."""

    inputs: Tensor  # (..., 2H')
    first: Tensor  # (..., M')
    active: Tensor | None  # (..., M')
    merged: Tensor | None  # (..., H')
    decisions: Tensor | None  # (E, T, P, 4, R)


class ForwardPass(NamedTuple):
    """What the kernel of the forward pass computed."""

    gates: GateTensors
    cells: Tensor  # after the last token  (E, B, N, H)
    saved: SavedTensors


def _forward(
    terms: TokenTerms,
    start: MemoryState,
    overwrite: OverwriteInputs,
    capacity: Tensor,
    weights: LoopWeights,
    variant: Vanilla,
    decay: float,
    plan: Plan,
) -> ForwardPass:
    """Run the kernel of the forward pass; what the backward pass needs is saved where overwrites are soft."""
    terms = TokenTerms(*(term.contiguous() for term in terms))
    models, tokens, batch, size = terms.hidden.shape
    num_cells, layer = start.cells.shape[2], terms.share.shape[-1]
    layout = layout_of(plan, batch, num_cells, size, layer)
    soft = overwrite.noise is not None
    slots = tokens if soft else 2

    def empty(*shape: int, tokens: int = tokens, dtype: torch.dtype = plan.dtype) -> Tensor:
        return terms.hidden.new_empty(models, tokens, layout.programs, *shape, dtype=dtype)

    saved = SavedTensors(
        inputs=empty(plan.rows, 2 * layout.width, tokens=slots),
        first=empty(plan.rows, layout.depth, tokens=slots),
        active=empty(plan.rows, layout.depth, dtype=torch.int8) if soft else None,
        merged=empty(plan.rows, layout.width) if soft else None,
        decisions=empty(4, plan.rows, dtype=torch.float32) if soft else None,
    )
    matrices = matrices_of(weights, layout, plan.dtype)
    cells = start.cells.clone(memory_format=torch.contiguous_format)
    gates = cast(GateTensors, tuple(terms.hidden.new_zeros(models, tokens, batch, num_cells) for _ in range(3)))
    mlp = weights.similarity
    with torch.cuda.device_of(cells):
        forward_kernel[(models * layout.programs,)](
            *terms,
            *overwrite,
            capacity,
            matrices.first,
            matrices.second,
            F.pad(mlp.out, (0, layout.depth - layer)),
            mlp.out_bias,
            matrices.merge,
            cells,
            start.usage.contiguous(),
            *gates,
            *saved,
            tokens,
            slots,
            batch,
            layout.programs,
            decay,
            **sizes_of(variant, plan, layout, num_cells, size, layer),
        )
    return ForwardPass(gates, cells, saved)


class _FusedScan(torch.autograd.Function):
    """The loop with soft overwrites as one differentiable operation."""

    @staticmethod
    def forward(
        ctx: Any,
        variant: Vanilla,
        decay: float,
        plan: Plan,
        hidden: Tensor,
        mention_prob: Tensor,
        share: Tensor,
        update: Tensor,
        noise: Tensor,
        capacity: Tensor,
        initial: Tensor,
        usage: Tensor,
        temperature: Tensor,
        update_cell: Tensor,
        *similarity: Tensor,
    ) -> GateTensors:
        weights = LoopWeights(update_cell, SimilarityWeights(*similarity))
        overwrite = OverwriteInputs(noise.contiguous(), None, temperature)
        terms = TokenTerms(hidden, mention_prob, share, update)
        made = _forward(terms, MemoryState(initial, usage), overwrite, capacity, weights, variant, decay, plan)
        ctx.variant, ctx.decay, ctx.plan = variant, decay, plan
        ctx.save_for_backward(hidden, capacity, temperature, *made.gates, *made.saved, update_cell, *similarity)
        ctx.mark_non_differentiable(made.gates[2])
        return made.gates

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor | None, ...]:
        hidden, capacity, temperature, *rest = ctx.saved_tensors
        gates, saved = rest[:3], SavedTensors(*rest[3:8])
        weights = LoopWeights(rest[8], SimilarityWeights(*rest[9:]))
        mlp = weights.similarity
        models, tokens, batch, size = hidden.shape
        num_cells, layer = gates[0].shape[-1], mlp.out.shape[-1]
        layout = layout_of(ctx.plan, batch, num_cells, size, layer)
        matrices = matrices_of(weights, layout, ctx.plan.dtype)
        out = F.pad(mlp.out, (0, layout.depth - layer))  # (E, M')

        grad_cells = hidden.new_zeros(models, batch, num_cells, size)
        grad_terms = TokenTerms(
            hidden=torch.empty_like(hidden, memory_format=torch.contiguous_format),
            mention_prob=hidden.new_empty(models, tokens, batch),
            share=hidden.new_empty(models, tokens, batch, layer),
            update=hidden.new_empty(models, tokens, batch, size),
        )
        grad_first, grad_second = torch.empty_like(saved.first), torch.empty_like(saved.first)
        grad_merged = torch.empty_like(cast(Tensor, saved.merged))
        grad_score = hidden.new_zeros(models, tokens, layout.programs, ctx.plan.rows)
        with torch.cuda.device_of(hidden):
            backward_kernel[(models * layout.programs,)](
                hidden.contiguous(),
                temperature,
                capacity,
                matrices.first.transpose(1, 2).contiguous(),
                (matrices.second * out.unsqueeze(1)).to(ctx.plan.dtype).transpose(1, 2).contiguous(),
                matrices.merge.transpose(1, 2).contiguous(),
                *gates,
                *(grad.contiguous() for grad in grad_outputs[:2]),
                *saved,
                grad_cells,
                *grad_terms,
                grad_first,
                grad_second,
                grad_merged,
                grad_score,
                tokens,
                batch,
                layout.programs,
                ctx.decay,
                **sizes_of(ctx.variant, ctx.plan, layout, num_cells, size, layer),
            )
        of_first = outer(saved.inputs, grad_first)  # (E, 2H', M')
        of_second = outer(saved.first, grad_second)  # (E, M', M')
        of_merge = outer(saved.inputs[..., : layout.width], grad_merged)  # (E, H', H')
        # The kernel leaves the output layer out of the second's gradient. ReLU is the identity where it lets a
        # gradient through, so that the output layer's own is the same sum over the second layer's weights.
        of_out = (matrices.second * of_second).sum(1)
        of_second = of_second * out.unsqueeze(1)
        grad_similarity = (  # in the order of SimilarityWeights
            None,  # the token's rows and the first bias are multiplied into its share before the loop
            of_first[:, :size, :layer],
            of_first[:, layout.width : layout.width + size, :layer],
            of_first[:, size, :layer],
            None,
            of_second[:, :layer, :layer],
            of_second[:, layer, :layer],
            of_out[:, :layer],
            grad_score.sum((1, 2, 3)),
        )
        return (
            None,
            None,
            None,
            *grad_terms,
            None,
            None,
            grad_cells,
            None,
            None,
            of_merge[:, :size, :size],
            *grad_similarity,
        )


_fused_scan = cast(Callable[..., GateTensors], _FusedScan.apply)
