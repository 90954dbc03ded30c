"""The gradient of the loop over tokens as one kernel, from the last token to the first.

The equations are those of ``step.soft_step_backward``, in their order, for the rows
that ``forward`` describes. Of the weights only the factors of their gradients are
made here: rows that stay in memory until ``scan`` multiplies those of all tokens.

Letters: as in ``forward``.
"""

from __future__ import annotations

import triton
import triton.language as tl

from petra.memory.kernels.tiles import (
    own_program,
    place_rows,
    place_texts,
    sum_by_text,
    sum_over_cells,
    times,
    zero_rows,
)


@triton.jit(do_not_specialize=["tokens", "batch", "programs"])
def backward_kernel(
    # of the tokens, (E, T, B, ...)
    hidden,
    temperature,
    # of the models, padded with zeros; the matrices are those of ``forward_kernel`` with rows and columns exchanged
    capacity,  # (E,)
    first_weight,  # (E, M', 2H')
    second_weight,  # (E, M', M'), its rows multiplied by those of the output layer
    merge_weight,  # (E, H', H')
    # what was decided, and its gradient, (E, T, B, N)
    coref_prob,
    overwrite_prob,
    usage_after,
    grad_coref_prob,
    grad_overwrite_prob,
    # saved by the forward pass, (E, T, P, R, ...)
    inputs,  # (..., 2H')
    first,  # (..., M')
    active,  # (..., M')
    merged,  # (..., H')
    decisions,  # (E, T, P, 4, R)
    # gradients of the memory before the first token and of the tokens
    grad_cells,  # (E, B, N, H), zeros to begin with
    grad_hidden,  # (E, T, B, H)
    grad_mention_prob,  # (E, T, B)
    grad_share,  # (E, T, B, M)
    grad_update,  # (E, T, B, H)
    # factors of the weights' gradients, (E, T, P, R, ...)
    grad_first,  # (..., M')
    grad_second,  # (..., M'), divided by the output layer
    grad_merged,  # (..., H')
    grad_score,  # (E, T, P, R), zeros to begin with
    tokens,
    batch,
    programs,
    decay,
    num_cells: tl.constexpr,
    size: tl.constexpr,
    layer: tl.constexpr,
    key_size: tl.constexpr,
    by_similarity: tl.constexpr,
    rows: tl.constexpr,
    texts: tl.constexpr,
    width: tl.constexpr,
    depth: tl.constexpr,
    block: tl.constexpr,
    step: tl.constexpr,
    precision: tl.constexpr,
):
    """The backward pass through all tokens of some texts of one model."""
    dtype: tl.constexpr = inputs.dtype.element_ty
    model, program, count = own_program(capacity, programs)
    slot, text, cell, live = place_rows(program, count, batch, rows, texts)
    row = tl.arange(0, rows)
    place = text * num_cells + cell  # of a row among all of the model  (R,)
    own_text, own_live = place_texts(program, count, batch, rows, texts)
    first_weight += model * (2 * width * depth)
    second_weight += model * (depth * depth)
    merge_weight += model * (width * width)
    grad_cells += model * batch * num_cells * size
    tau = tl.load(temperature)
    grad_usage = tl.zeros((rows,), tl.float32)
    zeros = tl.zeros((rows, block), tl.float32)

    # A program that no text is left for has no gradient.
    end = tl.where(tl.sum(live.to(tl.int32), axis=0) > 0, tokens, 0)
    for back in range(end):
        t = tokens - 1 - back
        token = (model * tokens + t) * batch  # of the first text; 64 bits, as all that may grow large
        gates = token * num_cells
        saved_at = (model * tokens + t) * programs + program
        inputs_now = inputs + saved_at * (rows * 2 * width)
        grad_first_now = grad_first + saved_at * (rows * depth)
        grad_second_now = grad_second + saved_at * (rows * depth)
        grad_merged_now = grad_merged + saved_at * (rows * width)
        hidden_now = hidden + token * size
        coref = tl.load(coref_prob + gates + place, live, 0.0)
        overwrite = tl.load(overwrite_prob + gates + place, live, 0.0)
        written = live & (text < tl.where(t > 0, batch, 0))  # by the token before
        usage = tl.load(usage_after + gates - batch * num_cells + place, written, 0.0)
        touched = overwrite + coref

        # Equation 8, then 7; a fixed key is carried over as it is.
        grad_usage_sum = tl.where(touched + decay * usage <= 1, grad_usage, 0.0)
        grad_overwrite = tl.load(grad_overwrite_prob + gates + place, live, 0.0) + grad_usage_sum
        grad_coref = tl.load(grad_coref_prob + gates + place, live, 0.0) + grad_usage_sum
        for start in range(0, width, block):
            column = start + tl.arange(0, block)
            inside = live[:, None] & (column < size)[None, :]
            of_cell = grad_cells + place[:, None] * size + column[None, :]
            grad = tl.load(of_cell, inside & (column >= key_size)[None, :], 0.0)
            old = tl.load(inputs_now + row[:, None] * (2 * width) + column[None, :], inside, 0.0).to(tl.float32)
            of_token = tl.load(hidden_now + text[:, None] * size + column[None, :], inside, 0.0)
            of_row = row[:, None] * width + column[None, :]
            merge = tl.load(merged + saved_at * (rows * width) + of_row, inside, 0.0).to(tl.float32)
            grad_overwrite += tl.sum(grad * (of_token - old), axis=1)
            grad_coref += tl.sum(grad * (merge - old), axis=1)
            grad_merge = grad * coref[:, None] * (1 - merge * merge)
            tl.store(grad_merged_now + of_row, grad_merge, (column < width)[None, :])
            by_text = sum_by_text(grad_merge, slot, texts, dtype, precision)
            sums = grad_update + token * size + own_text[:, None] * size + column[None, :]
            tl.store(sums, by_text, own_live[:, None] & (column < size)[None, :])

        # Equation 6.
        decided = decisions + saved_at * (4 * rows) + row
        shares = tl.load(decided)
        new_share = tl.load(decided + rows)
        odds = tl.load(decided + 2 * rows)
        grad_new_person = sum_over_cells(grad_overwrite * odds, slot)
        grad_logits = overwrite * (grad_overwrite - grad_new_person)
        grad_usage = decay * grad_usage_sum - grad_logits / tau
        # Equation 4.
        grad_mention = sum_over_cells(shares * grad_coref, slot) + new_share * grad_new_person
        tl.store(grad_mention_prob + token + text, grad_mention, live & (cell == 0))
        grad_sim = coref * (grad_coref - grad_mention)
        if by_similarity:  # the log softmax over unused cells
            grad_unused = tl.where(usage == 0, grad_logits, 0.0)
            grad_sim += grad_unused - tl.load(decided + 3 * rows) * sum_over_cells(grad_unused, slot)
        tl.store(grad_score + saved_at * rows + row, grad_sim)

        # Equation 2, its second layer and then its first.
        for start in range(0, depth, block):
            column = start + tl.arange(0, block)
            of_row = row[:, None] * depth + column[None, :]
            above = tl.load(active + saved_at * (rows * depth) + of_row, (column < depth)[None, :], 0)
            tl.store(grad_second_now + of_row, tl.where(above != 0, grad_sim[:, None], 0.0), (column < depth)[None, :])
        tl.debug_barrier()
        for start in range(0, depth, block):
            column = start + tl.arange(0, block)
            total = times(
                zeros, grad_second_now, second_weight, start, depth, depth, depth, depth, block, step, precision
            )
            of_row = row[:, None] * depth + column[None, :]
            above = tl.load(first + saved_at * (rows * depth) + of_row, (column < layer)[None, :], 0.0)
            total = tl.where(above > 0, total, 0.0)
            tl.store(grad_first_now + of_row, total, (column < depth)[None, :])
            by_text = sum_by_text(total, slot, texts, dtype, precision)
            sums = grad_share + token * layer + own_text[:, None] * layer + column[None, :]
            tl.store(sums, by_text, own_live[:, None] & (column < layer)[None, :])
        tl.debug_barrier()
        for start in range(0, width, block):
            column = start + tl.arange(0, block)
            inside = live[:, None] & (column < size)[None, :]
            total = times(
                zeros, grad_first_now, first_weight, start, depth, 2 * width, depth, width, block, step, precision
            )
            grad_usage += tl.sum(tl.where((column == size)[None, :], total, 0.0), axis=1)
            total = times(
                total, grad_merged_now, merge_weight, start, width, width, width, width, block, step, precision
            )
            grad_product = times(
                zeros,
                grad_first_now,
                first_weight + width,
                start,
                depth,
                2 * width,
                depth,
                width,
                block,
                step,
                precision,
            )
            of_cell = grad_cells + place[:, None] * size + column[None, :]
            grad = tl.load(of_cell, inside, 0.0)
            changed = tl.where((column >= key_size)[None, :], grad, 0.0)
            old = tl.load(inputs_now + row[:, None] * (2 * width) + column[None, :], inside, 0.0).to(tl.float32)
            of_token = tl.load(hidden_now + text[:, None] * size + column[None, :], inside, 0.0)
            tl.store(of_cell, grad - changed * touched[:, None] + total + of_token * grad_product, inside)
            by_text = sum_by_text(changed * overwrite[:, None] + old * grad_product, slot, texts, dtype, precision)
            sums = grad_hidden + token * size + own_text[:, None] * size + column[None, :]
            tl.store(sums, by_text, own_live[:, None] & (column < size)[None, :])
        tl.debug_barrier()

    for t in range(end, tokens):
        saved_at = (model * tokens + t) * programs + program
        zero_rows(grad_first + saved_at * (rows * depth), row, depth, block)
        zero_rows(grad_second + saved_at * (rows * depth), row, depth, block)
        zero_rows(grad_merged + saved_at * (rows * width), row, width, block)
