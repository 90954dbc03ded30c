"""The training of a tiny recipe: it learns, seeds do not meddle, and an interrupted run goes on as if nothing was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from full_disk import fill_disk
from numpy.typing import NDArray
from tiny_corpus import metrics_of, tiny_corpus, tiny_learner, tiny_recipe
from torch import Tensor
from torch.testing import assert_close

from petra.config import RunConfig
from petra.errors import ModelError, PetraError
from petra.evaluation.gap_score import BestThreshold, best_threshold
from petra.training import loop
from petra.training.frozen import side_by_side
from petra.training.frozen.side_by_side import EpochReport, TrainingResult, train
from petra.training.learner import CorpusReader, Learner

TRAINING, VALIDATION = tiny_corpus(40, seed=0), tiny_corpus(20, seed=1)
BATCHES = 3  # of an epoch: 40 texts, 16 at a time


def run(config: RunConfig, folder: Path, **options: Any) -> tuple[TrainingResult, Learner]:
    learner = tiny_learner(config, TRAINING)
    return train(config, learner, VALIDATION.batcher(32), VALIDATION.gold, folder, **options), learner


def parameters_of(learner: Learner) -> dict[str, Tensor]:
    return {name: value.detach().clone() for name, value in learner.network.named_parameters()}


def assert_identical(one: tuple[TrainingResult, Learner], other: tuple[TrainingResult, Learner]) -> None:
    """The same to the last bit: the models, their best epochs and their schedules."""
    for name, value in parameters_of(one[1]).items():
        assert torch.equal(value, other[1].network.get_parameter(name)), name
        assert torch.equal(one[0].parameters[name], other[0].parameters[name]), name
    assert one[0].schedules == other[0].schedules


def test_what_can_be_learnt_is_learnt(tmp_path: Path) -> None:
    # Whoever calls every link true finds all the true ones, which are half of all: precision 50, F1 66.7.
    # Not every seed of so small a model gets further; one of six has to, and all have to come down in loss.
    config = tiny_recipe(seeds=(1, 2, 3, 4, 5, 6), max_epochs=30, dropout=0.0)
    config = replace(
        config,
        memory=replace(config.memory, num_cells=2, mlp_size=16),
        training=replace(config.training, temperature_halve_every=5, patience_halve=30, patience_stop=30),
    )
    reports: list[EpochReport] = []
    learner = tiny_learner(config, tiny_corpus(96, seed=0))
    trained = train(config, learner, VALIDATION.batcher(32), VALIDATION.gold, tmp_path, on_epoch=reports.append)
    assert max(schedule.best_f1 for schedule in trained.schedules) > 90
    first, last = reports[0].losses, reports[-1].losses
    assert all(after < 0.8 * before for before, after in zip(first, last, strict=True))
    # What is returned is each model at its best epoch.
    with torch.no_grad():
        for name, parameter in learner.network.named_parameters():
            parameter.copy_(trained.parameters[name])
    links = CorpusReader(learner.network, VALIDATION.batcher(32)).link_probabilities()
    found = best_threshold(links, VALIDATION.gold)
    assert found.f1.tolist() == [schedule.best_f1 for schedule in trained.schedules]
    assert found.threshold.tolist() == [schedule.best_threshold for schedule in trained.schedules]


def test_seeds_together_are_seeds_alone(tmp_path: Path) -> None:
    together, _ = run(tiny_recipe(seeds=(1, 2, 3), max_epochs=2), tmp_path / "together")
    for index, seed in enumerate((1, 2, 3)):
        alone, _ = run(tiny_recipe(seeds=(seed,), max_epochs=2), tmp_path / f"alone-{seed}")
        for name, value in alone.parameters.items():
            assert_close(together.parameters[name][index], value[0], atol=1e-4, rtol=1e-4)


def test_the_metrics_of_every_epoch_are_kept(tmp_path: Path) -> None:
    reports: list[EpochReport] = []
    batches: list[tuple[int, int]] = []
    run(
        tiny_recipe(max_epochs=2),
        tmp_path,
        on_epoch=reports.append,
        on_batch=lambda done, whole: batches.append((done, whole)),
    )
    kept = metrics_of(tmp_path)
    assert [line["epoch"] for line in kept] == [1, 2]
    assert [tuple(line["losses"]) for line in kept] == [report.losses for report in reports]
    assert kept[-1]["stopped"] == [True, True]
    assert batches == [(1, BATCHES), (2, BATCHES), (3, BATCHES)] * 2


class Interruption:
    """Ctrl-C at a certain call."""

    def __init__(self, at: int, then: Callable[..., None] = lambda *_: None) -> None:
        self.calls = 0
        self._at = at
        self._then = then

    def __call__(self, *arguments: Any) -> None:
        self.calls += 1
        if self.calls == self._at:
            raise KeyboardInterrupt
        self._then(*arguments)


@pytest.mark.parametrize(
    ("hook", "at", "epochs_kept"),
    [
        ("on_epoch", 1, 1),
        ("on_epoch", 2, 2),
        ("on_batch", 1, 0),
        ("on_batch", BATCHES + 2, 1),
        ("on_batch", 2 * BATCHES, 1),
    ],
    ids=["after an epoch", "after two", "in the first epoch", "in the second", "at its end"],
)
def test_an_interrupted_run_goes_on_bit_for_bit(tmp_path: Path, hook: str, at: int, epochs_kept: int) -> None:
    config = tiny_recipe(max_epochs=3)
    whole = run(config, tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        run(config, tmp_path / "parts", **{hook: Interruption(at)})
    assert (tmp_path / "parts/checkpoint.safetensors").exists() == (epochs_kept > 0)
    reports: list[EpochReport] = []
    resumed = run(config, tmp_path / "parts", resume=True, on_epoch=reports.append)
    assert [report.epoch for report in reports] == list(range(epochs_kept + 1, 4))
    assert_identical(resumed, whole)
    assert metrics_of(tmp_path / "parts") == metrics_of(tmp_path / "whole")


def test_interrupted_between_the_metrics_and_the_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tiny_recipe(max_epochs=3)
    whole = run(config, tmp_path / "whole")
    monkeypatch.setattr(loop, "save_checkpoint", Interruption(2, then=loop.save_checkpoint))
    with pytest.raises(KeyboardInterrupt):
        run(config, tmp_path / "parts")
    monkeypatch.undo()
    assert len(metrics_of(tmp_path / "parts")) == 2  # one more than the checkpoint knows of
    assert_identical(run(config, tmp_path / "parts", resume=True), whole)
    assert metrics_of(tmp_path / "parts") == metrics_of(tmp_path / "whole")


def test_a_finished_run_has_nothing_to_go_on_with(tmp_path: Path) -> None:
    config = tiny_recipe(max_epochs=2)
    whole = run(config, tmp_path)
    again = run(config, tmp_path, resume=True, on_batch=Interruption(1))
    assert_identical(again, whole)
    assert again[0].seconds == whole[0].seconds


def test_a_run_of_another_recipe_is_not_gone_on_with(tmp_path: Path) -> None:
    run(tiny_recipe(max_epochs=1), tmp_path)
    with pytest.raises(ModelError, match="made by another recipe"):
        run(tiny_recipe(max_epochs=2), tmp_path, resume=True)


def test_a_full_disk_loses_only_the_epoch_it_falls_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tiny_recipe(max_epochs=3)
    whole = run(config, tmp_path / "whole")
    with pytest.raises(PetraError, match="No space left on device"):
        run(config, tmp_path / "parts", on_epoch=lambda _: fill_disk(monkeypatch))
    monkeypatch.undo()
    assert len(metrics_of(tmp_path / "parts")) == 1
    assert_identical(run(config, tmp_path / "parts", resume=True), whole)


def test_a_model_stops_while_another_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The first model is best at once and stops after two worse epochs; the second gets better to the end.
    scores = iter([[50.0, 10.0], [40.0, 20.0], [40.0, 30.0], [90.0, 40.0]])

    def scripted(links: NDArray[np.float64], gold: NDArray[np.bool_]) -> BestThreshold:
        return BestThreshold(np.array([0.25, 0.5]), np.array(next(scores)))

    monkeypatch.setattr(side_by_side, "best_threshold", scripted)
    config = tiny_recipe(max_epochs=4)
    config = replace(config, training=replace(config.training, patience_stop=2))
    learner = tiny_learner(config, TRAINING)
    after: list[dict[str, Tensor]] = []
    trained = train(
        config,
        learner,
        VALIDATION.batcher(32),
        VALIDATION.gold,
        tmp_path,
        on_epoch=lambda _: after.append(parameters_of(learner)),
    )
    assert [schedule.best_epoch for schedule in trained.schedules] == [0, 3]
    assert [schedule.epochs for schedule in trained.schedules] == [3, 4]
    assert trained.schedules[0].best_threshold == 0.25
    for name, best in trained.parameters.items():
        assert torch.equal(best[0], after[0][name][0])
        assert torch.equal(best[1], after[3][name][1])
        assert torch.equal(after[3][name][0], after[2][name][0])  # stopped, and left as it was
        assert not torch.equal(after[2][name][1], after[3][name][1])
