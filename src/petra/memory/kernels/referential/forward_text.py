"""The forward pass of a token, as far as it is of a text as a whole: p_t, key~, val~ and h_t.

Pointers are to the values of this token. What is saved for the backward pass alone is
None without one, and so is dropout where there is none.

Letters: H hidden size (also of a value), K size of a key; S slots of a program; H' is H
padded.
"""

from __future__ import annotations

import triton
import triton.language as tl

from petra.memory.kernels.referential.tiles import add_product, gate_products, gru, key_products, load_square
from petra.memory.kernels.tiles import tanh


@triton.jit
def make_pre(
    projected,
    dropout,
    hidden,
    pre,
    recurrent,
    gates,
    own_text,
    own_live,
    size: tl.constexpr,
    key_size: tl.constexpr,
    width: tl.constexpr,
    wide: tl.constexpr,
    step: tl.constexpr,
    ahead: tl.constexpr,
    precision: tl.constexpr,
):
    """p_t, (S, H'), and the three gates that depend on it alone, (S,) each."""
    mention = tl.zeros((own_text.shape[0],), tl.float32)
    referring = tl.zeros((own_text.shape[0],), tl.float32)
    reading = tl.zeros((own_text.shape[0],), tl.float32)
    for start in tl.range(0, width, wide, num_stages=1):
        column = start + tl.arange(0, wide)
        inside = own_live[:, None] & (column < size)[None, :]
        total = tl.load(projected + own_text[:, None] * (4 * size) + column[None, :], inside, 0.0)
        if dropout is not None:
            drop = tl.load(dropout + own_text[:, None] * (size + 2 * key_size) + column[None, :], inside, 0.0)
        total = add_product(total, hidden, own_text, own_live, recurrent, start, width, width, step, ahead, precision)
        total = tanh(total)
        if dropout is not None:
            total *= drop
        total = tl.where((column == size)[None, :], 1.0, total)
        padded = column < width
        tl.store(pre + own_text[:, None] * width + column[None, :], total, own_live[:, None] & padded[None, :])
        mention += tl.sum(total * tl.load(gates + column, padded, 0.0)[None, :], axis=1)
        referring += tl.sum(total * tl.load(gates + width + column, padded, 0.0)[None, :], axis=1)
        reading += tl.sum(total * tl.load(gates + 2 * width + column, padded, 0.0)[None, :], axis=1)
    return tl.sigmoid(mention), tl.sigmoid(referring), tl.sigmoid(reading)


@triton.jit
def make_key(
    pre,
    dropout,
    key_terms,
    readout,
    query,
    query_bias,
    residual,
    key_inputs,
    key_inputs_bias,
    own_text,
    own_live,
    size: tl.constexpr,
    key_size: tl.constexpr,
    width: tl.constexpr,
    step: tl.constexpr,
    ahead: tl.constexpr,
    precision: tl.constexpr,
):
    """The query and key~ with what they are made of, and key~'s part of GRUCell_k: (S, 8K) in all."""
    dtype: tl.constexpr = readout.dtype.element_ty
    key = tl.arange(0, key_size)
    own_keys = own_text[:, None] * (8 * key_size) + key[None, :]
    inner, base = key_products(
        pre, own_text, own_live, readout, width, 2 * key_size + width, key_size, step, ahead, precision
    )
    inner = tanh(inner)
    wanted = tl.dot(inner.to(dtype), load_square(query, 0, key_size, key_size), input_precision=precision)
    wanted += tl.load(query_bias)[None, :]
    base = tanh(base)
    dropped_base = base
    if dropout is not None:
        drop_key = dropout + own_text[:, None] * (size + 2 * key_size) + size + key[None, :]
        dropped_base = base * tl.load(drop_key, own_live[:, None], 0.0)
    more = tl.dot(dropped_base.to(dtype), load_square(residual, 0, key_size, key_size), input_precision=precision)
    more = tanh(more)
    new_key = base + more
    if dropout is not None:
        new_key = base + more * tl.load(drop_key + key_size, own_live[:, None], 0.0)
    tl.store(key_terms + own_keys, inner, own_live[:, None])
    tl.store(key_terms + key_size + own_keys, base, own_live[:, None])
    tl.store(key_terms + 2 * key_size + own_keys, more, own_live[:, None])
    tl.store(key_terms + 3 * key_size + own_keys, wanted, own_live[:, None])
    tl.store(key_terms + 4 * key_size + own_keys, new_key, own_live[:, None])
    for gate in tl.static_range(3):
        square = load_square(key_inputs, gate * key_size, 3 * key_size, key_size)
        made = tl.dot(new_key.to(dtype), square, input_precision=precision)
        made += tl.load(key_inputs_bias + gate * key_size)[None, :]
        tl.store(key_terms + (5 + gate) * key_size + own_keys, made, own_live[:, None])


