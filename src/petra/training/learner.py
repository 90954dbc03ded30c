"""One or several models learning side by side: a step on a batch, and a reading of a corpus.

Letters: E models, T tokens, B texts, H hidden size, N cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from petra.config import TrainingConfig
from petra.memory.gates import Gates
from petra.memory.models import Model
from petra.memory.referential.network import ReferentialReader
from petra.training.batches import Batch, Batcher, LinkBatch
from petra.training.losses import Pairs, coreference_loss, link_probability, mention_loss
from petra.training.optimizer import StackedAdam
from petra.training.pair_loss import all_pairs_loss
from petra.training.replay import Replay


class Learner:
    """The models of a network, their optimizer and their sources of randomness.

    Model e draws its dropout and its Gumbel noise from generator e alone, and noise
    for its own cells only, so that a run is the same whoever learns beside it.
    ``models`` are the places of those it holds among all that it began with.
    """

    def __init__(self, network: Model, batcher: Batcher, config: TrainingConfig, seeds: tuple[int, ...]) -> None:
        self.network = network
        self.batcher = batcher
        self.config = config
        self.device = batcher.device
        self.models = tuple(range(network.num_models))
        self.generators = [torch.Generator(self.device).manual_seed(seed) for seed in seeds]
        self._begin()

    def _begin(self) -> None:
        """Make the optimizer and what else depends on the number of models."""
        self.optimizer = StackedAdam(list(self.network.parameters()), self.config.clip_norm)
        self._capacity: list[int] = self.network.capacity.tolist()
        if self.device.type == "cuda":
            torch.compiler.reset()  # a step is compiled for these shapes alone, and few sets of shapes may be kept
        self._gradients = Replay(self._compute_gradients, self.device)

    def keep_only(self, models: Sequence[int]) -> None:
        """Drop all models but these, given by their places among those that the learner began with."""
        moments = self.optimizer.state
        kept = [self.models.index(model) for model in models]
        index = torch.tensor(kept, device=self.device)
        for name, parameter in list(self.network.named_parameters()):
            self.network.register_parameter(name, nn.Parameter(parameter.detach()[index]))
        self.network.capacity = self.network.capacity[index]
        self.models = tuple(models)
        self.generators = [self.generators[place] for place in kept]
        self._begin()
        for name, moment in self.optimizer.state.items():
            moment.copy_(moments[name][index])

    def step(self, batch: Batch, temperature: float, learning_rates: Tensor) -> Tensor:
        """Learn from one batch; returns the loss of each model (E,)."""
        if self._gradients.awaits_recording:
            self._record_longest()
        tokens, texts = batch.rows.shape
        loss, *gradients = self._gradients(
            *batch[:-1],
            *batch.pairs,
            self._uniform(tokens, texts, self._feature_dropout_size),
            self._uniform(tokens, texts, self.network.dropout_size),
            self._uniform_of_cells(tokens, texts),
            torch.tensor(temperature, device=self.device),
        )
        self.optimizer.update(gradients, learning_rates)
        return loss.clone()

    def _record_longest(self) -> None:
        """Capture the graph of the largest batch first: its memory pool serves smaller batches, not the reverse."""
        batch = self.batcher.longest()
        sizes = (self._feature_dropout_size, self.network.dropout_size, self.network.config.num_cells)
        shape = (len(self.generators), *batch.rows.shape)
        uniform = (torch.full((*shape, size), 0.5, device=self.device) for size in sizes)  # nothing is drawn for it
        self._gradients(*batch[:-1], *batch.pairs, *uniform, torch.ones((), device=self.device))

    @property
    def _feature_dropout_size(self) -> int:
        """The width of the dropout mask on a token's features; 0 without such dropout."""
        return self.network.input_size if self.config.feature_dropout else 0

    def _uniform(self, *shape: int) -> Tensor:
        """Random numbers between 0 and 1, (E, *shape)."""
        numbers = torch.empty(len(self.generators), *shape, device=self.device)
        for own, generator in zip(numbers, self.generators, strict=True):
            own.uniform_(generator=generator)
        return numbers

    def _uniform_of_cells(self, tokens: int, texts: int) -> Tensor:
        """Random numbers for the cells that each model has, (E, tokens, texts, N); the others are unused."""
        shape = (len(self.generators), tokens, texts, self.network.config.num_cells)
        numbers = torch.full(shape, 0.5, device=self.device)
        for own, generator, cells in zip(numbers, self.generators, self._capacity, strict=True):
            own[..., :cells] = torch.empty(tokens, texts, cells, device=self.device).uniform_(generator=generator)
        return numbers

    def _compute_gradients(
        self,
        rows: Tensor,
        real: Tensor,
        unlabelled: Tensor,
        first: Tensor,
        second: Tensor,
        label: Tensor,
        weight: Tensor,
        feature_uniform: Tensor,
        dropout_uniform: Tensor,
        gumbel_uniform: Tensor,
        temperature: Tensor,
    ) -> tuple[Tensor, ...]:
        features = self.batcher.features(rows)
        if self.config.feature_dropout:
            features = features * _dropout(feature_uniform, self.config.feature_dropout)
        noise = -torch.log(-torch.log(gumbel_uniform.clamp(1e-7, 1 - 1e-7)))
        if self.config.tempered_noise:
            noise = noise / temperature
        dropout = _dropout(dropout_uniform, self.config.dropout)
        gates = self.network.train_step(features, real, dropout, noise, temperature)
        pairs = Pairs(first, second, label, weight)
        if isinstance(self.network, ReferentialReader):
            loss = all_pairs_loss(gates, real, pairs)
        else:
            loss = coreference_loss(gates, pairs)
            loss = loss + self.config.mention_loss_weight * mention_loss(gates.mention_prob, unlabelled)
        return (loss.detach(), *torch.autograd.grad(loss.sum(), self.optimizer.parameters))


