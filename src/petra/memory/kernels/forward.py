"""The loop over tokens as one kernel: a program reads whole texts of one model by itself.

Nothing but the memory of a text links its tokens, so that programs need not wait for
each other, and no kernel is launched per token. ``tiles`` says what the rows of a
program are. The equations are those of ``step.soft_step`` and ``step.hard_step``, in
their order; three things are arranged for the tensor cores:

- The token's inputs to MLP_2 are rows [m^i, u^i; h_t * m^i], each part padded with
  zeros to a multiple of a block. They are written when the cells are, a token ahead.
- MLP_2's first layer ends in a column of ones, which its second bias multiplies.
- Products take their factors as they are stored, in half precision if so asked; sums
  and the cells themselves, which the next token starts from, are of single precision.

Letters: E models, T tokens, B texts, N cells, H hidden size, M size of MLP_2's layers;
P programs of a model, R rows of a program; H' and M' sizes padded.
"""

from __future__ import annotations

import triton
import triton.language as tl

from petra.memory.kernels.tiles import (
    least_used,
    max_over_cells,
    own_program,
    place_rows,
    softmax_over_cells,
    sum_over_cells,
    tanh,
    times,
    zero_rows,
)


@triton.jit
def put_inputs(
    inputs, cells, hidden, usage, start, row, room, size: tl.constexpr, width: tl.constexpr, block: tl.constexpr
):
    """Write a block of the next token's inputs to MLP_2: the cells with their usage, and their product with h_t.

    ``room`` is H', or 0 after the last token.
    """
    column = start + tl.arange(0, block)
    place = inputs + row[:, None] * (2 * width) + column[None, :]
    keep = (column < room)[None, :]
    tl.store(place, tl.where((column == size)[None, :], usage[:, None], cells), keep)
    tl.store(place + width, cells * hidden, keep)


@triton.jit
def overwrite_soft(similarity, usage, noise, temperature, slot, live, by_similarity: tl.constexpr):
    """The Gumbel-Softmax of equation 6, and the softmax of similarity over unused cells that it may prefer."""
    logits = (1 - usage) / temperature + noise
    preferred = tl.zeros_like(usage)
    if by_similarity:
        unused = live & (usage == 0)
        scores = tl.where(unused, similarity, float("-inf"))
        top = max_over_cells(scores, slot)
        top = tl.where(top == float("-inf"), 0.0, top)
        weights = tl.exp(scores - top)
        total = tl.maximum(sum_over_cells(weights, slot), 1e-30)
        logits += tl.where(unused, similarity - top - tl.log(total), 0.0)
        preferred = weights / total
    return softmax_over_cells(logits, slot), preferred


