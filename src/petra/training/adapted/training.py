"""The training of one adapted model, epoch by epoch."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from petra.config import RunConfig
from petra.corpora.annotated import AnnotatedDocument
from petra.encoder.pretrained import PretrainedEncoder
from petra.trained import load_trained
from petra.training.adapted.distillation import distil
from petra.training.adapted.learner import AdaptedLearner
from petra.training.adapted.model import adapted_model
from petra.training.adapted.own_decisions import own_passages
from petra.training.adapted.passages import AnnotatedPassage
from petra.training.adapted.validation import Validation, validate
from petra.training.batches import epoch_order
from petra.training.checkpoint import copy_exactly
from petra.training.data.training_data import LabelledInstance, TrainingData, snippets
from petra.training.objective import Hooks
from petra.training.references import References
from petra.training.schedule import temperature


class Epoch(NamedTuple):
    """What is known after an epoch of one seed."""

    seed: int
    epoch: int  # counted from 1
    seconds: float
    losses: Mapping[str, float]  # means over the epoch's steps
    validation: Validation

    @property
    def metrics(self) -> dict[str, Any]:
        return {**self._asdict(), "validation": self.validation._asdict()}

    @property
    def line(self) -> str:
        scores = self.validation
        losses = ", ".join(f"{name} {loss:.3f}" for name, loss in self.losses.items())
        by_corpus = "".join(
            f"; {corpus} spans {scores.span_f1[corpus]:.1f}, links {right:.1f}"
            for corpus, right in scores.links_right.items()
        )
        return (
            f"seed {self.seed}, epoch {self.epoch:3d}  {self.seconds:6.1f} s  {losses}  "
            f"validation F1 {scores.f1:.1f}{by_corpus}"
        )


class AdaptedTraining:
    """The training of one seed for the recipe's epochs; the best by ``Validation.overall`` is kept, the last of equals.

    The model is initialised and distilled, as its recipe asks, at the beginning of the first epoch.
    """

    def __init__(
        self,
        config: RunConfig,
        encoder: PretrainedEncoder,
        corpora: TrainingData,
        *,
        seed: int,
        device: torch.device,
        references: References,
        hooks: Hooks,
    ) -> None:
        self.config, self.seed, self.device = config, seed, device
        self.epoch = 0
        self.seconds = 0.0
        self.best: Epoch | None = None
        self.best_weights: dict[str, Tensor] = {}
        self._corpora, self._references, self._hooks = corpora, references, hooks
        steps = config.training.max_epochs * corpora.steps(config)
        self.learner = AdaptedLearner(config, encoder, seed=seed, steps=steps, device=device)
        self._random = np.random.default_rng((config.training.shuffle_seed, seed))
        self._passages = corpora.draw_passages(config, self._random)

    @property
    def finished(self) -> bool:
        return self.epoch >= self.config.training.max_epochs

    def learn(self) -> Epoch:
        """Learn for one epoch and validate."""
        began = time.perf_counter()
        if self.epoch == 0:
            self._initialise(distilled=False)
        start = time.perf_counter()
        losses = self._learn(self._corpora.epoch(self.config, self._random))
        self.epoch += 1
        with self.learner.averaged():
            corpora = self._corpora
            scores = validate(self.learner, corpora.validation, corpora.held_out, corpora.read_itself)
            summary = Epoch(self.seed, self.epoch, round(time.perf_counter() - start, 2), losses, scores)
            if self.best is None or scores.overall >= self.best.validation.overall:
                self.best = summary
                weights = self.learner.weights
                self.best_weights = {name: value.to("cpu", copy=True) for name, value in weights.items()}
        self.seconds += time.perf_counter() - began
        return summary

    def _initialise(self, *, distilled: bool) -> None:
        """Set the weights that the training begins with, unless they have been, and the teacher beside the labels."""
        references, config = self._references, self.config
        if references.initialise_from and not distilled:
            self.learner.initialise_from(load_trained(references.initialise_from).weights)
        if references.teacher and (not distilled or config.distillation.weight):
            teacher = adapted_model(load_trained(references.teacher), self.device)
            if not distilled:
                distil(self.learner, teacher, self._corpora.unlabelled, report=self._hooks.on_distillation)
            if config.distillation.weight:
                self.learner.add_distillation(teacher)

    def _learn(self, instances: Sequence[LabelledInstance]) -> dict[str, float]:
        """The steps of an epoch; returns the mean losses."""
        training = self.config.training
        ready = snippets(self.config, self.learner.encoder, instances)
        order = epoch_order([len(each.document) for each in ready], training.batch_size, self.seed, self.epoch)
        order = order or [[]] * self._corpora.steps(self.config)
        self._passages.replace_own(self._own_passages(len(order)))
        tau = temperature(self.epoch, training)
        found = []
        for done, members in enumerate(order, start=1):
            some = next(self._passages)
            chosen = [ready[member] for member in members]
            found.append(self.learner.step(chosen, some.long, tau, some.short, some.distant))
            self._hooks.on_batch(done, len(order))
        return {name: round(float(torch.stack([losses[name] for losses in found]).mean()), 4) for name in found[0]}

    def _own_passages(self, steps: int) -> list[AnnotatedPassage]:
        """The texts of an epoch that the model reads as it stands, as many of each kind as far as there are."""
        kinds = self._corpora.documents
        chosen = list[AnnotatedDocument]()
        for pool in kinds.values():
            wanted = min(len(pool), steps * self.config.supervision.own_decisions // len(kinds))
            chosen += [pool[place] for place in self._random.permutation(len(pool))[:wanted].tolist()]
        read = own_passages(self.learner, chosen)
        window = self.config.encoder.window
        return [each for each in read if each.is_learned.any() and (self.config.adapter.frozen or len(each) <= window)]

    @property
    def tensors(self) -> dict[str, Tensor]:
        tensors = self.learner.tensors
        tensors |= {f"best.{name}": value for name, value in self.best_weights.items()}
        tensors |= {
            f"passages.{name}": torch.tensor(order, dtype=torch.int64)
            for name, order in self._passages.remaining.items()
        }
        tensors["random.cpu"] = torch.get_rng_state()  # of the dropout in the encoder
        if self.device.type == "cuda":
            tensors["random.cuda"] = torch.cuda.get_rng_state(self.device)
        return tensors

    @property
    def progress(self) -> dict[str, Any]:
        return {
            "epoch": self.epoch,
            "seconds": self.seconds,
            "best": self.best.metrics if self.best else None,
            "steps": self.learner.steps,
            "random": self._random.bit_generator.state,
        }

    def restore(self, tensors: Mapping[str, Tensor], progress: Mapping[str, Any]) -> None:
        """Set a new training to the state of one that was saved."""
        self._initialise(distilled=True)
        self.learner.restore(tensors, progress["steps"])
        self.epoch, self.seconds = progress["epoch"], progress["seconds"]
        best = progress["best"]
        self.best = Epoch(**{**best, "validation": Validation(**best["validation"])})
        self.best_weights = {
            name: torch.empty_like(value, device="cpu") for name, value in self.learner.weights.items()
        }
        for name, weight in self.best_weights.items():
            copy_exactly(weight, tensors[f"best.{name}"])
        self._passages.remaining = {name: tensors[f"passages.{name}"].tolist() for name in self._passages.remaining}
        self._random.bit_generator.state = progress["random"]
        torch.set_rng_state(tensors["random.cpu"].clone())
        if self.device.type == "cuda":
            torch.cuda.set_rng_state(tensors["random.cuda"].clone(), self.device)
