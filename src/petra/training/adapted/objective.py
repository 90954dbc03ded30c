"""The objective of adapted encoders: GAP, annotated passages and what the recipe's supervision adds, seed by seed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import torch

from petra.config import RunConfig
from petra.corpora.gap import GapInstance, read_gap
from petra.encoder.adapter import adapter_of
from petra.encoder.backends.choosing import AUTO, choose_backend
from petra.encoder.frozen import FrozenEncoder
from petra.encoder.pretrained import PretrainedEncoder
from petra.encoder.resolve import encoder_folder
from petra.english.gender import NEOPRONOUN_COUNTERPARTS
from petra.text.tokenize import Tokenizer
from petra.trained import TrainedModel, load_trained, read_record
from petra.training.adapted.calibration import calibrate
from petra.training.adapted.model import adapted_model
from petra.training.adapted.span_fit import refit_spans
from petra.training.adapted.training import AdaptedTraining
from petra.training.adapted.validation import link_probabilities
from petra.training.data.instances.synthetic import synthetic_instances
from petra.training.data.pseudo_labels import pseudo_labelled_instances
from petra.training.data.training_data import LabelledInstance, TrainingData, read_training_data
from petra.training.objective import Hooks
from petra.training.references import References
from petra.training.results import scores_on_test

_SYNTHETIC_SEEDS = (1, 2)  # two samples of synthetic instances overlap, but hold more than one


class AdaptedEncoder:
    """Models with an adapted encoder, by one configuration."""

    together = False

    def __init__(
        self,
        config: RunConfig,
        data: Path,
        device: torch.device,
        hooks: Hooks,
        *,
        score_test: bool,
        references: References,
    ) -> None:
        self.config = config
        self._data, self._device, self._hooks = data, device, hooks
        self._score_test = score_test
        self._references = references

    @cached_property
    def _corpora(self) -> TrainingData:
        """The training data; processes are forked to read it, so it comes before the encoder is on a GPU."""
        supervision, shuffle_seed = self.config.supervision, self.config.training.shuffle_seed
        seeds = _SYNTHETIC_SEEDS if supervision.synthetic else ()
        synthetic = [LabelledInstance(each) for seed in seeds for each in synthetic_instances(self._data, seed)]
        pseudo_labelled: Sequence[LabelledInstance] = ()
        if supervision.pseudo_labels:
            pseudo_labelled = pseudo_labelled_instances(
                self._data, supervision.pseudo_labels, self._references.teachers, shuffle_seed, self._device
            )
        folder = encoder_folder(self.config.encoder.name, report=self._hooks.on_fetch)
        return read_training_data(
            self.config,
            Tokenizer.from_folder(folder, NEOPRONOUN_COUNTERPARTS if self.config.adapter.neutral_pronouns else None),
            self._data,
            synthetic=synthetic,
            pseudo_labelled=pseudo_labelled,
        )

    @cached_property
    def _test(self) -> list[GapInstance]:
        return read_gap(self._data, "test")

    def begin(self, seeds: Sequence[int]) -> AdaptedTraining:
        (seed,) = seeds
        if self._score_test:
            _ = self._test  # a missing file costs no training
        corpora = self._corpora
        return AdaptedTraining(
            self.config,
            self._encoder(),
            corpora,
            seed=seed,
            device=self._device,
            references=self._references,
            hooks=self._hooks,
        )

    def _encoder(self) -> PretrainedEncoder:
        """The encoder that learns, or one that stays as the model has it that the training begins with."""
        config, report = self.config, self._hooks.on_fetch
        if not config.adapter.frozen:
            return PretrainedEncoder.load(config.encoder, device=self._device, report=report)
        assert self._references.initialise_from is not None  # the recipe was checked
        initial = load_trained(self._references.initialise_from)
        adapter = adapter_of(config.adapter, initial.weights)
        assert adapter is not None  # so is its rank
        backend = choose_backend(AUTO, initial.reading.safe_backends, self._device)
        encoder = PretrainedEncoder.load(
            config.encoder, adapter=adapter, device=self._device, backend=backend, report=report
        )
        return FrozenEncoder(encoder, adapter)

    def models(self, training: AdaptedTraining, seeds: Sequence[int]) -> list[TrainedModel]:
        (seed,) = seeds
        model = TrainedModel(
            name=f"{self.config.name}-{seed}",
            config=self.config,
            record=self._record(training),
            weights=training.best_weights,
        )
        if self.config.spans.max_width and self.config.supervision.passages:
            if self.config.spans.refit:
                model = refit_spans(model, self._data, device=self._device, seed=seed)
            model = calibrate(model, self._data, device=self._device)
        return [model]

    def _record(self, training: AdaptedTraining) -> dict[str, Any]:
        """What is known of a model that has not been scored on test."""
        assert training.best is not None  # a recipe has at least one epoch
        scores = training.best.validation
        origins = {"initialised_from": self._references.initialise_from, "distilled_from": self._references.teacher}
        return {
            "seed": training.seed,
            "validation_f1": scores.f1,
            "validation_overall": round(scores.overall, 4),
            "threshold": scores.threshold,
            "best_epoch": training.best.epoch,
            "epochs": training.epoch,
            "seconds": round(training.seconds, 1),
            "span_f1": dict(scores.span_f1),
            "links_right": dict(scores.links_right),
            **{what: str(read_record(place)["name"]) for what, place in origins.items() if place is not None},
        }

    def test_scores(self, model: TrainedModel) -> dict[str, float]:
        links = link_probabilities(adapted_model(model, self._device), self._test)
        return scores_on_test(links, model.threshold, self._test)
