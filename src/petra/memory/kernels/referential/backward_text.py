"""The backward pass of a token, as far as it is of a text as a whole: h_t, val~, key~ and p_t.

Pointers are to the values of this token.

Letters: H hidden size (also of a value), K size of a key; S slots of a program; H' is H
padded.
"""

from __future__ import annotations

import triton
import triton.language as tl

from petra.memory.kernels.referential.tiles import add_product, gru_gradient, load_square


@triton.jit
def hidden_backward(
    grad_hidden,
    projected,
    mixed,
    hidden_gates,
    grad_projected,
    grad_hidden_gates,
    own_text,
    own_live,
    size: tl.constexpr,
    width: tl.constexpr,
    block: tl.constexpr,
):
    """The GRU of h_t: from the gradient of h_t that of its inputs, and of the mix what comes past the matrix."""
    for start in tl.range(0, width, block, num_stages=1):
        column = start + tl.arange(0, block)
        inside = own_live[:, None] & (column < size)[None, :]
        padded = own_live[:, None] & (column < width)[None, :]
        of_text = own_text[:, None] * width + column[None, :]
        of_gates = own_text[:, None] * (3 * width) + column[None, :]
        from_token = own_text[:, None] * (4 * size) + column[None, :]
        gates_now = hidden_gates + of_gates
        grad_reset, grad_move, grad_change, grad_state_change, grad_state, _ = gru_gradient(
            tl.load(grad_hidden + of_text, inside, 0.0),
            tl.load(projected + 3 * size + from_token, inside, 0.0),
            tl.load(gates_now, inside, 0.0),
            tl.load(gates_now + width, inside, 0.0),
            tl.load(gates_now + 2 * width, inside, 0.0),
            tl.load(mixed + of_text, inside, 0.0),
        )
        tl.store(grad_hidden + of_text, grad_state, padded)
        tl.store(grad_hidden_gates + of_gates, grad_reset, padded)
        tl.store(grad_hidden_gates + width + of_gates, grad_move, padded)
        tl.store(grad_hidden_gates + 2 * width + of_gates, grad_state_change, padded)
        tl.store(grad_projected + size + from_token, grad_reset, inside)
        tl.store(grad_projected + 2 * size + from_token, grad_move, inside)
        tl.store(grad_projected + 3 * size + from_token, grad_change, inside)


@triton.jit
def mixed_backward(
    gate,
    grad_hidden,
    grad_hidden_gates,
    hidden_weight,
    hidden,
    read,
    grad_read,
    own_text,
    own_live,
    size: tl.constexpr,
    width: tl.constexpr,
    wide: tl.constexpr,
    step: tl.constexpr,
    ahead: tl.constexpr,
    precision: tl.constexpr,
):
    """The mix of h_{t-1} and z_t: the gradients of both, and that of the share of z_t, (S,)."""
    gate = gate[:, None]
    grad_gate = tl.zeros((own_text.shape[0],), tl.float32)
    for start in tl.range(0, width, wide, num_stages=1):
        column = start + tl.arange(0, wide)
        inside = own_live[:, None] & (column < size)[None, :]
        padded = own_live[:, None] & (column < width)[None, :]
        of_text = own_text[:, None] * width + column[None, :]
        total = tl.load(grad_hidden + of_text, padded, 0.0)
        total = add_product(
            total, grad_hidden_gates, own_text, own_live, hidden_weight, start, 3 * width, width, step, ahead, precision
        )
        total = tl.where(inside, total, 0.0)
        difference = tl.load(read + of_text, inside, 0.0) - tl.load(hidden + of_text, inside, 0.0)
        grad_gate += tl.sum(total * difference, axis=1)
        tl.store(grad_hidden + of_text, (1 - gate) * total, padded)
        tl.store(grad_read + of_text, gate * total, padded)
    return grad_gate


