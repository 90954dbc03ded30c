"""The objective of frozen features: the seeds of a recipe learn side by side on GAP."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import torch

from petra.config import RunConfig
from petra.corpora.gap import Split, gold_labels
from petra.encoder.pretrained import PretrainedEncoder
from petra.memory.models import make_model
from petra.trained import TrainedModel
from petra.training.frozen.corpus import Corpus, add_counts, add_test, counted_texts, prepare
from petra.training.frozen.side_by_side import SideBySide
from petra.training.learner import Learner
from petra.training.objective import Hooks


class FrozenFeatures:
    """Models of frozen features, by one configuration."""

    together = True

    def __init__(self, config: RunConfig, data: Path, device: torch.device, hooks: Hooks, *, score_test: bool) -> None:
        self.config = config
        self._data, self._device, self._hooks = data, device, hooks
        self._score_test = score_test

    @cached_property
    def _encoder(self) -> PretrainedEncoder:
        return PretrainedEncoder.load(self.config.encoder, device=self._device, report=self._hooks.on_fetch)

    def _split(self, split: Split) -> Corpus:
        return prepare(self.config, self._encoder, self._data, split, self._device, self._hooks)

    @cached_property
    def _training(self) -> Corpus:
        return self._split("development")

    @cached_property
    def _validation(self) -> Corpus:
        return self._split("validation")

    @cached_property
    def _counted(self) -> dict[int, int]:
        return counted_texts(self._validation, self._data)

    @cached_property
    def _test(self) -> Corpus:
        return self._split("test")

    def begin(self, seeds: Sequence[int]) -> SideBySide:
        training, validation = self._training.batcher, self._validation
        _ = self._counted, self._test if self._score_test else None  # a missing file costs no training
        network = make_model(self.config.memory, self._encoder.size, seeds=tuple(seeds)).to(self._device)
        learner = Learner(network, training, self.config.training, tuple(seeds))
        gold = gold_labels(validation.instances)
        return SideBySide(learner, validation.batcher, gold, on_batch=self._hooks.on_batch)

    def models(self, training: SideBySide, seeds: Sequence[int]) -> list[TrainedModel]:
        trained, network = training.result, training.learner.network
        with torch.no_grad():
            for name, parameter in network.named_parameters():
                parameter.copy_(trained.parameters[name].half())  # scored as they are kept
        runs = [
            {
                "seed": seed,
                "validation_f1": round(schedule.best_f1, 2),
                "threshold": schedule.best_threshold,
                "best_epoch": schedule.best_epoch + 1,
                "epochs": schedule.epochs,
                "seconds": round(trained.seconds, 1),  # all seeds train together
            }
            for seed, schedule in zip(seeds, trained.schedules, strict=True)
        ]
        add_counts(runs, network, self._validation, self._counted)
        data = (
            f"GAP development ({len(self._training.instances):,} texts) trained it; "
            f"GAP validation ({len(self._validation.instances):,} texts) chose epoch and threshold"
        )
        return [
            TrainedModel(
                name=f"{self.config.name}-{run['seed']}",
                config=self.config,
                record={**run, "data": data},
                weights={name: value[index : index + 1] for name, value in trained.parameters.items()},
            )
            for index, run in enumerate(runs)
        ]

    def test_scores(self, model: TrainedModel) -> dict[str, float]:
        network = make_model(self.config.memory, self._encoder.size)
        network.load_state_dict(dict(model.weights))
        runs = [{"threshold": model.threshold}]
        add_test(runs, network.to(self._device), self._test)
        return {name: value for name, value in runs[0].items() if name != "threshold"}
