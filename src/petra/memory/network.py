"""The parameters of one or several models, and a reading of features by them.

Letters: E models, B texts, T tokens, D features of a token, N cells, H hidden size.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from petra.config import MemoryConfig
from petra.errors import ConfigError
from petra.memory.cells import MemoryState, UpdateWeights, absent_cells, token_update
from petra.memory.gates import Gates, MentionWeights, SimilarityWeights, mention_probability, token_share
from petra.memory.gru import RecurrentWeights, recurrent_states
from petra.memory.scan import scan_inference, scan_training
from petra.memory.step import TokenTerms
from petra.memory.variants import Vanilla, variant_of


class Network(nn.Module):
    """GRU, controller and initial cells of E models of one configuration.

    The models share nothing but their shapes: seed e alone decides the parameters
    of model e. ``capacity`` gives each model its own number of cells, up to the
    configuration's.
    """

    recurrent_inputs: Tensor
    recurrent_inputs_bias: Tensor
    recurrent_hidden: Tensor
    recurrent_hidden_bias: Tensor
    mention_first: Tensor
    mention_first_bias: Tensor
    mention_second: Tensor
    mention_second_bias: Tensor
    mention_out: Tensor
    mention_out_bias: Tensor
    similarity_first: Tensor
    similarity_first_bias: Tensor
    similarity_second: Tensor
    similarity_second_bias: Tensor
    similarity_out: Tensor
    similarity_out_bias: Tensor
    update: Tensor
    update_bias: Tensor
    capacity: Tensor

    def __init__(
        self, config: MemoryConfig, input_size: int, *, seeds: tuple[int, ...] = (0,), capacity: tuple[int, ...] = ()
    ) -> None:
        super().__init__()
        if config.variant == "referential-reader":
            raise ConfigError(
                "memory.variant is 'referential-reader', which is no PeTra model. "
                "Choose vanilla, learned-init or fixed-key."
            )
        self.config = config
        self.input_size = input_size
        self.variant = variant_of(config)
        size, layer = config.hidden_size, config.mlp_size
        shapes = {  # a weight's rows are its inputs
            "recurrent_inputs": (input_size, 3 * size),
            "recurrent_inputs_bias": (3 * size,),
            "recurrent_hidden": (size, 3 * size),
            "recurrent_hidden_bias": (3 * size,),
            "mention_first": (size, layer),
            "mention_first_bias": (layer,),
            "mention_second": (layer, layer),
            "mention_second_bias": (layer,),
            "mention_out": (layer, 1),
            "mention_out_bias": (1,),
            "similarity_first": (3 * size + 1, layer),
            "similarity_first_bias": (layer,),
            "similarity_second": (layer, layer),
            "similarity_second_bias": (layer,),
            "similarity_out": (layer,),
            "similarity_out_bias": (),
            "update": (2 * size, size),
            "update_bias": (size,),
            **self.variant.shapes(config.num_cells, size),
        }
        for name, shape in shapes.items():
            self.register_parameter(name, nn.Parameter(torch.empty(len(seeds), *shape)))
        self.register_buffer("capacity", torch.tensor(capacity or (config.num_cells,) * len(seeds)), persistent=False)
        for index, seed in enumerate(seeds):
            self._initialise(index, torch.Generator().manual_seed(seed))

    def _initialise(self, index: int, generator: torch.Generator) -> None:
        """Uniform in 1/sqrt(inputs), as is usual for such layers; learned cells normal, of a hidden state's size."""
        fan_in = {
            "recurrent": self.config.hidden_size,
            "mention_first": self.config.hidden_size,
            "mention": self.config.mlp_size,
            "similarity_first": 3 * self.config.hidden_size + 1,
            "similarity": self.config.mlp_size,
            "update": 2 * self.config.hidden_size,
        }
        learned = self.variant.shapes(self.config.num_cells, self.config.hidden_size)
        with torch.no_grad():
            for name, parameter in self.named_parameters():
                if name in learned:
                    parameter[index].normal_(std=0.1, generator=generator)
                else:
                    inputs = next(count for prefix, count in fan_in.items() if name.startswith(prefix))
                    bound = 1 / math.sqrt(inputs)
                    parameter[index].uniform_(-bound, bound, generator=generator)

    @property
    def num_models(self) -> int:
        return self.recurrent_hidden.shape[0]

    @property
    def dropout_size(self) -> int:
        """How many numbers of a token dropout may take away: those of h_t."""
        return self.config.hidden_size

    @property
    def recurrent_weights(self) -> RecurrentWeights:
        return RecurrentWeights(
            self.recurrent_inputs, self.recurrent_inputs_bias, self.recurrent_hidden, self.recurrent_hidden_bias
        )

    @property
    def mention_weights(self) -> MentionWeights:
        return MentionWeights(
            self.mention_first,
            self.mention_first_bias,
            self.mention_second,
            self.mention_second_bias,
            self.mention_out,
            self.mention_out_bias,
        )

    @property
    def similarity_weights(self) -> SimilarityWeights:
        size = self.config.hidden_size
        token, cell, product, usage = torch.split(self.similarity_first, [size, size, size, 1], dim=1)
        return SimilarityWeights(
            token,
            cell,
            product,
            usage.squeeze(1),
            self.similarity_first_bias,
            self.similarity_second,
            self.similarity_second_bias,
            self.similarity_out,
            self.similarity_out_bias,
        )

    @property
    def update_weights(self) -> UpdateWeights:
        token, cell = self.update.chunk(2, dim=1)
        return UpdateWeights(token, cell, self.update_bias)

    def start(self, batch: int, num_cells: int | None = None) -> MemoryState:
        """The memory before the first token: all cells unused.

        Vanilla cells are zero, so there may be any number of them; the learned
        variants have as many as they were trained with.
        """
        count = num_cells or self.config.num_cells
        if count != self.config.num_cells and type(self.variant) is not Vanilla:
            raise ConfigError(
                f"{count} cells were asked for, but a {self.config.variant} model has the {self.config.num_cells} "
                "it was trained with. Leave the number out, or choose a vanilla model."
            )
        zeros = self.recurrent_hidden.new_zeros(self.num_models, count, self.config.hidden_size)
        cells = self.variant.initial_cells(dict(self.named_parameters()), zeros)
        cells = cells.unsqueeze(1).expand(-1, batch, -1, -1)
        return MemoryState(cells, cells.new_zeros(self.num_models, batch, count))

    def hidden_states(self, features: Tensor, start: Tensor | None = None) -> Tensor:
        """h_t of every token from features (E or 1, T, B, D)."""
        if start is None:
            start = features.new_zeros(self.num_models, features.shape[2], self.config.hidden_size)
        return recurrent_states(features, start, self.recurrent_weights)

    def token_terms(self, hidden: Tensor, real: Tensor | None = None) -> TokenTerms:
        """Everything the memory needs of the tokens; e_t = 0 where ``real`` (T, B) is false."""
        mention_prob = mention_probability(hidden, self.mention_weights)
        if real is not None:
            mention_prob = mention_prob * real
        share = token_share(hidden, self.similarity_weights)
        return TokenTerms(hidden, mention_prob, share, token_update(hidden, self.update_weights))

    def train_step(self, features: Tensor, real: Tensor, dropout: Tensor, noise: Tensor, temperature: Tensor) -> Gates:
        """Gates with soft overwrites; dropout (E, T, B, H) multiplies h_t, noise (E, T, B, N) is Gumbel."""
        terms = self.token_terms(self.hidden_states(features) * dropout, real)
        absent = absent_cells(self.capacity, noise.shape[-1])
        start = self.start(features.shape[2])
        return scan_training(
            terms,
            start,
            noise,
            absent,
            temperature,
            self.similarity_weights,
            self.update_weights,
            self.variant,
            self.config.usage_decay,
        )

    def read(self, features: Tensor, real: Tensor, preference: Tensor | None = None) -> Gates:
        """Gates with hard overwrites, for whole texts side by side."""
        terms = self.token_terms(self.hidden_states(features), real)
        start = self.start(features.shape[2])
        absent = absent_cells(self.capacity, start.usage.shape[-1])
        gates, _ = scan_inference(
            terms,
            start,
            absent,
            preference,
            self.similarity_weights,
            self.update_weights,
            self.variant,
            self.config.usage_decay,
        )
        return gates