@triton.jit
def new_value_backward(
    new_values,
    grad_value_projection,
    grad_readout,
    value_inputs,
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
    """val~: its gradient as an output of the readout, to which its part of GRUCell_v is added."""
    for start in tl.range(0, width, wide, num_stages=1):
        column = start + tl.arange(0, wide)
        inside = own_live[:, None] & (column < size)[None, :]
        padded = own_live[:, None] & (column < width)[None, :]
        sums = grad_readout + 2 * key_size + own_text[:, None] * (2 * key_size + width) + column[None, :]
        total = tl.load(sums, padded, 0.0)
        new = tl.load(new_values + own_text[:, None] * width + column[None, :], inside, 0.0)
        total = add_product(
            total,
            grad_value_projection,
            own_text,
            own_live,
            value_inputs,
            start,
            3 * width,
            width,
            step,
            ahead,
            precision,
        )
        tl.store(sums, tl.where(inside, total * (1 - new * new), 0.0), padded)


@triton.jit
def new_key_backward(
    grad_query,
    grad_new_key,
    key_terms,
    dropout,
    query,
    residual,
    grad_key_terms,
    grad_readout,
    own_text,
    own_live,
    size: tl.constexpr,
    key_size: tl.constexpr,
    width: tl.constexpr,
    precision: tl.constexpr,
):
    """The query and key~: from their gradients, (S, K) each, those of what the readout gave for them."""
    dtype: tl.constexpr = query.dtype.element_ty
    live = own_live[:, None]
    key = tl.arange(0, key_size)[None, :]
    of_text = key_terms + own_text[:, None] * (8 * key_size) + key
    to_readout = grad_readout + own_text[:, None] * (2 * key_size + width) + key
    to_keys = grad_key_terms + own_text[:, None] * (5 * key_size) + key
    drop_key = dropout + size + own_text[:, None] * (size + 2 * key_size) + key
    tl.store(to_keys, grad_query, live)
    inner = tl.load(of_text, live, 0.0)
    grad_inner = tl.dot(grad_query.to(dtype), load_square(query, 0, key_size, key_size), input_precision=precision)
    tl.store(to_readout, grad_inner * (1 - inner * inner), live)
    base = tl.load(of_text + key_size, live, 0.0)
    more = tl.load(of_text + 2 * key_size, live, 0.0)
    grad_more = grad_new_key * tl.load(drop_key + key_size, live, 0.0) * (1 - more * more)
    tl.store(to_keys + key_size, grad_more, live)
    grad_base = tl.dot(grad_more.to(dtype), load_square(residual, 0, key_size, key_size), input_precision=precision)
    grad_base = grad_new_key + grad_base * tl.load(drop_key, live, 0.0)
    tl.store(to_readout + key_size, grad_base * (1 - base * base), live)


@triton.jit
def pre_backward(
    mention,
    referring,
    reading,
    gates,
    pre,
    dropout,
    grad_readout,
    readout,
    grad_pre,
    grad_projected,
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
    """p_t: its gradient before tanh, from those of the readout and of the logits of its three gates, (S,) each."""
    for start in tl.range(0, width, wide, num_stages=1):
        column = start + tl.arange(0, wide)
        inside = own_live[:, None] & (column < size)[None, :]
        padded = column < width
        made = tl.load(pre + own_text[:, None] * width + column[None, :], inside, 0.0)
        drop = tl.load(dropout + own_text[:, None] * (size + 2 * key_size) + column[None, :], inside, 0.0)
        total = tl.zeros((own_text.shape[0], wide), tl.float32)
        total = add_product(
            total, grad_readout, own_text, own_live, readout, start, 2 * key_size + width, width, step, ahead, precision
        )
        total += mention[:, None] * tl.load(gates + column, padded, 0.0)[None, :]
        total += referring[:, None] * tl.load(gates + width + column, padded, 0.0)[None, :]
        total += reading[:, None] * tl.load(gates + 2 * width + column, padded, 0.0)[None, :]
        # What dropout took away has no gradient; of the rest, p_t before it is the quotient.
        total = tl.where(drop != 0.0, total * (drop - made * made / tl.where(drop != 0.0, drop, 1.0)), 0.0)
        tl.store(grad_pre + own_text[:, None] * width + column[None, :], total, own_live[:, None] & padded[None, :])
        tl.store(grad_projected + own_text[:, None] * (4 * size) + column[None, :], total, inside)


@triton.jit
def recurrent_backward(
    grad_pre,
    grad_hidden,
    recurrent,
    own_text,
    own_live,
    width: tl.constexpr,
    wide: tl.constexpr,
    step: tl.constexpr,
    ahead: tl.constexpr,
    precision: tl.constexpr,
):
    """h_{t-1}: what p_t adds to its gradient."""
    for start in tl.range(0, width, wide, num_stages=1):
        column = start + tl.arange(0, wide)
        padded = own_live[:, None] & (column < width)[None, :]
        of_text = grad_hidden + own_text[:, None] * width + column[None, :]
        total = tl.load(of_text, padded, 0.0)
        total = add_product(total, grad_pre, own_text, own_live, recurrent, start, width, width, step, ahead, precision)
        tl.store(of_text, total, padded)