def _dropout(uniform: Tensor, rate: float) -> Tensor:
    """The factors of inverted dropout: 0 where a uniform number is below the rate, else 1 / (1 - rate)."""
    return (uniform >= rate) / (1 - rate)


class CorpusReader:
    """Reads a whole corpus with all models of a network, as at inference.

    With ``recorded`` a GPU captures the reading as a graph, worthwhile for a corpus read more than once.
    """

    def __init__(self, network: Model, batcher: Batcher, *, recorded: bool = True) -> None:
        self.network = network
        self.batcher = batcher
        self._read = Replay(self._compute_links, batcher.device) if recorded else self._compute_links

    def link_probabilities(self) -> NDArray[np.float64]:
        """P_CL of each name with its pronoun: (E, texts, 2)."""
        links = np.empty((self.network.num_models, len(self.batcher.examples), 2))
        for members, batch in self.batcher.reading():
            (found,) = self._read(*batch)
            links[:, members] = found[:, : len(members)].double().cpu().numpy()
        return links

    def _compute_links(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        batch = LinkBatch(*inputs)
        with torch.no_grad():
            gates = self.network.read(self.batcher.features(batch.rows), batch.real)
            links = link_probability(gates, batch.first.flatten(1), batch.second.flatten(1))  # (E, B, 2L)
            links = links.view(-1, *batch.counted.shape) * batch.counted
        return (links.amax(-1),)

    def gates(self, preference: Tensor | None = None) -> Iterator[tuple[list[int], Gates]]:
        """The gates of all texts, batch by batch, with the texts' numbers.

        ``preference`` (E, texts, N) orders equally little used cells, text by text.
        """
        for members, batch in self.batcher.reading():
            order = None
            if preference is not None:  # whatever stands for the texts that only fill up
                order = preference[:, [*members, *[0] * (batch.rows.shape[1] - len(members))]]
            with torch.no_grad():
                yield members, self.network.read(self.batcher.features(batch.rows), batch.real, order)
