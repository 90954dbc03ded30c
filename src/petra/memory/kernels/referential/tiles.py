"""The pieces that the Referential Reader's kernels are made of, besides those of ``petra.memory.kernels.tiles``.

A program holds R rows, the cells of its texts, and S slots, the texts themselves: those
that are left over are read as zeros. What is known of a text lies in memory by its
number in the batch, what is known of a cell by its row.
"""

from __future__ import annotations

import triton
import triton.language as tl

from petra.memory.kernels.tiles import sum_by_text, tanh


@triton.jit
def clamp_unit(values):
    """The values, within 0 and 1."""
    return tl.minimum(tl.maximum(values, 0.0), 1.0)


@triton.jit
def in_unit(values):
    """Where ``clamp_unit`` lets a gradient through: at the bounds too."""
    return (values >= 0.0) & (values <= 1.0)


@triton.jit
def share_of_least(first, second):
    """How much of the gradient of the lesser of two belongs to the first."""
    return tl.where(first < second, 1.0, tl.where(first == second, 0.5, 0.0))


@triton.jit
def to_rows(values, slot, texts: tl.constexpr):
    """What is known of the texts, (S,), for each of their rows, (R,)."""
    own = tl.arange(0, texts)
    return tl.sum(tl.where(slot[:, None] == own[None, :], values[None, :], 0.0), axis=1)


@triton.jit
def to_texts(values, slot, texts: tl.constexpr):
    """The sums of values (R,) over the cells of each text, (S,)."""
    own = tl.arange(0, texts)
    return tl.sum(tl.where(own[:, None] == slot[None, :], values[None, :], 0.0), axis=1)


@triton.jit
def sum_by_text_finely(values, slot, texts: tl.constexpr, dtype: tl.constexpr, precision: tl.constexpr):
    """The sums of ``sum_by_text``, with twice the digits: for what is carried from token to token."""
    coarse = values.to(dtype)
    rest = values - coarse.to(tl.float32)
    return sum_by_text(coarse, slot, texts, dtype, precision) + sum_by_text(rest, slot, texts, dtype, precision)


@triton.jit
def load_square(matrix, first_column, stride: tl.constexpr, length: tl.constexpr):
    """So many columns of the first so many rows of a matrix."""
    index = tl.arange(0, length)
    return tl.load(matrix + index[:, None] * stride + (first_column + index)[None, :])


@triton.jit
def gru(inputs, reset, update, candidate, state):
    """The next state of a GRU from its inputs for the candidate, open gates and the state's part of the candidate."""
    return (1 - update) * tanh(inputs + reset * candidate) + update * state


@triton.jit
def gru_gradient(grad, inputs, reset, update, candidate, state):
    """From the next state's gradient those of the three inputs, of the state's part of the candidate, and of the state.

    The last is without what the state's three parts add to it. Besides, the next state itself.
    """
    new = tanh(inputs + reset * candidate)
    grad_update = grad * (state - new) * update * (1 - update)
    grad_new = grad * (1 - update) * (1 - new * new)
    grad_reset = grad_new * candidate * reset * (1 - reset)
    return grad_reset, grad_update, grad_new, grad_new * reset, grad * update, (1 - update) * new + update * state


@triton.jit
def add_product(
    total,
    left,
    place,
    live,
    right,
    start,
    depth: tl.constexpr,
    width: tl.constexpr,
    step: tl.constexpr,
    ahead: tl.constexpr,
    precision: tl.constexpr,
):
    """Add to a tile the product of the rows at some places, (.., depth), and columns of a matrix (depth, width).

    The columns are as many as the tile has, from ``start`` on; those past the matrix
    count as zeros, as do rows that are not live. So many loads are under way ``ahead``.
    """
    inner = tl.arange(0, step)
    column = start + tl.arange(0, total.shape[1])
    left_at = left + place[:, None] * depth + inner[None, :]
    right_at = right + inner[:, None] * width + column[None, :]
    inside = (column < width)[None, :]
    for _ in tl.range(0, depth, step, num_stages=ahead):
        rows = tl.load(left_at, live[:, None], 0.0).to(right.dtype.element_ty)
        total = tl.dot(rows, tl.load(right_at, inside, 0.0), total, input_precision=precision)
        left_at += step
        right_at += step * width
    return total


@triton.jit
def key_products(
    left,
    place,
    live,
    right,
    depth: tl.constexpr,
    width: tl.constexpr,
    key_size: tl.constexpr,
    step: tl.constexpr,
    ahead: tl.constexpr,
    precision: tl.constexpr,
):
    """The products of the rows at some places with the first K columns of a matrix (depth, width), and the next K."""
    inner = tl.arange(0, step)
    left_at = left + place[:, None] * depth + inner[None, :]
    right_at = right + inner[:, None] * width + tl.arange(0, key_size)[None, :]
    first = tl.zeros((place.shape[0], key_size), tl.float32)
    second = tl.zeros((place.shape[0], key_size), tl.float32)
    for _ in tl.range(0, depth, step, num_stages=ahead):
        rows = tl.load(left_at, live[:, None], 0.0).to(right.dtype.element_ty)
        first = tl.dot(rows, tl.load(right_at), first, input_precision=precision)
        second = tl.dot(rows, tl.load(right_at + key_size), second, input_precision=precision)
        left_at += step
        right_at += step * width
    return first, second


@triton.jit
def gate_products(
    reset,
    update,
    left,
    place,
    live,
    right,
    start,
    width: tl.constexpr,
    step: tl.constexpr,
    ahead: tl.constexpr,
    precision: tl.constexpr,
):
    """A GRU's open gates and its state's part of the candidate, from rows (.., width) and its matrix (width, 3 width).

    Given are the inputs' parts of both gates: tiles of the columns from ``start`` on.
    """
    inner = tl.arange(0, step)
    column = start + tl.arange(0, reset.shape[1])
    left_at = left + place[:, None] * width + inner[None, :]
    right_at = right + inner[:, None] * (3 * width) + column[None, :]
    inside = (column < width)[None, :]
    candidate = tl.zeros_like(reset)
    for _ in tl.range(0, width, step, num_stages=ahead):
        rows = tl.load(left_at, live[:, None], 0.0).to(right.dtype.element_ty)
        reset = tl.dot(rows, tl.load(right_at, inside, 0.0), reset, input_precision=precision)
        update = tl.dot(rows, tl.load(right_at + width, inside, 0.0), update, input_precision=precision)
        candidate = tl.dot(rows, tl.load(right_at + 2 * width, inside, 0.0), candidate, input_precision=precision)
        left_at += step
        right_at += step * (3 * width)
    return tl.sigmoid(reset), tl.sigmoid(update), candidate


@triton.jit
def key_gates(factor, inputs, inside, matrix, bias, key_size: tl.constexpr, precision: tl.constexpr):
    """GRUCell_k's open gates and its state's part of the candidate, of keys given as a factor of products.

    ``inputs`` points to the new key's three parts.
    """
    reset = tl.dot(factor, load_square(matrix, 0, 3 * key_size, key_size), input_precision=precision)
    reset += tl.load(bias)[None, :] + tl.load(inputs, inside, 0.0)
    update = tl.dot(factor, load_square(matrix, key_size, 3 * key_size, key_size), input_precision=precision)
    update += tl.load(bias + key_size)[None, :] + tl.load(inputs + key_size, inside, 0.0)
    candidate = tl.dot(factor, load_square(matrix, 2 * key_size, 3 * key_size, key_size), input_precision=precision)
    return tl.sigmoid(reset), tl.sigmoid(update), candidate + tl.load(bias + 2 * key_size)[None, :]
