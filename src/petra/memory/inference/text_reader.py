"""The reading of one text by one model, piece by piece, with few tokens looked at closely.

Most tokens are no part of a mention: e_t is all but 0, and so is all that the memory
would do. A token with e_t < epsilon therefore only lets usage fade,

    c_t^i = o_t^i = 0,   m_t^i = m_{t-1}^i,   u_t^i = gamma u_{t-1}^i,

and a run of such tokens is filled in at once. With epsilon 0 every token is read by
the paper's arithmetic. What a skipped token would have changed is bounded, because the
gates of a token add up to e_t (docs/speed.md derives it, the tests hold it):

- each gate of the token by at most e_t, all of them together by e_t;
- the content of a cell by at most (1 + A) e_t in any dimension, where A is 1 or, in the
  Learned Init variant, the largest absolute number in an initial cell, if larger;
- usage by at most e_t, all cells together; with the gates of later tokens as they are
  this fades by gamma per token, so that all skipped tokens s together move usage after
  token t by at most sum_s gamma^(t - s) e_s < epsilon / (1 - gamma);
- a cell that only skipped tokens would have written stays unused, and takes no part in
  equation 3.

Letters: t tokens of a piece, K of them read, D features of a token, N cells, H hidden
size. Tensors lead with one model and, after the tokens, have one text.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from petra.config import MOST_CELLS
from petra.errors import ConfigError
from petra.log.rows import Floats, LogRows
from petra.memory.cells import token_update
from petra.memory.gates import mention_probability, token_share
from petra.memory.inference.numpy_memory import NumpyMemory, NumpyState, NumpyToken, fade
from petra.memory.network import Network
from petra.runtime.threads import one_thread

EPSILON = 0.01

Ties = Literal["lowest", "random"]


class TextReader:
    """Reads one text; the pieces it is fed in do not matter.

    A new person is written to the least used cell. Of equally little used ones that
    is the lowest or, with ``ties="random"``, the first in an order drawn once from the
    seed: all cells begin unused, so this is the paper's draw among those still unused.
    The learned variants take the most similar of the unused cells, whatever ``ties`` says.
    """

    def __init__(
        self,
        network: Network,
        num_cells: int | None = None,
        *,
        epsilon: float = EPSILON,
        ties: Ties = "lowest",
        seed: int = 0,
    ) -> None:
        if network.num_models != 1:
            raise ConfigError(f"A text is read by one model; the network holds {network.num_models}.")
        if num_cells is not None and not 1 <= num_cells <= MOST_CELLS:
            raise ConfigError(f"{num_cells} memory cells were asked for; choose 1 or more, up to {MOST_CELLS:,}.")
        if not 0 <= epsilon <= 1:
            raise ConfigError(f"epsilon is {epsilon}; it lies between 0 (read every token) and 1.")
        self._network = network
        self._epsilon = epsilon
        start = network.start(1, num_cells)
        order = None
        if ties == "random":
            order = torch.rand(start.usage.shape[-1], generator=torch.Generator().manual_seed(seed)).numpy()
        self._memory = NumpyMemory(network, order)
        self._hidden: Tensor | None = None  # h_t of the last token  (1, 1, H)
        self._state = NumpyState(start.cells[0, 0].detach().cpu().numpy(), start.usage[0, 0].cpu().numpy())
        self._skipped = 0  # tokens since the last one read, whose state this is

    @property
    def num_cells(self) -> int:
        return len(self._state.usage)

    @one_thread()
    @torch.inference_mode()
    def read(self, features: Tensor) -> LogRows:
        """Read the features (t, D) of the next tokens."""
        features = features.to(self._network.recurrent_hidden.device)
        if not len(features):
            return self.read_hidden(features.new_zeros(0, self._network.config.hidden_size))
        hidden = self._network.hidden_states(features[None, :, None], self._hidden)  # (1, t, 1, H)
        self._hidden = hidden[:, -1]
        return self.read_hidden(hidden[0, :, 0])

    @one_thread()
    @torch.inference_mode()
    def read_hidden(self, hidden: Tensor) -> LogRows:
        """Read on from h_t of the next tokens, (t, H): the part of the memory alone."""
        rows = hidden[None, :, None]  # (1, t, 1, H)
        mention_prob = mention_probability(rows, self._network.mention_weights)[0, :, 0].cpu().numpy()  # (t,)
        is_read = mention_prob >= self._epsilon  # (t,)
        places = np.flatnonzero(is_read)  # (K,)
        # The tokens after which usage is known: the last one read before this piece, then those read in it.
        anchors = np.concatenate([[-1 - self._skipped], places])  # (K + 1,)
        skipped = np.diff(anchors) - 1  # (K,) tokens before each that is read
        usage_before, decay = self._state.usage, self._network.config.usage_decay
        coref_prob, overwrite_prob, usage = self._read_tokens(rows[:, places], mention_prob[places], skipped.tolist())
        # Every token has the usage of the last anchor up to it, faded since.
        anchor = np.cumsum(is_read)  # (t,)
        since = np.arange(len(anchor)) - anchors[anchor]  # (t,)
        self._skipped = len(anchor) - 1 - int(anchors[-1])
        return LogRows(
            mention_prob,
            _spread(coref_prob, places, len(anchor)),
            _spread(overwrite_prob, places, len(anchor)),
            fade(np.concatenate([usage_before[None], usage])[anchor], since[:, None], decay),
        )

    def _read_tokens(self, hidden: Tensor, mention_prob: Floats, skipped: list[int]) -> tuple[Floats, Floats, Floats]:
        """c_t, o_t and u_t, (K, N) each, of the tokens that are read, with so many skipped before each."""
        share = token_share(hidden, self._network.similarity_weights)[0, :, 0]  # (K, M)
        update = token_update(hidden, self._network.update_weights)[0, :, 0]  # (K, H)
        terms = (hidden[0, :, 0].cpu().numpy(), mention_prob.tolist(), share.cpu().numpy(), update.cpu().numpy())
        gates = np.empty((3, len(skipped), self.num_cells), dtype=np.float32)
        state, decay = self._state, self._network.config.usage_decay
        for place, (token, tokens_before) in enumerate(zip(map(NumpyToken, *terms), skipped, strict=True)):
            if tokens_before:
                state = NumpyState(state.cells, fade(state.usage, tokens_before, decay))
            state, gates[0, place], gates[1, place] = self._memory.read(token, state)
            gates[2, place] = state.usage
        self._state = state
        return gates[0], gates[1], gates[2]


def _spread(values: Floats, places: NDArray[np.int64], tokens: int) -> Floats:
    """Rows (K, N) at their places among t, with zeros between."""
    spread = np.zeros((tokens, values.shape[1]), dtype=np.float32)
    spread[places] = values
    return spread
