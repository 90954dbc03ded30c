"""The forward pass of a token, as far as it is of the cells: keys, values and their reading.

Pointers are to the values of this token. What is saved for the backward pass alone is
None without one.

Letters: H hidden size (also of a value), K size of a key; R rows and S slots of a
program; H' is H padded.
"""

from __future__ import annotations

import triton
import triton.language as tl

from petra.memory.kernels.referential.tiles import gate_products, gru, key_gates, sum_by_text_finely


@triton.jit
def put_first(
    first_keys,
    values,
    keys,
    value_rows,
    place,
    live,
    size: tl.constexpr,
    key_size: tl.constexpr,
    width: tl.constexpr,
    block: tl.constexpr,
):
    """The keys and values before the first token, by row."""
    row = tl.arange(0, live.shape[0])[:, None]
    key = tl.arange(0, key_size)[None, :]
    tl.store(keys + row * key_size + key, tl.load(first_keys + place[:, None] * key_size + key, live[:, None], 0.0))
    for start in tl.range(0, width, block, num_stages=1):
        column = (start + tl.arange(0, block))[None, :]
        old = tl.load(values + place[:, None] * size + column, live[:, None] & (column < size), 0.0)
        tl.store(value_rows + row * width + column, tl.where(column == size, 1.0, old), column < width)


@triton.jit
def write_keys(
    before,
    key_terms,
    keys_next,
    key_cells,
    key_cells_bias,
    update,
    overwrite,
    keep,
    text,
    live,
    key_size: tl.constexpr,
    precision: tl.constexpr,
):
    """The keys after the token, (R, K), from those before."""
    dtype: tl.constexpr = key_cells.dtype.element_ty
    key = tl.arange(0, key_size)[None, :]
    from_text = key_terms + text[:, None] * (8 * key_size) + key
    reset, move, change = key_gates(
        before.to(dtype), from_text + 5 * key_size, live[:, None], key_cells, key_cells_bias, key_size, precision
    )
    from_new = tl.load(from_text + 7 * key_size, live[:, None], 0.0)
    new = update[:, None] * gru(from_new, reset, move, change, before)
    new += overwrite[:, None] * tl.load(from_text + 4 * key_size, live[:, None], 0.0)
    new += keep[:, None] * before
    tl.store(keys_next + tl.arange(0, live.shape[0])[:, None] * key_size + key, new)


@triton.jit
def read_memory(
    salience,
    gate,
    values,
    hidden,
    read,
    mixed,
    slot,
    place,
    live,
    own_text,
    own_live,
    dtype: tl.constexpr,
    size: tl.constexpr,
    width: tl.constexpr,
    strip: tl.constexpr,
    precision: tl.constexpr,
):
    """z_t, and the mix of h_{t-1} and z_t that the GRU takes for its last state: (S, H') each."""
    texts: tl.constexpr = own_text.shape[0]
    gate = gate[:, None]
    for start in tl.range(0, width, strip, num_stages=3):
        column = start + tl.arange(0, strip)
        inside = live[:, None] & (column < size)[None, :]
        old = tl.load(values + place[:, None] * size + column[None, :], inside, 0.0)
        found = sum_by_text_finely(salience[:, None] * old, slot, texts, dtype, precision)
        of_text = own_text[:, None] * width + column[None, :]
        padded = own_live[:, None] & (column < width)[None, :]
        total = (1 - gate) * tl.load(hidden + of_text, padded, 0.0) + gate * found
        tl.store(read + of_text, found, padded)
        tl.store(mixed + of_text, tl.where((column == size)[None, :], 1.0, total), padded)


@triton.jit
def write_values(
    values,
    value_rows,
    rows_next,
    new_values,
    value_projection,
    value_gates,
    value_cells,
    update,
    overwrite,
    keep,
    text,
    place,
    live,
    size: tl.constexpr,
    width: tl.constexpr,
    block: tl.constexpr,
    step: tl.constexpr,
    precision: tl.constexpr,
):
    """The values after the token, and the same as factors of the next token's products, (R, H')."""
    row = tl.arange(0, live.shape[0])
    every = row < live.shape[0]
    for start in tl.range(0, width, block, num_stages=1):
        column = start + tl.arange(0, block)
        inside = live[:, None] & (column < size)[None, :]
        padded = (column < width)[None, :]
        from_new = value_projection + text[:, None] * (3 * width) + column[None, :]
        reset = tl.load(from_new, inside, 0.0)
        move = tl.load(from_new + width, inside, 0.0)
        reset, move, change = gate_products(
            reset, move, value_rows, row, every, value_cells, start, width, step, None, precision
        )
        if value_gates is not None:
            of_row = value_gates + row[:, None] * (3 * width) + column[None, :]
            tl.store(of_row, reset, padded)
            tl.store(of_row + width, move, padded)
            tl.store(of_row + 2 * width, change, padded)
        of_cell = values + place[:, None] * size + column[None, :]
        old = tl.load(of_cell, inside, 0.0)
        updated = gru(tl.load(from_new + 2 * width, inside, 0.0), reset, move, change, old)
        new = tl.load(new_values + text[:, None] * width + column[None, :], inside, 0.0)
        new = keep[:, None] * old + overwrite[:, None] * new + update[:, None] * updated
        tl.store(of_cell, new, inside)
        new = tl.where((column == size)[None, :], 1.0, new)
        tl.store(rows_next + row[:, None] * width + column[None, :], new, padded)
