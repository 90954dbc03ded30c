"""One token of one text read by one model, in NumPy.

The arithmetic of ``petra.memory.step.hard_step``, which serves many texts and models at once and
spends more time on calling PyTorch than on computing when there is only one of
each. The tests hold the two equal.

Letters: N cells, H hidden size, M size of MLP_2's layers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from petra.log.rows import Floats
from petra.memory.network import Network


class NumpyToken(NamedTuple):
    """What is known of a token before the memory is looked at."""

    hidden: Floats  # h_t  (H,)
    mention_prob: float  # e_t
    share: Floats  # h_t's part of MLP_2's first layer  (M,)
    update: Floats  # h_t's part of MLP_3  (H,)


class NumpyState(NamedTuple):
    """The memory between two tokens."""

    cells: Floats  # m_t^i  (N, H)
    usage: Floats  # u_t^i  (N,)


def fade(usage: Floats, tokens: int | NDArray[np.int64], decay: float) -> Floats:
    """Equation 8 over tokens that are of nobody (o = c = 0): u_{t+k}^i = gamma^k u_t^i, for k = tokens.

    Usage is 0 only in a cell never written, so what would underflow stays at the
    smallest number that does not.
    """
    faded = (usage * np.power(decay, tokens)).astype(usage.dtype)
    least: Floats = np.minimum(usage, np.finfo(usage.dtype).tiny)
    return np.maximum(faded, least)


class NumpyMemory:
    """The cells' part of one model; preference (N,) orders equally little used cells, else the lowest goes first."""

    def __init__(self, network: Network, preference: Floats | None = None) -> None:
        mlp, update = network.similarity_weights, network.update_weights
        self._token, self._token_bias = _array(mlp.token), _array(mlp.first_bias)
        self._cell, self._product, self._second = (_array(each) for each in (mlp.cell, mlp.product, mlp.second))
        self._usage, self._second_bias, self._out = (_array(each) for each in (mlp.usage, mlp.second_bias, mlp.out))
        self._out_bias = np.float32(mlp.out_bias[0].item())
        self._update, self._token_update, self._update_bias = map(_array, (update.cell, update.token, update.bias))
        self._variant, self._decay = network.variant, network.config.usage_decay
        self._preference = preference

    def token_share(self, hidden: Floats) -> Floats:
        """h_t's part of MLP_2's first layer: (M,)."""
        share: Floats = hidden @ self._token + self._token_bias
        return share

    def token_update(self, hidden: Floats) -> Floats:
        """h_t's part of MLP_3: (H,)."""
        update: Floats = hidden @ self._token_update + self._update_bias
        return update

    def cell_share(self, cells: Floats) -> Floats:
        """The part of MLP_2's first layer that is of m^i alone, for one cell (H,) or several (N, H)."""
        share: Floats = cells @ self._cell
        return share

    def read(self, token: NumpyToken, state: NumpyState) -> tuple[NumpyState, Floats, Floats]:
        """Equations 2 to 5, 7 and 8; returns the memory after the token, c_t and o_t."""
        cells, usage = state
        similarity = self.similarity(token, cells, usage)
        # Equations 3 and 4, the softmax over the cells in use and 0 for a new person.
        scores = np.where(usage == 0, np.float32(-np.inf), similarity)
        highest = max(float(scores.max()), 0.0)
        odds = np.exp(scores - highest)
        new_person_odds = np.exp(np.float32(-highest))
        share = token.mention_prob / (odds.sum() + new_person_odds)
        coref_prob = odds * share
        # Equation 5.
        overwrite_prob = np.zeros_like(usage)
        overwrite_prob[self._least_used(usage, similarity)] = new_person_odds * share
        # Equation 7.
        merged = self.merged(token.update, cells)
        touched = overwrite_prob + coref_prob
        updated = (1 - touched)[:, None] * cells
        updated += overwrite_prob[:, None] * token.hidden
        merged *= coref_prob[:, None]
        updated += merged
        key_size = self._variant.key_size
        updated[:, :key_size] = cells[:, :key_size]
        # Equation 8.
        after = NumpyState(updated, np.minimum(touched + self._decay * usage, np.float32(1)))
        return after, coref_prob, overwrite_prob

    def merged(self, update: Floats, cells: Floats) -> Floats:
        """MLP_3([h_t; m^i]) of equation 7, for one cell (H,) or several (N, H), given ``token_update``.

        It is what each becomes if the token is of its person.
        """
        merged: Floats = cells @ self._update
        merged += update
        np.tanh(merged, out=merged)
        return merged

    def similarity(self, token: NumpyToken, cells: Floats, usage: Floats) -> Floats:
        """Equation 2 for all cells: (N,)."""
        return self.similarity_by_shares(token.hidden, token.share, cells, self.cell_share(cells), usage)

    def similarity_by_shares(
        self, hidden: Floats, token_share: Floats, cells: Floats, cell_shares: Floats, usage: Floats
    ) -> Floats:
        """The same, given the parts of MLP_2's first layer that are of h_t and of each cell alone, (M,) and (N, M)."""
        first = (hidden * cells) @ self._product
        first += cell_shares
        first += token_share
        first += usage[:, None] * self._usage
        np.maximum(first, 0, out=first)
        second = first @ self._second
        second += self._second_bias
        np.maximum(second, 0, out=second)
        score: Floats = second @ self._out + self._out_bias
        return score

    def _least_used(self, usage: Floats, similarity: Floats) -> int:
        preference = similarity * (usage == 0) if self._variant.by_similarity else self._preference
        if preference is None:
            return int(usage.argmin())
        return int(np.where(usage == usage.min(), preference, -np.inf).argmax())


def _array(weight: Tensor) -> Floats:
    """The weight of the network's only model."""
    return np.ascontiguousarray(weight[0].detach().cpu().numpy())
