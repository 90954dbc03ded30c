"""The pieces that the fused kernels are made of.

A program of a kernel holds R rows: the cells of one or several texts of one model, a
row for each cell, text after text. Rows that are left over belong to no text; they are
read as zeros and add nothing to any gradient. Matrices are worked on in tiles of R
rows and a block of columns.
"""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def own_program(capacity, programs):
    """The model of this program, its index among the programs of the model, and how many cells the model has.

    The first is of 64 bits, as all that may grow large.
    """
    model = (tl.program_id(0) // programs).to(tl.int64)
    return model, tl.program_id(0) % programs, tl.load(capacity + model)


@triton.jit
def place_rows(program, count, batch, rows: tl.constexpr, texts: tl.constexpr):
    """Which text of the batch and which of its ``count`` cells each row is, and whether it is one at all.

    Also the place of a row's text among those of the program: ``program`` is the
    index of this program among those of the model.
    """
    row = tl.arange(0, rows)
    each = tl.minimum(rows // count, texts)
    slot = row // count
    text = program * each + slot
    return slot, text, row % count, (slot < each) & (text < batch)


@triton.jit
def place_texts(program, count, batch, rows: tl.constexpr, texts: tl.constexpr):
    """Which text of the batch each of the program's is, and whether it is one at all."""
    own = tl.arange(0, texts)
    each = tl.minimum(rows // count, texts)
    text = program * each + own
    return text, (own < each) & (text < batch)


@triton.jit
def zero_rows(place, row, width: tl.constexpr, block: tl.constexpr):
    """Write zeros to the rows (R, width) at a place."""
    for start in range(0, width, block):
        column = start + tl.arange(0, block)
        zeros = tl.zeros((row.shape[0], block), tl.float32)
        tl.store(place + row[:, None] * width + column[None, :], zeros, (column < width)[None, :])


@triton.jit
def sum_over_cells(values, slot):
    """The sum of values (R,) over the cells of a text, for each of its rows."""
    return tl.sum(tl.where(slot[:, None] == slot[None, :], values[None, :], 0.0), axis=1)


@triton.jit
def max_over_cells(values, slot):
    """The largest of values (R,) over the cells of a text, for each of its rows."""
    return tl.max(tl.where(slot[:, None] == slot[None, :], values[None, :], float("-inf")), axis=1)


@triton.jit
def softmax_over_cells(scores, slot):
    """The softmax of scores (R,) over the cells of a text."""
    weights = tl.exp(scores - max_over_cells(scores, slot))
    return weights / sum_over_cells(weights, slot)


@triton.jit
def least_used(preference, usage, slot, cell):
    """Equation 5: 1 for the least used cell, of those the preferred, of those the lowest; 0 for the others."""
    least = usage == -max_over_cells(-usage, slot)
    wanted = tl.where(least, preference, float("-inf"))
    wanted = least & (wanted == max_over_cells(wanted, slot))
    number = cell.to(tl.float32)
    lowest = -max_over_cells(tl.where(wanted, -number, float("-inf")), slot)
    return tl.where(number == lowest, 1.0, 0.0)


@triton.jit
def tanh(values):
    """As Triton has none for all of its targets."""
    return 2 * tl.sigmoid(2 * values) - 1


@triton.jit
def sum_by_text(values, slot, texts: tl.constexpr, dtype: tl.constexpr, precision: tl.constexpr):
    """The sums of a tile's rows (R, C) over the cells of each text, (texts, C), as a product."""
    belongs = tl.arange(0, texts)[:, None] == slot[None, :]
    return tl.dot(belongs.to(dtype), values.to(dtype), input_precision=precision)


@triton.jit
def times(
    total,
    left,
    right,
    start,
    left_stride: tl.constexpr,
    right_stride: tl.constexpr,
    depth: tl.constexpr,
    width: tl.constexpr,
    block: tl.constexpr,
    step: tl.constexpr,
    precision: tl.constexpr,
):
    """Add to a tile (R, block) the product of rows (R, depth) and columns of a matrix (depth, width).

    The columns are the block from ``start`` on; those past the matrix count as zeros.
    """
    inner = tl.arange(0, step)
    column = start + tl.arange(0, block)
    left_at = left + tl.arange(0, total.shape[0])[:, None] * left_stride + inner[None, :]
    right_at = right + inner[:, None] * right_stride + column[None, :]
    for _ in range(0, depth, step):
        columns = tl.load(right_at) if width % block == 0 else tl.load(right_at, (column < width)[None, :], 0.0)
        total = tl.dot(tl.load(left_at), columns, total, input_precision=precision)
        left_at += step
        right_at += step * right_stride
    return total
