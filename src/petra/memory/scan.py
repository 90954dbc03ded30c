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
from typing import Any, NamedTuple, cast

import torch
from torch import Tensor

from petra.memory.cells import State, UpdateWeights
from petra.memory.gates import SimilarityWeights
from petra.memory.kernels.compiled import compiled
from petra.memory.linear import add_outer, swap_leading
from petra.memory.steps import (
    LoopWeights,
    Rules,
    TokenGrads,
    TokenTerms,
    Trace,
    hard_step,
    soft_step,
    soft_step_gradient,
)

MOST_CELLS = 64  # that the fused kernels hold of a text


class Gates(NamedTuple):
    """What the memory decided on every token."""

    mention_prob: Tensor  # e_t    (E, T, B)
    coref_prob: Tensor  # c_t^i  (E, T, B, N)
    overwrite_prob: Tensor  # o_t^i  (E, T, B, N)
    usage: Tensor  # u_t^i  (E, T, B, N), after token t


def absent_cells(capacity: Tensor, num_cells: int) -> Tensor:
    """0 for the cells a model has and -inf for the rest, (E, 1, N), where models differ in their capacity (E,)."""
    index = torch.arange(num_cells, device=capacity.device)
    return torch.where(index < capacity[:, None], 0.0, float("-inf"))[:, None]


def by_kernel(hidden: Tensor, num_cells: int) -> bool:
    """Whether the fused kernels can read: on a GPU, with Triton, no more cells than they hold of a text."""
    return hidden.is_cuda and num_cells <= MOST_CELLS and find_spec("triton") is not None


def scan_training(
    terms: TokenTerms,
    start: State,
    noise: Tensor,
    absent: Tensor,
    temperature: Tensor,
    similarity: SimilarityWeights,
    update: UpdateWeights,
    rules: Rules,
) -> Gates:
    """Read all tokens with soft overwrites (equation 6), differentiably.

    ``noise`` is Gumbel noise (E, T, B, N); the memory starts unused, with cells
    (E, B, N, H) as given.
    """
    if by_kernel(terms.hidden, noise.shape[-1]):
        from petra.memory.kernels.scan import train_fused

        weights = LoopWeights(update.cell, similarity)
        made = train_fused(terms, start, noise, absent, temperature, weights, rules)
        return Gates(terms.mention_prob, *made)
    coref_prob, overwrite_prob, usage = _scan(
        rules,
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
    start: State,
    absent: Tensor,
    preference: Tensor | None,
    similarity: SimilarityWeights,
    update: UpdateWeights,
    rules: Rules,
) -> tuple[Gates, State]:
    """Read all tokens with hard overwrites (equation 5); also returns the memory after the last token.

    ``preference`` (E, B, N) orders equally little used cells; None takes the lowest
    i, or the most similar in the learned variants.
    """
    if by_kernel(terms.hidden, start.usage.shape[-1]):
        from petra.memory.kernels.scan import read_fused

        weights = LoopWeights(update.cell, similarity)
        made, state = read_fused(terms, start, absent, preference, weights, rules)
        return Gates(terms.mention_prob, *made), state
    step = compiled(hard_step, terms.hidden.is_cuda)
    terms = TokenTerms(*map(swap_leading, terms))
    rows = []
    state = State(start.cells.contiguous(), start.usage)
    for t in range(len(terms.hidden)):
        state, coref_prob, overwrite_prob = step(
            TokenTerms(*_at(terms, t)), state, absent, preference, similarity, update, rules
        )
        rows.append((coref_prob, overwrite_prob, state.usage))
    coref, overwrite, usage = (torch.stack(column, dim=1) for column in zip(*rows, strict=True))
    return Gates(swap_leading(terms.mention_prob), coref, overwrite, usage), state


class _Scan(torch.autograd.Function):
    """The loop of ``scan_training`` as one differentiable operation.

    Inside, tensors lead with T, so that the part of one token lies together in
    memory and its shape and strides are the same for every token and length: a
    compiled step serves them all. A compiled step must not read from the storage it
    writes to, so the state is handed from step to step beside what is kept of it.
    """

    @staticmethod
    def forward(
        ctx: Any,
        rules: Rules,
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

        def room(*shape: int, tokens: int = tokens) -> Tensor:
            return hidden.new_empty(tokens, models, batch, *shape)

        state = State(initial.contiguous(), hidden.new_zeros(models, batch, num_cells))
        states = State(room(num_cells, size, tokens=tokens + 1), room(num_cells, tokens=tokens + 1))
        states.cells[0], states.usage[0] = state
        gates = (room(num_cells), room(num_cells))
        trace = Trace(
            room(num_cells + 1), room(num_cells), room(num_cells, layer), room(num_cells, layer), room(num_cells, size)
        )
        step = compiled(soft_step, hidden.is_cuda)
        for t in range(tokens):
            state = step(
                TokenTerms(*_at(terms, t)),
                noise[t],
                temperature,
                state,
                weights,
                rules,
                State(*_at(states, t + 1)),
                _at(gates, t),
                Trace(*_at(trace, t)),
            )
        ctx.rules = rules
        ctx.save_for_backward(*terms, noise, temperature, *states, *gates, *trace, update_cell, *similarity)
        usage = swap_leading(states.usage[1:])
        ctx.mark_non_differentiable(usage)
        return swap_leading(gates[0]), swap_leading(gates[1]), usage

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor | None, ...]:
        saved = ctx.saved_tensors
        terms, noise, temperature = TokenTerms(*saved[:4]), saved[4], saved[5]
        states, gates, trace = State(*saved[6:8]), saved[8:10], Trace(*saved[10:15])
        weights = LoopWeights(saved[15], SimilarityWeights(*saved[16:]))
        grad_gates = tuple(map(swap_leading, grad_outputs[:2]))
        layer_like, token_like = torch.empty_like(terms.share), torch.empty_like(terms.mention_prob)
        kept = TokenGrads(
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
        step = compiled(soft_step_gradient, terms.hidden.is_cuda)
        state = State(torch.zeros_like(states.cells[0]), torch.zeros_like(states.usage[0]))
        for t in reversed(range(len(noise))):
            state, products = step(
                TokenTerms(*_at(terms, t)),
                noise[t],
                temperature,
                State(*_at(states, t)),
                _at(gates, t),
                Trace(*_at(trace, t)),
                weights,
                ctx.rules,
                state,
                _at(grad_gates, t),
                TokenGrads(*_at(kept, t)),
            )
            add_outer(grad_cell, states.cells[t], products.grad_first)
            add_outer(grad_product, products.product, products.grad_first)
            add_outer(grad_second, trace.first[t], products.grad_second)
            add_outer(grad_update_cell, states.cells[t], products.grad_merged)
        grad_similarity = (  # in the order of SimilarityWeights
            None,  # the token's rows and the first bias are multiplied into its share before the loop
            grad_cell,
            grad_product,
            kept.usage_weight.sum((0, 2)),
            None,
            grad_second,
            kept.second_bias.sum((0, 2)),
            kept.out.sum((0, 2)),
            kept.out_bias.sum((0, 2)),
        )
        grad_terms = (swap_leading(grad) for grad in kept[:4])
        return (None, *grad_terms, None, state.cells, None, grad_update_cell, *grad_similarity)


def _at(tensors: tuple[Tensor, ...], t: int) -> tuple[Any, ...]:
    """Each tensor's part for token t."""
    return tuple(tensor[t] for tensor in tensors)


_scan = cast(Callable[..., tuple[Tensor, Tensor, Tensor]], _Scan.apply)
