"""The reading of one text by one Referential Reader, piece by piece.

The counterpart of ``petra.memory.inference.text_reader``. The Referential Reader's state changes on every
token, so that none can be skipped.

Letters: t tokens of a piece, D features of a token, N cells, H hidden size.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import torch
from torch import Tensor

from petra.errors import ConfigError
from petra.log.rows import LogRows
from petra.memory.cells import absent_cells
from petra.memory.linear import linear
from petra.memory.referential.network import ReferentialReader
from petra.memory.referential.step import hard_step
from petra.runtime.threads import one_thread


class ReferentialTextReader:
    """Reads one text; the pieces it is fed in do not matter. Of equally little salient cells the lowest is written."""

    def __init__(self, network: ReferentialReader, num_cells: int | None = None) -> None:
        if network.num_models != 1:
            raise ConfigError(f"A text is read by one model; the network holds {network.num_models}.")
        if num_cells not in (None, network.config.num_cells):
            raise ConfigError(
                f"{num_cells} cells were asked for, but a referential-reader model has the "
                f"{network.config.num_cells} it was trained with. Leave the number out, or choose a vanilla model."
            )
        self._network = network
        self._state = network.start(1)
        self._products = tuple(partial(linear, weight=matrix) for matrix in network.matrices)
        absent = absent_cells(network.capacity, network.config.num_cells)
        self._constants = (*network.vectors, absent, torch.zeros_like(self._state.salience))

    @property
    def num_cells(self) -> int:
        return self._network.config.num_cells

    @one_thread()
    @torch.inference_mode()
    def read(self, features: Tensor) -> LogRows:
        """Read the features (t, D) of the next tokens."""
        features = features.to(self._network.recurrent.device)
        projected = linear(features[None, :, None], self._network.inputs, self._network.inputs_bias)  # (1, t, 1, 4H)
        real = projected.new_ones(1, 1)
        mention_prob = np.empty(len(features), dtype=np.float32)
        gates = np.empty((3, len(features), self.num_cells), dtype=np.float32)
        for at in range(len(features)):
            self._state, decided = hard_step(self._products, self._constants, self._state, (projected[:, at], real))
            mention_prob[at] = decided[0].item()
            for rows, values in zip(gates, decided[1:], strict=True):
                rows[at] = values[0, 0].cpu().numpy()
        return LogRows(mention_prob, *gates)
