"""The backward pass of a token, as far as it is of the cells: values, keys and their gates.

Pointers are to the values of this token.

Letters: N cells, H hidden size (also of a value), K size of a key; R rows and S slots of
a program; H' is H padded.
"""

from __future__ import annotations

import triton
import triton.language as tl

from petra.memory.kernels.referential.tiles import add_product, gru_gradient, key_gates, load_square
from petra.memory.kernels.tiles import sum_by_text


@triton.jit
def values_backward(
    grad_update,
    grad_overwrite,
    update,
    overwrite,
    keep,
    grad_values,
    value_rows,
    new_values,
    value_gates,
    value_projection,
    grad_value_gates,
    grad_value_projection,
    grad_readout,
    slot,
    text,
    place,
    live,
    own_text,
    own_live,
    size: tl.constexpr,
    key_size: tl.constexpr,
    width: tl.constexpr,
    strip: tl.constexpr,
    precision: tl.constexpr,
):
    """What was written to the values: from the gradient of those after the token, that of the gates, (R,) each.

    Of the values before, val~ and the inputs of GRUCell_v, what the write itself adds.
    """
    dtype: tl.constexpr = value_rows.dtype.element_ty
    texts: tl.constexpr = own_text.shape[0]
    row = tl.arange(0, live.shape[0])
    grad_keep = tl.zeros_like(grad_update)
    for start in tl.range(0, width, strip, num_stages=2):
        column = start + tl.arange(0, strip)
        inside = live[:, None] & (column < size)[None, :]
        of_cell = grad_values + place[:, None] * size + column[None, :]
        grad = tl.load(of_cell, inside, 0.0)
        old = tl.load(value_rows + row[:, None] * width + column[None, :], inside, 0.0).to(tl.float32)
        new = tl.load(new_values + text[:, None] * width + column[None, :], inside, 0.0)
        of_gates = row[:, None] * (3 * width) + column[None, :]
        gates_now = value_gates + of_gates
        reset = tl.load(gates_now, inside, 0.0).to(tl.float32)
        move = tl.load(gates_now + width, inside, 0.0).to(tl.float32)
        change = tl.load(gates_now + 2 * width, inside, 0.0).to(tl.float32)
        from_new = tl.load(value_projection + 2 * width + text[:, None] * (3 * width) + column[None, :], inside, 0.0)
        grad_reset, grad_move, grad_change, grad_state_change, grad_state, updated = gru_gradient(
            update[:, None] * grad, from_new, reset, move, change, old
        )
        grad_keep += tl.sum(grad * old, axis=1)
        grad_overwrite += tl.sum(grad * new, axis=1)
        grad_update += tl.sum(grad * updated, axis=1)
        tl.store(of_cell, keep[:, None] * grad + grad_state, inside)
        padded = (column < width)[None, :]
        tl.store(grad_value_gates + of_gates, grad_reset, padded)
        tl.store(grad_value_gates + width + of_gates, grad_move, padded)
        tl.store(grad_value_gates + 2 * width + of_gates, grad_state_change, padded)
        own_filled = own_live[:, None] & padded
        sums = grad_value_projection + own_text[:, None] * (3 * width) + column[None, :]
        tl.store(sums, sum_by_text(grad_reset, slot, texts, dtype, precision), own_filled)
        tl.store(sums + width, sum_by_text(grad_move, slot, texts, dtype, precision), own_filled)
        tl.store(sums + 2 * width, sum_by_text(grad_change, slot, texts, dtype, precision), own_filled)
        sums = grad_readout + 2 * key_size + own_text[:, None] * (2 * key_size + width) + column[None, :]
        tl.store(sums, sum_by_text(overwrite[:, None] * grad, slot, texts, dtype, precision), own_filled)
    return grad_update, grad_overwrite, grad_keep


