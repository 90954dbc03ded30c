"""One or several models learning side by side: a step on a batch, and a reading of a corpus.

Letters: E models, T tokens, B texts, H hidden size, N cells.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from petra.config import TrainingConfig
from petra.memory.network import Network
from petra.memory.scan import Gates
from petra.training.batches import Batch, Batcher, LinkBatch
from petra.training.losses import Pairs, coreference_loss, link_probability, mention_loss
from petra.training.optimizer import StackedAdam
from petra.training.replay import Replay


class Learner:
    """The models of a network, their optimizer and their sources of randomness.

    Model e draws its dropout and its Gumbel noise from generator e alone, so that a
    run is the same whoever learns beside it.
    """

    def __init__(self, network: Network, batcher: Batcher, config: TrainingConfig, seeds: tuple[int, ...]) -> None:
        self.network = network
        self.batcher = batcher
        self.config = config
        self.device = batcher.device
        self.optimizer = StackedAdam(list(network.parameters()), config.clip_norm)
        self.generators = [torch.Generator(self.device).manual_seed(seed) for seed in seeds]
        self._gradients = Replay(self._compute_gradients, self.device)

    def step(self, batch: Batch, temperature: float, learning_rates: Tensor) -> Tensor:
        """Learn from one batch; returns the loss of each model (E,)."""
        tokens, texts = batch.rows.shape
        loss, *gradients = self._gradients(
            batch.rows,
            batch.real,
            batch.unlabelled,
            *batch.pairs,
            self._uniform(tokens, texts, self.network.input_size if self.config.feature_dropout else 0),
            self._uniform(tokens, texts, self.network.config.hidden_size),
            self._uniform(tokens, texts, self.network.config.num_cells),
            torch.tensor(temperature, device=self.device),
        )
        self.optimizer.update(gradients, learning_rates)
        return loss.clone()

    def _uniform(self, *shape: int) -> Tensor:
        """Random numbers between 0 and 1, (E, *shape)."""
        numbers = torch.empty(len(self.generators), *shape, device=self.device)
        for own, generator in zip(numbers, self.generators, strict=True):
            own.uniform_(generator=generator)
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
        loss = coreference_loss(gates, Pairs(first, second, label, weight))
        loss = loss + self.config.mention_loss_weight * mention_loss(gates.mention_prob, unlabelled)
        return (loss.detach(), *torch.autograd.grad(loss.sum(), self.optimizer.parameters))


def _dropout(uniform: Tensor, rate: float) -> Tensor:
    """What to multiply by: 0 at that rate, else what makes up for it."""
    return (uniform >= rate) / (1 - rate)


class CorpusReader:
    """Reads a whole corpus with all models of a network, as at inference."""

    def __init__(self, network: Network, batcher: Batcher) -> None:
        self.network = network
        self.batcher = batcher
        self._read = Replay(self._compute_links, batcher.device)

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

    def gates(self) -> Iterator[tuple[list[int], Gates]]:
        """The gates of all texts, batch by batch, with the texts' numbers."""
        for members, batch in self.batcher.reading():
            with torch.no_grad():
                yield members, self.network.read(self.batcher.features(batch.rows), batch.real)
