"""The equations of the Referential Reader (Liu, Zettlemoyer and Eisenstein, ACL 2019), one function each.

Where it decides as PeTra does, to write to the least salient cell, the functions are
those of ``petra.memory.gates``, with salience in the place of usage.

Letters: E models, B texts, N cells, H hidden size (also of a value), K size of a key.
The functions take any leading dimensions in the place of (E, B).
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

FIRST_SALIENCE = 1e-7  # of a cell at the start: with 0 it could never be updated, nor learn to be
DECAY_ENTITY = 0.5 ** (1 / 4)  # salience is halved by 4 tokens that are of people
DECAY_OTHER = 0.5 ** (1 / 30)  # and by 30 that are not


def pre_recurrent_state(inputs: Tensor, recurrent: Tensor) -> Tensor:
    """p_t = tanh(W_x x_t + W_h h_{t-1} + b), given the token's part with b and the recurrent part."""
    return torch.tanh(inputs + recurrent)


def mention_gate(logit: Tensor, real: Tensor) -> Tensor:
    """e_t = sigmoid(w_e . p_t + b_e), and 0 where the token is not real but fills up."""
    return torch.sigmoid(logit) * real


def referential_gate(mention_prob: Tensor, logit: Tensor) -> Tensor:
    """r_t = e_t * sigmoid(w_r . p_t + b_r): t refers to a person met before."""
    return mention_prob * torch.sigmoid(logit)


def match(referential_prob: Tensor, keys: Tensor, query: Tensor, bias: Tensor, absent: Tensor) -> Tensor:
    """a_t^i = r_t * softmax_i(k_{t-1}^i . q_t + b_q), over the cells that a model has.

    ``absent`` is minus infinity for those it does not have. b_q is the same for all
    cells, so that the softmax is the same whatever it is.
    """
    scores = (keys * query.unsqueeze(-2)).sum(-1) + bias + absent  # (E, B, N)
    return referential_prob.unsqueeze(-1) * F.softmax(scores, dim=-1)


def update_gate(match_prob: Tensor, salience: Tensor) -> Tensor:
    """up_t^i = min(a_t^i, 2 s_{t-1}^i): an empty cell cannot be updated."""
    return torch.minimum(match_prob, 2 * salience)


def amount_to_write(mention_prob: Tensor, update_prob: Tensor) -> Tensor:
    """w_t = e_t - sum_i up_t^i, within 0 and 1: t is of somebody, and of nobody in memory."""
    return (mention_prob - update_prob.sum(-1)).clamp(0, 1)


def remember_gate(update_prob: Tensor, overwrite_prob: Tensor) -> Tensor:
    """keep_t^i = 1 - ov_t^i - up_t^i, within 0 and 1."""
    return (1 - overwrite_prob - update_prob).clamp(0, 1)


def next_salience(salience: Tensor, update_prob: Tensor, overwrite_prob: Tensor, keep_prob: Tensor) -> Tensor:
    """s_t^i = up_t^i + ov_t^i + keep_t^i s_{t-1}^i d_t.

    The decay d_t lies between that of a token which is of a person and that of one
    which is not, by sum_i (up_t^i + ov_t^i).
    """
    touched = update_prob + overwrite_prob
    entity = touched.sum(-1, keepdim=True)
    decay = entity * DECAY_ENTITY + (1 - entity) * DECAY_OTHER
    return touched + keep_prob * salience * decay


def memory_read(salience: Tensor, values: Tensor) -> Tensor:
    """z_t = sum_i s_t^i v_{t-1}^i."""
    return (salience.unsqueeze(-1) * values).sum(-2)


def read_gate(logit: Tensor, salience: Tensor) -> Tensor:
    """g_t = min(sigmoid(w_g . p_t + b_g), sum_i s_t^i): an empty memory is not read."""
    return torch.minimum(torch.sigmoid(logit), salience.sum(-1))


def mix_memory(hidden: Tensor, read: Tensor, gate: Tensor) -> Tensor:
    """(1 - g_t) h_{t-1} + g_t z_t, which the GRU takes for its last state."""
    share = gate.unsqueeze(-1)
    return (1 - share) * hidden + share * read


def gru_cell(inputs: Tensor, recurrent: Tensor, state: Tensor) -> Tensor:
    """The next state of a GRU from its two projections, each (..., 3H): reset, update, candidate."""
    reset_in, update_in, candidate_in = inputs.chunk(3, dim=-1)
    reset_state, update_state, candidate_state = recurrent.chunk(3, dim=-1)
    update = torch.sigmoid(update_in + update_state)
    candidate = torch.tanh(candidate_in + torch.sigmoid(reset_in + reset_state) * candidate_state)
    return (1 - update) * candidate + update * state


def write(before: Tensor, new: Tensor, updated: Tensor, keep: Tensor, overwrite: Tensor, update: Tensor) -> Tensor:
    """k_t^i = keep k_{t-1}^i + ov key~ + up GRUCell_k(key~, k_{t-1}^i), and the same for v.

    The new key is one for all cells, (E, B, K); the others are of each cell, (E, B, N, K).
    """
    kept, overwritten = keep.unsqueeze(-1) * before, overwrite.unsqueeze(-1) * new.unsqueeze(-2)
    return kept + overwritten + update.unsqueeze(-1) * updated