@triton.jit
def read_backward(
    salience,
    grad_salience,
    grad_values,
    grad_read,
    grad_value_gates,
    value_rows,
    value_cells,
    text,
    place,
    live,
    size: tl.constexpr,
    width: tl.constexpr,
    block: tl.constexpr,
    step: tl.constexpr,
    precision: tl.constexpr,
):
    """What z_t and GRUCell_v add to the gradient of the values before, and z_t to that of salience, (R,)."""
    row = tl.arange(0, live.shape[0])
    every = row < live.shape[0]
    for start in tl.range(0, width, block, num_stages=1):
        column = start + tl.arange(0, block)
        inside = live[:, None] & (column < size)[None, :]
        of_cell = grad_values + place[:, None] * size + column[None, :]
        found = tl.load(grad_read + text[:, None] * width + column[None, :], inside, 0.0)
        old = tl.load(value_rows + row[:, None] * width + column[None, :], inside, 0.0).to(tl.float32)
        grad_salience += tl.sum(found * old, axis=1)
        total = tl.load(of_cell, inside, 0.0) + salience[:, None] * found
        total = add_product(
            total, grad_value_gates, row, every, value_cells, start, 3 * width, width, step, None, precision
        )
        tl.store(of_cell, total, inside)
    return grad_salience


@triton.jit
def keys_backward(
    grad_update,
    grad_overwrite,
    grad_keep,
    update,
    overwrite,
    keep,
    before,
    grad_keys,
    key_terms,
    key_inputs,
    key_cells,
    key_cells_bias,
    grad_key_gates,
    grad_key_terms,
    slot,
    text,
    place,
    live,
    own_text,
    own_live,
    key_size: tl.constexpr,
    precision: tl.constexpr,
):
    """What was written to the keys, and GRUCell_k.

    From the gradient of the keys after the token that of the gates, (R,) each, of the
    keys before, (R, K), without what the match adds to it, and of key~, (S, K).
    """
    dtype: tl.constexpr = key_cells.dtype.element_ty
    texts: tl.constexpr = own_text.shape[0]
    key = tl.arange(0, key_size)[None, :]
    from_text = key_terms + text[:, None] * (8 * key_size) + key
    to_text = grad_key_terms + own_text[:, None] * (5 * key_size) + key
    to_row = grad_key_gates + tl.arange(0, live.shape[0])[:, None] * (3 * key_size) + key
    grad = tl.load(grad_keys + place[:, None] * key_size + key, live[:, None], 0.0)
    reset, move, change = key_gates(
        before.to(dtype), from_text + 5 * key_size, live[:, None], key_cells, key_cells_bias, key_size, precision
    )
    from_new = tl.load(from_text + 7 * key_size, live[:, None], 0.0)
    new = tl.load(from_text + 4 * key_size, live[:, None], 0.0)
    grad_reset, grad_move, grad_change, grad_state_change, grad_state, updated = gru_gradient(
        update[:, None] * grad, from_new, reset, move, change, before
    )
    grad_keep += tl.sum(grad * before, axis=1)
    grad_overwrite += tl.sum(grad * new, axis=1)
    grad_update += tl.sum(grad * updated, axis=1)
    grad_before = keep[:, None] * grad + grad_state
    grad_new = sum_by_text(overwrite[:, None] * grad, slot, texts, dtype, precision)
    # The squares of key_cells are read by columns here, those of key_inputs are exchanged already.
    for gate in tl.static_range(3):
        if gate == 0:
            of_state, of_input = grad_reset, grad_reset
        elif gate == 1:
            of_state, of_input = grad_move, grad_move
        else:
            of_state, of_input = grad_state_change, grad_change
        tl.store(to_row + gate * key_size, of_state)
        square = tl.trans(load_square(key_cells, gate * key_size, 3 * key_size, key_size))
        grad_before += tl.dot(of_state.to(dtype), square, input_precision=precision)
        grad_part = sum_by_text(of_input, slot, texts, dtype, precision)
        tl.store(to_text + (2 + gate) * key_size, grad_part, own_live[:, None])
        square = load_square(key_inputs + gate * key_size * key_size, 0, key_size, key_size)
        grad_new += tl.dot(grad_part.to(dtype), square, input_precision=precision)
    return grad_update, grad_overwrite, grad_keep, grad_before, grad_new
