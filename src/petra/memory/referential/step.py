"""One token of the Referential Reader: its equations in order, for training and for reading.

Both are steps for the loops of ``checkpointing.py``. Letters: E models, B texts, N cells, H hidden
size (also of a value), K size of a key.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from petra.memory import gates as g
from petra.memory.referential import gates as r
from petra.memory.referential.checkpointing import Product, Tensors


class ReferentialProducts(NamedTuple):
    """What the loop multiplies by matrices."""

    recurrent: Product  # h_{t-1}, for p_t
    readout: Product  # p_t, by W_1 and F_1 (K columns each) and F_v (H)
    query: Product  # W_2
    residual: Product  # F_2
    key_inputs: Product  # key~, for the three gates of GRUCell_k
    key_cells: Product  # k_{t-1}^i, likewise
    value_inputs: Product  # val~, for those of GRUCell_v
    value_cells: Product  # v_{t-1}^i
    hidden: Product  # for those of the GRUCell of h_t


class Vectors(NamedTuple):
    """The parameters inside the loop that are no matrices: besides the gates' weights, all are biases."""

    gates: Tensor  # w_e, w_r, w_g  (E, 3, H)
    gates_bias: Tensor  # b_e, b_r, b_g  (E, 3)
    inner_query: Tensor  # b_1  (E, K)
    query: Tensor  # b_2  (E, K)
    match: Tensor  # b_q  (E,)
    key_inputs: Tensor  # (E, 3K)
    key_cells: Tensor  # (E, 3K)
    value_inputs: Tensor  # (E, 3H)
    value_cells: Tensor  # (E, 3H)
    hidden: Tensor  # (E, 3H)


class ReferentialState(NamedTuple):
    """What the reader carries from token to token."""

    hidden: Tensor  # h_t  (E, B, H)
    keys: Tensor  # k_t^i  (E, B, N, K)
    values: Tensor  # v_t^i  (E, B, N, H)
    salience: Tensor  # s_t^i  (E, B, N)


def soft_step(
    products: tuple[Product, ...], constants: Tensors, state: Tensors, token: Tensors
) -> tuple[ReferentialState, Tensors]:
    """A token with dropout and a soft overwrite; its inputs are projection, real, dropout and Gumbel noise."""
    *vectors, absent, temperature = constants
    projected, real, dropout, noise = token

    def overwrite(amount: Tensor, salience: Tensor) -> Tensor:
        return g.overwrite_gumbel(amount, g.overwrite_odds(salience, noise, temperature))

    return _step(
        ReferentialProducts(*products),
        Vectors(*vectors),
        absent,
        ReferentialState(*state),
        projected,
        real,
        dropout,
        overwrite,
    )


def hard_step(
    products: tuple[Product, ...], constants: Tensors, state: Tensors, token: Tensors
) -> tuple[ReferentialState, Tensors]:
    """A token with a hard overwrite; its inputs are projection and real."""
    *vectors, absent, preference = constants
    projected, real = token

    def overwrite(amount: Tensor, salience: Tensor) -> Tensor:
        return g.overwrite_least_used(amount, salience - absent, preference)

    return _step(
        ReferentialProducts(*products),
        Vectors(*vectors),
        absent,
        ReferentialState(*state),
        projected,
        real,
        None,
        overwrite,
    )


def _step(
    products: ReferentialProducts,
    vectors: Vectors,
    absent: Tensor,
    state: ReferentialState,
    projected: Tensor,
    real: Tensor,
    dropout: Tensor | None,
    overwrite: Callable[[Tensor, Tensor], Tensor],
) -> tuple[ReferentialState, Tensors]:
    """The state after a token, and e_t, up_t^i, ov_t^i and s_t^i; ``overwrite`` shares out w_t by salience."""
    hidden, keys, values, salience = state
    size, key_size = hidden.shape[-1], keys.shape[-1]
    sizes = (size, key_size, key_size)
    drop_pre, drop_base, drop_residual = (None,) * 3 if dropout is None else dropout.split(sizes, dim=-1)

    pre = _drop(r.pre_recurrent_state(projected[..., :size], products.recurrent(hidden)), drop_pre)
    inner_query, base, new_value = products.readout(pre).split((key_size, key_size, size), dim=-1)
    logits = (pre.unsqueeze(-2) * vectors.gates[:, None]).sum(-1) + vectors.gates_bias[:, None]  # (E, B, 3)

    mention_prob = r.mention_gate(logits[..., 0], real)
    referential_prob = r.referential_gate(mention_prob, logits[..., 1])
    query = products.query(torch.tanh(inner_query + vectors.inner_query[:, None])) + vectors.query[:, None]
    match_prob = r.match(referential_prob, keys, query, vectors.match[:, None, None], absent)
    update_prob = r.update_gate(match_prob, salience)
    overwrite_prob = overwrite(r.amount_to_write(mention_prob, update_prob), salience)
    keep_prob = r.remember_gate(update_prob, overwrite_prob)
    salience = r.next_salience(salience, update_prob, overwrite_prob, keep_prob)

    gate = r.read_gate(logits[..., 2], salience)
    mixed = r.mix_memory(hidden, r.memory_read(salience, values), gate)
    hidden = r.gru_cell(projected[..., size:], products.hidden(mixed) + vectors.hidden[:, None], mixed)

    base, new_value = torch.tanh(base), torch.tanh(new_value)
    new_key = base + _drop(torch.tanh(products.residual(_drop(base, drop_base))), drop_residual)
    updated_keys = r.gru_cell(
        (products.key_inputs(new_key) + vectors.key_inputs[:, None]).unsqueeze(-2),
        products.key_cells(keys) + vectors.key_cells[:, None, None],
        keys,
    )
    updated_values = r.gru_cell(
        (products.value_inputs(new_value) + vectors.value_inputs[:, None]).unsqueeze(-2),
        products.value_cells(values) + vectors.value_cells[:, None, None],
        values,
    )
    keys = r.write(keys, new_key, updated_keys, keep_prob, overwrite_prob, update_prob)
    values = r.write(values, new_value, updated_values, keep_prob, overwrite_prob, update_prob)
    return ReferentialState(hidden, keys, values, salience), (mention_prob, update_prob, overwrite_prob, salience)


def _drop(values: Tensor, dropout: Tensor | None) -> Tensor:
    return values if dropout is None else values * dropout
