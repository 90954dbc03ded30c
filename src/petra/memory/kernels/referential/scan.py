"""The Referential Reader's loop on a GPU: one kernel for each direction, and the matrices' gradients as products.

It computes what ``checkpointed_loop`` and ``loop`` do with the steps of ``referential.step``;
``forward`` and ``backward`` hold the kernels. They need
Triton, and are therefore imported only where they are used.

Letters: E models, T tokens, B texts, N cells, H hidden size (also of a value), K size of
a key; P programs of a model, R rows of a program; H' is H padded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, cast

import torch
import torch.nn.functional as F
from torch import Tensor

from petra.memory.kernels.layout import Plan
from petra.memory.kernels.referential.backward import backward_kernel
from petra.memory.kernels.referential.forward import forward_kernel
from petra.memory.kernels.referential.gradients import ReaderFactors, ReferentialSaved, parameter_gradients
from petra.memory.kernels.referential.layout import (
    reader_layout,
    reader_matrices,
    reader_plan,
    reader_sizes,
    reader_vectors,
)
from petra.memory.referential.checkpointing import Tensors
from petra.memory.referential.gates import DECAY_ENTITY, DECAY_OTHER
from petra.memory.referential.step import ReferentialState, Vectors

ReferentialGates = tuple[Tensor, Tensor, Tensor, Tensor]  # e (E, T, B); up, ov and s (E, T, B, N)


class TokenInputs(NamedTuple):
    """What the loop gets of each token; dropout and noise in training only."""

    projected: Tensor  # (E, T, B, 4H)
    real: Tensor  # (1, T, B)
    dropout: Tensor | None = None  # (E, T, B, H + 2K)
    noise: Tensor | None = None  # (E, T, B, N)


def train_fused(
    inputs: TokenInputs,
    start: ReferentialState,
    capacity: Tensor,
    temperature: Tensor,
    matrices: Tensors,
    vectors: Vectors,
    plan: Plan | None = None,
) -> ReferentialGates:
    """Read all tokens with soft overwrites, differentiably, as ``checkpointed_loop`` does with ``soft_step``."""
    plan = plan or reader_plan(torch.bfloat16)  # whose range gradients need
    return _fused_reader(plan, *inputs, capacity.int(), temperature, *start, *matrices, *vectors)


@torch.no_grad()
def read_fused(
    inputs: TokenInputs,
    start: ReferentialState,
    capacity: Tensor,
    preference: Tensor | None,
    matrices: Tensors,
    vectors: Vectors,
    plan: Plan | None = None,
) -> ReferentialGates:
    """Read all tokens with hard overwrites, as ``loop`` does with ``hard_step``."""
    plan = plan or reader_plan(torch.float16)  # no less exact than TF32
    hard = ReferentialOverwrite(preference, start.salience.new_ones(()))
    return _forward(inputs, hard, start, capacity.int(), matrices, vectors, plan).gates


class ReferentialOverwrite(NamedTuple):
    """What decides overwrites besides noise and salience."""

    preference: Tensor | None  # (E, B, N), where they are hard; None takes the lowest of equals
    temperature: Tensor


class ReferentialForward(NamedTuple):
    """What the kernel of the forward pass computed."""

    gates: ReferentialGates
    saved: ReferentialSaved


def _forward(
    inputs: TokenInputs,
    overwrite: ReferentialOverwrite,
    start: ReferentialState,
    capacity: Tensor,
    matrices: Tensors,
    vectors: Vectors,
    plan: Plan,
) -> ReferentialForward:
    """Run the kernel of the forward pass; what the backward pass needs is saved where overwrites are soft."""
    models, tokens, batch, _ = inputs.projected.shape
    num_cells, key_size = start.keys.shape[2:]
    size = start.hidden.shape[2]
    layout = reader_layout(plan, batch, num_cells, size)
    rows, width = plan.rows, layout.width
    soft = inputs.noise is not None
    slots = tokens if soft else 1
    states = tokens + 1 if soft else 2

    def empty(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
        return start.hidden.new_empty(models, *shape, dtype=dtype)

    saved = ReferentialSaved(
        hidden=empty(states, batch, width),
        keys=empty(states, layout.programs, rows, key_size),
        values=empty(states, layout.programs, rows, width, dtype=plan.dtype),
        pre=empty(slots, batch, width),
        new_values=empty(slots, batch, width),
        value_projection=empty(slots, batch, 3 * width),
        key_terms=empty(slots, batch, 8 * key_size),
        read=empty(slots, batch, width),
        mixed=empty(slots, batch, width),
        decided=empty(slots, batch, 4),
        hidden_gates=empty(tokens, batch, 3 * width) if soft else None,
        value_gates=empty(tokens, layout.programs, rows, 3 * width, dtype=plan.dtype) if soft else None,
        odds=empty(tokens, layout.programs, 2, rows) if soft else None,
    )
    saved.hidden[:, 0] = F.pad(start.hidden, (0, width - size))
    gates = (
        empty(tokens, batch),
        *(start.hidden.new_zeros(models, tokens, batch, num_cells) for _ in range(3)),
    )
    with torch.cuda.device_of(start.hidden):
        forward_kernel[(models * layout.programs,)](
            *_contiguous(inputs),
            *_contiguous(overwrite),
            capacity,
            *reader_matrices(matrices, vectors, width, plan.dtype),
            *reader_vectors(vectors, width),
            start.salience.contiguous(),
            start.keys.contiguous(),
            start.values.clone(memory_format=torch.contiguous_format),
            *gates,
            *saved,
            tokens,
            states,
            slots,
            batch,
            layout.programs,
            DECAY_ENTITY,
            DECAY_OTHER,
            **reader_sizes(plan, layout, num_cells, size, key_size),
        )
    return ReferentialForward(cast(ReferentialGates, gates), saved)


def _contiguous(tensors: tuple[Tensor | None, ...]) -> tuple[Tensor | None, ...]:
    return tuple(None if tensor is None else tensor.contiguous() for tensor in tensors)


class _FusedReader(torch.autograd.Function):
    """The loop with soft overwrites as one differentiable operation."""

    @staticmethod
    def forward(
        ctx: Any,
        plan: Plan,
        projected: Tensor,
        real: Tensor,
        dropout: Tensor,
        noise: Tensor,
        capacity: Tensor,
        temperature: Tensor,
        *parameters: Tensor,
    ) -> ReferentialGates:
        start, matrices, vectors = _unflattened(parameters)
        inputs = TokenInputs(projected, real, dropout, noise)
        made = _forward(inputs, ReferentialOverwrite(None, temperature), start, capacity, matrices, vectors, plan)
        ctx.plan = plan
        ctx.save_for_backward(
            projected, real, dropout, capacity, temperature, *made.gates, *made.saved, *start, *matrices, *vectors
        )
        return made.gates

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor | None, ...]:
        projected, real, dropout, capacity, temperature, *rest = ctx.saved_tensors
        gates, saved = rest[:4], ReferentialSaved(*rest[4:17])
        start, matrices, vectors = _unflattened(tuple(rest[17:]))
        models, tokens, batch, _ = projected.shape
        num_cells, key_size = start.keys.shape[2:]
        size = start.hidden.shape[2]
        layout = reader_layout(ctx.plan, batch, num_cells, size)
        width = layout.width
        transposed = reader_matrices(matrices, vectors, width, ctx.plan.dtype).transposed()
        padded = reader_vectors(vectors, width)

        grad_hidden, grad_read = (projected.new_zeros(models, batch, width) for _ in range(2))
        grad_keys, grad_values = (torch.zeros_like(each, memory_format=torch.contiguous_format) for each in start[1:3])
        grad_projected = torch.empty_like(projected, memory_format=torch.contiguous_format)
        factors = ReaderFactors(
            pre=torch.empty_like(saved.pre),
            readout=projected.new_empty(models, tokens, batch, 2 * key_size + width),
            key_terms=projected.new_empty(models, tokens, batch, 5 * key_size),
            value_projection=torch.empty_like(saved.value_projection),
            hidden_gates=torch.empty_like(cast(Tensor, saved.hidden_gates)),
            logits=projected.new_empty(models, tokens, batch, 3),
            key_gates=projected.new_empty(models, tokens, layout.programs, ctx.plan.rows, 3 * key_size),
            value_gates=torch.empty_like(cast(Tensor, saved.value_gates)),
        )
        with torch.cuda.device_of(projected):
            backward_kernel[(models * layout.programs,)](
                *_contiguous((projected, real, dropout)),
                temperature,
                capacity,
                *transposed._replace(key_cells=matrices[5].to(ctx.plan.dtype).contiguous()),
                padded.gates,
                padded.key_cells,
                start.salience.contiguous(),
                *gates,
                *_contiguous(grad_outputs),
                *saved,
                grad_hidden,
                grad_keys,
                grad_values,
                grad_read,
                grad_projected,
                *factors,
                tokens,
                batch,
                layout.programs,
                DECAY_ENTITY,
                DECAY_OTHER,
                **reader_sizes(ctx.plan, layout, num_cells, size, key_size),
            )
        grad_start = (grad_hidden[..., :size], grad_keys, grad_values, None)
        grads = parameter_gradients(saved, factors, dropout, size, key_size)
        return (None, grad_projected, *(None,) * 5, *grad_start, *grads)


_fused_reader = cast(Callable[..., ReferentialGates], _FusedReader.apply)


def _unflattened(parameters: Tensors) -> tuple[ReferentialState, Tensors, Vectors]:
    """The state before the first token, the matrices and the vectors, from one flat tuple."""
    return ReferentialState(*parameters[:4]), parameters[4:13], Vectors(*parameters[13:])