@triton.jit
def make_value(
    pre,
    new_values,
    readout,
    own_text,
    own_live,
    size: tl.constexpr,
    key_size: tl.constexpr,
    width: tl.constexpr,
    wide: tl.constexpr,
    step: tl.constexpr,
    ahead: tl.constexpr,
    precision: tl.constexpr,
):
    """val~, (S, H')."""
    outputs: tl.constexpr = 2 * key_size + width
    zeros = tl.zeros((own_text.shape[0], wide), tl.float32)
    for start in tl.range(0, width, wide, num_stages=1):
        column = start + tl.arange(0, wide)
        total = add_product(
            zeros, pre, own_text, own_live, readout, 2 * key_size + start, width, outputs, step, ahead, precision
        )
        total = tl.where((column == size)[None, :], 1.0, tanh(total))
        padded = own_live[:, None] & (column < width)[None, :]
        tl.store(new_values + own_text[:, None] * width + column[None, :], total, padded)


@triton.jit
def project_value(
    new_values,
    value_projection,
    value_inputs,
    own_text,
    own_live,
    width: tl.constexpr,
    wide: tl.constexpr,
    step: tl.constexpr,
    ahead: tl.constexpr,
    precision: tl.constexpr,
):
    """val~'s part of GRUCell_v, (S, 3H')."""
    zeros = tl.zeros((own_text.shape[0], wide), tl.float32)
    for start in tl.range(0, 3 * width, wide, num_stages=1):
        column = start + tl.arange(0, wide)
        total = add_product(
            zeros, new_values, own_text, own_live, value_inputs, start, width, 3 * width, step, ahead, precision
        )
        padded = own_live[:, None] & (column < 3 * width)[None, :]
        tl.store(value_projection + own_text[:, None] * (3 * width) + column[None, :], total, padded)


@triton.jit
def next_hidden(
    projected,
    mixed,
    hidden,
    hidden_gates,
    hidden_weight,
    own_text,
    own_live,
    size: tl.constexpr,
    width: tl.constexpr,
    block: tl.constexpr,
    step: tl.constexpr,
    ahead: tl.constexpr,
    precision: tl.constexpr,
):
    """h_t, (S, H')."""
    for start in tl.range(0, width, block, num_stages=1):
        column = start + tl.arange(0, block)
        inside = own_live[:, None] & (column < size)[None, :]
        from_token = projected + own_text[:, None] * (4 * size) + column[None, :]
        reset = tl.load(from_token + size, inside, 0.0)
        move = tl.load(from_token + 2 * size, inside, 0.0)
        candidate = tl.load(from_token + 3 * size, inside, 0.0)
        last = tl.load(mixed + own_text[:, None] * width + column[None, :], inside, 0.0)
        reset, move, change = gate_products(
            reset, move, mixed, own_text, own_live, hidden_weight, start, width, step, ahead, precision
        )
        total = gru(candidate, reset, move, change, last)
        padded = own_live[:, None] & (column < width)[None, :]
        tl.store(hidden + own_text[:, None] * width + column[None, :], total, padded)
        if hidden_gates is not None:
            of_text = hidden_gates + own_text[:, None] * (3 * width) + column[None, :]
            tl.store(of_text, reset, padded)
            tl.store(of_text + width, move, padded)
            tl.store(of_text + 2 * width, change, padded)
