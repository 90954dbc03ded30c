"""The loop over tokens, for many texts and models side by side, with its gradient.

Everything that does not depend on the memory is computed before the loop, for all
tokens at once; the loop holds only the cells' part. The gradient is written out by
hand for two reasons: each weight's gradient is one product over all tokens instead
of one per token, and each direction is a handful of operations per token. On a GPU,
where even that is too many, ``petra.memory.kernels`` reads all tokens in one kernel.
``tests/support/oracle.py`` holds the same equations as a plain loop under autograd; all agree
forward and backward.

Letters: E models, B texts, T tokens, N cells, H hidden size, M size of MLP_2's layers.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, cast

import torch
from torch import Tensor

from petra.memory.cells import MemoryState, UpdateWeights
from petra.memory.gates import Gates, SimilarityWeights
from petra.memory.kernels.compiled import compiled
from petra.memory.linear import add_outer, swap_leading
from petra.memory.step import (
    LoopWeights,
    SavedStep,
    TokenGrads,
    TokenTerms,
    hard_step,
    soft_step,
    soft_step_backward,
)
from petra.memory.variants import Vanilla

KERNEL_CELLS = 64  # that the fused kernels hold of a text


def by_kernel(hidden: Tensor, num_cells: int) -> bool:
    """Whether the fused kernels can read: on a GPU, with Triton, no more cells than they hold of a text."""
    return hidden.is_cuda and num_cells <= KERNEL_CELLS and find_spec("triton") is not None


def scan_training(
    terms: TokenTerms,
    start: MemoryState,
    noise: Tensor,
    absent: Tensor,
    temperature: Tensor,
    similarity: SimilarityWeights,
    update: UpdateWeights,
    variant: Vanilla,
    decay: float,
) -> Gates:
    """Read all tokens with soft overwrites (equation 6), differentiably.

    ``noise`` is Gumbel noise (E, T, B, N); the memory starts unused, with cells
    (E, B, N, H) as given.
    """
    if by_kernel(terms.hidden, noise.shape[-1]):
        from petra.memory.kernels.scan import train_fused

        weights = LoopWeights(update.cell, similarity)
        made = train_fused(terms, start, noise, absent, temperature, weights, variant, decay)
        return Gates(terms.mention_prob, *made)
    coref_prob, overwrite_prob, usage = _scan(
        variant,
        decay,
        *terms,
        noise + absent[:, None],
        start.cells,
        temperature,
        update.cell,
        *similarity,
    )
    return Gates(terms.mention_prob, coref_prob, overwrite_prob, usage)


def scan_inference(
    terms: TokenTerms,
    start: MemoryState,
    absent: Tensor,
    preference: Tensor | None,
    similarity: SimilarityWeights,
    update: UpdateWeights,
    variant: Vanilla,
    decay: float,
) -> tuple[Gates, MemoryState]:
    """Read all tokens with hard overwrites (equation 5); also returns the memory after the last token.

    ``preference`` (E, B, N) orders equally little used cells; None takes the lowest
    i, or the most similar in the learned variants.
    """
    if by_kernel(terms.hidden, start.usage.shape[-1]):
        from petra.memory.kernels.scan import read_fused

        weights = LoopWeights(update.cell, similarity)
        made, state = read_fused(terms, start, absent, preference, weights, variant, decay)
        return Gates(terms.mention_prob, *made), state
    step = compiled(hard_step, terms.hidden.is_cuda)
    terms = TokenTerms(*map(swap_leading, terms))
    rows = []
    state = MemoryState(start.cells.contiguous(), start.usage)
    for t in range(len(terms.hidden)):
        state, coref_prob, overwrite_prob = step(
            TokenTerms(*_at(terms, t)), state, absent, preference, similarity, update, variant, decay
        )
        rows.append((coref_prob, overwrite_prob, state.usage))
    coref, overwrite, usage = (torch.stack(column, dim=1) for column in zip(*rows, strict=True))
    return Gates(swap_leading(terms.mention_prob), coref, overwrite, usage), state


class _Scan(torch.autograd.Function):
    """The loop of ``scan_training`` as one differentiable operation.

    Inside, tensors lead with T, so that one token's values are contiguous in memory,
    with the same shape and strides for every token and length: one compiled step
    serves them all. A compiled step must not read from the storage it
    writes to, so each step returns the state besides writing it to what is saved.
    """

    @staticmethod
    def forward(
        ctx: Any,
        variant: Vanilla,
        decay: float,
        hidden: Tensor,
        mention_prob: Tensor,
        share: Tensor,
        update: Tensor,
        noise: Tensor,
        initial: Tensor,
        temperature: Tensor,
        update_cell: Tensor,
        *similarity: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        weights = LoopWeights(update_cell, SimilarityWeights(*similarity))
        terms = TokenTerms(*map(swap_leading, (hidden, mention_prob, share, update)))
        noise = swap_leading(noise)
        tokens, models, batch, size = terms.hidden.shape
        num_cells, layer = initial.shape[2], share.shape[-1]

        def empty(*shape: int, tokens: int = tokens) -> Tensor:
            return hidden.new_empty(tokens, models, batch, *shape)

        state = MemoryState(initial.contiguous(), hidden.new_zeros(models, batch, num_cells))
        states = MemoryState(empty(num_cells, size, tokens=tokens + 1), empty(num_cells, tokens=tokens + 1))
        states.cells[0], states.usage[0] = state
        gates = (empty(num_cells), empty(num_cells))
        saved = SavedStep(
            score=empty(num_cells),
            shares=empty(num_cells + 1),
            odds=empty(num_cells),
            first=empty(num_cells, layer),
            second=empty(num_cells, layer),
            merged=empty(num_cells, size),
        )
        step = compiled(soft_step, hidden.is_cuda)
        for t in range(tokens):
            state = step(
                TokenTerms(*_at(terms, t)),
                noise[t],
                temperature,
                state,
                weights,
                variant,
                decay,
                MemoryState(*_at(states, t + 1)),
                _at(gates, t),
                SavedStep(*_at(saved, t)),
            )
        ctx.variant, ctx.decay = variant, decay
        ctx.save_for_backward(*terms, noise, temperature, *states, *gates, *saved, update_cell, *similarity)
        usage = swap_leading(states.usage[1:])
        ctx.mark_non_differentiable(usage)
        return swap_leading(gates[0]), swap_leading(gates[1]), usage

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor | None, ...]:
        tensors = ctx.saved_tensors
        terms, noise, temperature = TokenTerms(*tensors[:4]), tensors[4], tensors[5]
        states, gates, saved = MemoryState(*tensors[6:8]), tensors[8:10], SavedStep(*tensors[10:16])
        weights = LoopWeights(tensors[16], SimilarityWeights(*tensors[17:]))
        grad_gates = tuple(map(swap_leading, grad_outputs[:2]))
        layer_like, token_like = torch.empty_like(terms.share), torch.empty_like(terms.mention_prob)
        grads = TokenGrads(
            hidden=torch.empty_like(terms.hidden),
            mention_prob=token_like,
            share=layer_like,
            update=torch.empty_like(terms.update),
            usage_weight=torch.empty_like(layer_like),
            second_bias=torch.empty_like(layer_like),
            out=torch.empty_like(layer_like),
            out_bias=torch.empty_like(token_like),
        )
        mlp = weights.similarity
        grad_weights = tuple(map(torch.zeros_like, (mlp.cell, mlp.product, mlp.second, weights.update_cell)))
        grad_cell, grad_product, grad_second, grad_update_cell = grad_weights
        step = compiled(soft_step_backward, terms.hidden.is_cuda)
        state = MemoryState(torch.zeros_like(states.cells[0]), torch.zeros_like(states.usage[0]))
        for t in reversed(range(len(noise))):
            state, factors = step(
                TokenTerms(*_at(terms, t)),
                noise[t],
                temperature,
                MemoryState(*_at(states, t)),
                _at(gates, t),
                SavedStep(*_at(saved, t)),
                weights,
                ctx.variant,
                ctx.decay,
                state,
                _at(grad_gates, t),
                TokenGrads(*_at(grads, t)),
            )
            add_outer(grad_cell, states.cells[t], factors.grad_first)
            add_outer(grad_product, factors.product, factors.grad_first)
            add_outer(grad_second, saved.first[t], factors.grad_second)
            add_outer(grad_update_cell, states.cells[t], factors.grad_merged)
        grad_similarity = (  # in the order of SimilarityWeights
            None,  # the token's rows and the first bias are multiplied into its share before the loop
            grad_cell,
            grad_product,
            grads.usage_weight.sum((0, 2)),
            None,
            grad_second,
            grads.second_bias.sum((0, 2)),
            grads.out.sum((0, 2)),
            grads.out_bias.sum((0, 2)),
        )
        grad_terms = (swap_leading(grad) for grad in grads[:4])
        return (None, None, *grad_terms, None, state.cells, None, grad_update_cell, *grad_similarity)


def _at(tensors: tuple[Tensor, ...], t: int) -> tuple[Any, ...]:
    """Each tensor's part for token t."""
    return tuple(tensor[t] for tensor in tensors)


_scan = cast(Callable[..., tuple[Tensor, Tensor, Tensor]], _Scan.apply)