@triton.jit(do_not_specialize=["tokens", "slots", "batch", "programs"])
def forward_kernel(
    # of the tokens, (E, T, B, ...); noise is None for hard overwrites, preference (E, B, N) may be
    hidden,
    mention_prob,
    share,
    update,
    noise,
    preference,
    temperature,
    # of the models, padded with zeros
    capacity,  # (E,)
    first_weight,  # (E, 2H', M')
    second_weight,  # (E, M', M')
    out,  # (E, M')
    out_bias,  # (E,)
    merge_weight,  # (E, H', H')
    # the memory before the first token, and after the last
    cells,  # (E, B, N, H)
    usage_before,  # (E, B, N), left as it is
    # what is decided, (E, T, B, N)
    coref_out,
    overwrite_out,
    usage_out,
    # saved for the backward pass, (E, T, P, R, ...); active, merged and decisions are None without one
    inputs,  # (..., 2H'), of so many tokens as there are slots
    first,  # (..., M'), the same
    active,  # (..., M'), where MLP_2's second layer is above 0
    merged,  # (..., H'), MLP_3's output
    decisions,  # (E, T, P, 4, R): shares, share of a new person, odds of overwriting, preferred unused cells
    tokens,
    slots,
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
    """Read all tokens of some texts of one model.

    ``width`` and ``depth`` are H' and M'; ``texts`` is how many texts a program may hold.
    """
    model, program, count = own_program(capacity, programs)
    slot, text, cell, live = place_rows(program, count, batch, rows, texts)
    row = tl.arange(0, rows)
    place = text * num_cells + cell  # of a row among all of the model  (R,)
    first_weight += model * (2 * width * depth)
    second_weight += model * (depth * depth)
    merge_weight += model * (width * width)
    out += model * depth
    cells += model * batch * num_cells * size
    bias = tl.load(out_bias + model)
    usage = tl.load(usage_before + model * batch * num_cells + place, live, 0.0)
    tau = tl.load(temperature)
    zeros = tl.zeros((rows, block), tl.float32)
    prefer = tl.zeros_like(usage)
    if preference is not None:
        prefer = tl.load(preference + model * batch * num_cells + place, live, 0.0)

    inputs_next = inputs + (model * slots * programs + program) * (rows * 2 * width)
    hidden_next = hidden + model * tokens * batch * size
    for start in range(0, width, block):
        column = start + tl.arange(0, block)
        inside = live[:, None] & (column < size)[None, :]
        began = tl.load(cells + place[:, None] * size + column[None, :], inside, 0.0)
        of_token = tl.load(hidden_next + text[:, None] * size + column[None, :], inside, 0.0)
        put_inputs(inputs_next, began, of_token, usage, start, row, width, size, width, block)
    tl.debug_barrier()

    # A program that no text is left for reads nothing.
    end = tl.where(tl.sum(live.to(tl.int32), axis=0) > 0, tokens, 0)
    for t in range(end):
        token = (model * tokens + t) * batch  # of the first text; 64 bits, as all that may grow large
        gates = token * num_cells
        slot_now = (model * slots + t % slots) * programs + program
        slot_next = (model * slots + (t + 1) % slots) * programs + program
        saved_at = (model * tokens + t) * programs + program
        inputs_now = inputs + slot_now * (rows * 2 * width)
        first_now = first + slot_now * (rows * depth)

        # Equation 2.
        for start in range(0, depth, block):
            column = start + tl.arange(0, block)
            inside = live[:, None] & (column < layer)[None, :]
            total = times(
                zeros, inputs_now, first_weight, start, 2 * width, depth, 2 * width, depth, block, step, precision
            )
            total += tl.load(share + token * layer + text[:, None] * layer + column[None, :], inside, 0.0)
            total = tl.where((column == layer)[None, :], 1.0, tl.maximum(total, 0.0))
            tl.store(first_now + row[:, None] * depth + column[None, :], total, (column < depth)[None, :])
        tl.debug_barrier()
        similarity = tl.zeros_like(usage) + bias
        for start in range(0, depth, block):
            column = start + tl.arange(0, block)
            total = times(zeros, first_now, second_weight, start, depth, depth, depth, depth, block, step, precision)
            score = tl.load(out + column, column < depth, 0.0)
            similarity += tl.sum(tl.maximum(total, 0.0) * score[None, :], axis=1)
            if active is not None:
                above = active + saved_at * (rows * depth) + row[:, None] * depth + column[None, :]
                tl.store(above, (total > 0).to(tl.int8), (column < depth)[None, :])

        # Equations 3 and 4.
        scores = tl.where(live & (usage > 0), similarity, float("-inf"))
        top = tl.maximum(max_over_cells(scores, slot), 0.0)
        shares = tl.exp(scores - top)
        new_share = tl.exp(-top)
        everything = sum_over_cells(shares, slot) + new_share
        shares = shares / everything
        new_share = new_share / everything
        mention = tl.load(mention_prob + token + text, live, 0.0)
        coref = mention * shares

        # Equations 5 and 6.
        if noise is None:
            if by_similarity:
                prefer = tl.where(usage == 0, similarity, 0.0)
            odds = least_used(prefer, usage, slot, cell)
        else:
            drawn = tl.load(noise + gates + place, live, 0.0)
            odds, preferred = overwrite_soft(similarity, usage, drawn, tau, slot, live, by_similarity)
            decided = decisions + saved_at * (4 * rows) + row
            tl.store(decided, shares)
            tl.store(decided + rows, new_share)
            tl.store(decided + 2 * rows, odds)
            tl.store(decided + 3 * rows, preferred)
        overwrite = mention * new_share * odds

        # Equation 8, and then 7, whose blocks also hold the new usage.
        usage = tl.minimum(overwrite + coref + decay * usage, 1.0)
        tl.store(coref_out + gates + place, coref, live)
        tl.store(overwrite_out + gates + place, overwrite, live)
        tl.store(usage_out + gates + place, usage, live)
        room = tl.where(t + 1 < tokens, width, 0)
        inputs_next = inputs + slot_next * (rows * 2 * width)
        hidden_now = hidden + token * size
        hidden_next = hidden_now + batch * size
        for start in range(0, width, block):
            column = start + tl.arange(0, block)
            inside = live[:, None] & (column < size)[None, :]
            of_token = text[:, None] * size + column[None, :]
            total = times(
                zeros, inputs_now, merge_weight, start, 2 * width, width, width, width, block, step, precision
            )
            total += tl.load(update + token * size + of_token, inside, 0.0)
            merge = tanh(total)
            of_cell = cells + place[:, None] * size + column[None, :]
            old = tl.load(of_cell, inside, 0.0)
            token_now = tl.load(hidden_now + of_token, inside, 0.0)
            token_next = tl.load(hidden_next + of_token, inside & (column < room)[None, :], 0.0)
            new = (1 - (overwrite + coref))[:, None] * old + overwrite[:, None] * token_now + coref[:, None] * merge
            if key_size > 0:
                new = tl.where((column < key_size)[None, :], old, new)
            tl.store(of_cell, new, inside)
            put_inputs(inputs_next, new, token_next, usage, start, row, room, size, width, block)
            if merged is not None:
                at = merged + saved_at * (rows * width) + row[:, None] * width + column[None, :]
                tl.store(at, merge, (column < width)[None, :])
        tl.debug_barrier()

    # Its rows take part in the weights' gradients all the same, as zeros.
    for t in range(end, tokens):
        slot_now = (model * slots + t % slots) * programs + program
        inputs_now = inputs + slot_now * (rows * 2 * width)
        first_now = first + slot_now * (rows * depth)
        zero_rows(inputs_now, row, 2 * width, block)
        zero_rows(first_now, row, depth, block)
