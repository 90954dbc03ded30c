"""The Referential Reader: the parameters of one or several models, and a reading of features by them.

The model that the paper compares PeTra with. It reads the same features and decides
in the same terms, so that whatever trains, scores and shows one serves the other:
its update gate is a ``coref_prob``, its overwrite gate an ``overwrite_prob`` and its
salience a ``usage``. The loop over tokens is that of ``checkpointed_loop``; on a GPU
``petra.memory.kernels.referential`` reads all tokens in one kernel.

Letters: E models, B texts, T tokens, D features of a token, N cells, H hidden size
(also of a value), K size of a key.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from petra.config import MemoryConfig
from petra.errors import ConfigError
from petra.memory.cells import absent_cells
from petra.memory.gates import Gates
from petra.memory.linear import linear
from petra.memory.referential.checkpointing import Tensors, checkpointed_loop, loop
from petra.memory.referential.gates import FIRST_SALIENCE
from petra.memory.referential.step import ReferentialState, Vectors, hard_step, soft_step
from petra.memory.scan import by_kernel

KEY_SIZE = 32  # K


class ReferentialReader(nn.Module):
    """E Referential Readers of one configuration.

    As in ``Network``, the models share nothing but their shapes, seed e alone decides
    the parameters of model e, and ``capacity`` gives each model its own number of
    cells, up to the configuration's.
    """

    inputs: Tensor
    inputs_bias: Tensor
    recurrent: Tensor
    gates: Tensor
    gates_bias: Tensor
    readout: Tensor
    inner_query_bias: Tensor
    query: Tensor
    query_bias: Tensor
    match_bias: Tensor
    residual: Tensor
    key_inputs: Tensor
    key_inputs_bias: Tensor
    key_cells: Tensor
    key_cells_bias: Tensor
    value_inputs: Tensor
    value_inputs_bias: Tensor
    value_cells: Tensor
    value_cells_bias: Tensor
    hidden: Tensor
    hidden_bias: Tensor
    start_hidden: Tensor
    start_keys: Tensor
    start_values: Tensor
    capacity: Tensor

    def __init__(
        self, config: MemoryConfig, input_size: int, *, seeds: tuple[int, ...] = (0,), capacity: tuple[int, ...] = ()
    ) -> None:
        super().__init__()
        if config.variant != "referential-reader":
            raise ConfigError(
                f"memory.variant is {config.variant!r}, which is a PeTra model; "
                "a Referential Reader has the variant 'referential-reader'."
            )
        self.config = config
        self.input_size = input_size
        size = config.hidden_size
        shapes = {  # a weight's rows are its inputs
            "inputs": (input_size, 4 * size),  # W_x, and the three gates of the GRU of h_t
            "inputs_bias": (4 * size,),
            "recurrent": (size, size),  # W_h
            "gates": (3, size),  # w_e, w_r, w_g
            "gates_bias": (3,),
            "readout": (size, 2 * KEY_SIZE + size),  # W_1, F_1, F_v
            "inner_query_bias": (KEY_SIZE,),  # b_1
            "query": (KEY_SIZE, KEY_SIZE),  # W_2
            "query_bias": (KEY_SIZE,),
            "match_bias": (),
            "residual": (KEY_SIZE, KEY_SIZE),  # F_2
            "key_inputs": (KEY_SIZE, 3 * KEY_SIZE),
            "key_inputs_bias": (3 * KEY_SIZE,),
            "key_cells": (KEY_SIZE, 3 * KEY_SIZE),
            "key_cells_bias": (3 * KEY_SIZE,),
            "value_inputs": (size, 3 * size),
            "value_inputs_bias": (3 * size,),
            "value_cells": (size, 3 * size),
            "value_cells_bias": (3 * size,),
            "hidden": (size, 3 * size),
            "hidden_bias": (3 * size,),
            "start_hidden": (size,),  # h_0
            "start_keys": (config.num_cells, KEY_SIZE),
            "start_values": (config.num_cells, size),
        }
        for name, shape in shapes.items():
            self.register_parameter(name, nn.Parameter(torch.zeros(len(seeds), *shape)))
        self.register_buffer("capacity", torch.tensor(capacity or (config.num_cells,) * len(seeds)), persistent=False)
        for index, seed in enumerate(seeds):
            self._initialise(index, torch.Generator().manual_seed(seed))

    def _initialise(self, index: int, generator: torch.Generator) -> None:
        """Uniform in 1/sqrt(inputs), as is usual for such layers; h_0 zero, keys and values standard normal."""
        of_keys = ("query", "match", "residual", "key")
        with torch.no_grad():
            for name, parameter in self.named_parameters():
                if not name.startswith("start"):
                    inputs = KEY_SIZE if name.startswith(of_keys) else self.config.hidden_size
                    bound = 1 / math.sqrt(inputs)
                    parameter[index].uniform_(-bound, bound, generator=generator)
            # Cell by cell, so that a cell begins the same however many come after it.
            for cell in range(self.config.num_cells):
                self.start_keys[index, cell].normal_(generator=generator)
                self.start_values[index, cell].normal_(generator=generator)

    @property
    def num_models(self) -> int:
        return self.recurrent.shape[0]

    @property
    def dropout_size(self) -> int:
        """How many numbers of a token dropout may take away: p_t, and key~ on both sides of F_2."""
        return self.config.hidden_size + 2 * KEY_SIZE

    @property
    def matrices(self) -> Tensors:
        """The matrices inside the loop, in the order of ``ReferentialProducts``."""
        return (
            self.recurrent,
            self.readout,
            self.query,
            self.residual,
            self.key_inputs,
            self.key_cells,
            self.value_inputs,
            self.value_cells,
            self.hidden,
        )

    @property
    def vectors(self) -> Vectors:
        return Vectors(
            self.gates,
            self.gates_bias,
            self.inner_query_bias,
            self.query_bias,
            self.match_bias,
            self.key_inputs_bias,
            self.key_cells_bias,
            self.value_inputs_bias,
            self.value_cells_bias,
            self.hidden_bias,
        )

    def start(self, batch: int) -> ReferentialState:
        """What the reader carries into the first token; cells that a model does not have are without salience."""
        absent = absent_cells(self.capacity, self.config.num_cells)
        salience = torch.where(absent == 0, FIRST_SALIENCE, 0.0).expand(-1, batch, -1)
        hidden, keys, values = (
            each.unsqueeze(1).expand(-1, batch, *each.shape[1:])
            for each in (self.start_hidden, self.start_keys, self.start_values)
        )
        return ReferentialState(hidden, keys, values, salience)

    def train_step(self, features: Tensor, real: Tensor, dropout: Tensor, noise: Tensor, temperature: Tensor) -> Gates:
        """Gates with soft overwrites, from features (E or 1, T, B, D), with real (T, B) false for padding.

        Dropout (E, T, B, dropout_size) multiplies p_t and key~, noise (E, T, B, N) is Gumbel.
        """
        start, (projected, real) = self.start(features.shape[2]), self._token_inputs(features, real)
        if by_kernel(projected, noise.shape[-1]):
            from petra.memory.kernels.referential.scan import TokenInputs, train_fused

            inputs = TokenInputs(projected, real, dropout, noise)
            return Gates(*train_fused(inputs, start, self.capacity, temperature, self.matrices, self.vectors))
        absent = absent_cells(self.capacity, noise.shape[-1])
        constants = (*self.vectors, absent, temperature)
        tokens = (projected, real, dropout, noise + absent[:, None])
        return Gates(*checkpointed_loop(soft_step, self.matrices, constants, start, tokens))

    def read(self, features: Tensor, real: Tensor, preference: Tensor | None = None) -> Gates:
        """Gates with hard overwrites, for whole texts side by side.

        ``preference`` (E, B, N) orders equally little salient cells; None takes the lowest i.
        """
        start, (projected, real) = self.start(features.shape[2]), self._token_inputs(features, real)
        if by_kernel(projected, self.config.num_cells):
            from petra.memory.kernels.referential.scan import TokenInputs, read_fused

            inputs = TokenInputs(projected, real)
            return Gates(*read_fused(inputs, start, self.capacity, preference, self.matrices, self.vectors))
        if preference is None:
            preference = torch.zeros_like(start.salience)
        constants = (*self.vectors, absent_cells(self.capacity, self.config.num_cells), preference)
        return Gates(*loop(hard_step, self.matrices, constants, start, (projected, real)))

    def _token_inputs(self, features: Tensor, real: Tensor) -> tuple[Tensor, Tensor]:
        """What does not wait for the token before: x_t's part of p_t and of the GRU, (E, T, B, 4H), and real."""
        return linear(features, self.inputs, self.inputs_bias), real[None].to(features.dtype)
