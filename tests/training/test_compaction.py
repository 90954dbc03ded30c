"""Models with different numbers of cells in one batch, which they leave as they stop: no model notices."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from tiny_corpus import FEATURES, metrics_of, tiny_corpus, tiny_recipe
from torch.testing import assert_close

from petra.config import RunConfig, Variant
from petra.evaluation.gap_score import BestThreshold
from petra.memory.models import make_model
from petra.training import loop
from petra.training.frozen import side_by_side
from petra.training.frozen.side_by_side import EpochReport, TrainingResult, train
from petra.training.learner import Learner

TRAINING, VALIDATION = tiny_corpus(40, seed=0), tiny_corpus(20, seed=1)
SEEDS, CAPACITY = (1, 2, 3, 4, 5, 6), (3, 2, 3, 1, 2, 3)
# A model gets better up to this epoch and stops three later: four models are left, then two, then one.
BEST_EPOCH = (1, 6, 1, 3, 3, 5)


def recipe(variant: Variant = "vanilla") -> RunConfig:
    config = tiny_recipe(seeds=SEEDS, max_epochs=20)
    return replace(
        config,
        memory=replace(config.memory, variant=variant, key_size=2),
        training=replace(config.training, patience_stop=3),
    )


def learner_of(config: RunConfig) -> Learner:
    model = make_model(config.memory, FEATURES, seeds=SEEDS, capacity=CAPACITY)
    return Learner(model, TRAINING.batcher(16), config.training, SEEDS)


def run(config: RunConfig, folder: Path, **options: float) -> tuple[TrainingResult, list[tuple[int, ...]]]:
    """What was trained, and the models in the batch at each epoch."""
    batches: list[tuple[int, ...]] = []
    learner = learner_of(config)

    def note(report: EpochReport) -> None:
        batches.append(report.models)

    trained = train(
        config, learner, VALIDATION.batcher(32), VALIDATION.gold, folder, on_epoch=note, resume=True, **options
    )
    return trained, batches


@pytest.fixture(autouse=True)
def scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores that stop the models at different times, whoever is in the batch."""
    learners: list[Learner] = []
    begin = Learner.__init__

    def scripted(links: NDArray[np.float64], gold: NDArray[np.bool_]) -> BestThreshold:
        learner = learners[-1]
        epoch = int(learner.optimizer.steps.max()) // 3  # three batches an epoch
        f1 = [10.0 * epoch if epoch <= BEST_EPOCH[model] else 5.0 for model in learner.models]
        return BestThreshold(np.full(len(f1), 0.5), np.array(f1))

    def remembered(self: Learner, *arguments: object) -> None:
        begin(self, *arguments)  # type: ignore[arg-type]
        learners.append(self)

    monkeypatch.setattr(Learner, "__init__", remembered)
    monkeypatch.setattr(side_by_side, "best_threshold", scripted)


def assert_same(one: TrainingResult, other: TrainingResult) -> None:
    assert one.schedules == other.schedules
    for name, value in one.parameters.items():
        assert_close(other.parameters[name], value, atol=1e-6, rtol=1e-5)


@pytest.mark.parametrize("variant", ["vanilla", "learned-init", "fixed-key", "referential-reader"])
def test_who_leaves_the_batch_changes_no_one(tmp_path: Path, variant: Variant) -> None:
    config = recipe(variant)
    whole, batches = run(config, tmp_path / "whole")
    assert batches == [(0, 1, 2, 3, 4, 5)] * 9
    compacted, batches = run(config, tmp_path / "compacted", compact_at=0.7)
    assert batches == [(0, 1, 2, 3, 4, 5)] * 4 + [(1, 3, 4, 5)] * 2 + [(1, 5)] * 2 + [(1,)]
    assert_same(whole, compacted)
    assert [schedule.epochs for schedule in compacted.schedules] == [4, 9, 4, 6, 6, 8]


@pytest.mark.parametrize(
    ("options", "sizes"),
    [
        ({"compact_at": 0.5}, [6] * 6 + [2] * 2 + [1]),  # four of six are more than half
        ({"compact_at": 0.7, "compact_above": 4}, [6] * 4 + [4] * 5),
        ({"compact_at": 0.1}, [6] * 9),
    ],
)
def test_when_models_leave(tmp_path: Path, options: dict[str, float], sizes: list[int]) -> None:
    _, batches = run(recipe(), tmp_path, **options)
    assert [len(batch) for batch in batches] == sizes
    assert [len(line["losses"]) for line in metrics_of(tmp_path)] == sizes


@pytest.mark.parametrize("epochs", [3, 5, 7])
def test_a_compacted_run_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, epochs: int) -> None:
    config = recipe()
    whole, _ = run(config, tmp_path / "whole", compact_at=0.7)
    with monkeypatch.context() as patch:
        saved = iter(range(1, 100))
        save = loop.save_checkpoint

        def interrupted(*arguments: object) -> None:
            save(*arguments)  # type: ignore[arg-type]
            if next(saved) == epochs:
                raise KeyboardInterrupt

        patch.setattr(loop, "save_checkpoint", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run(config, tmp_path / "parts", compact_at=0.7)
    resumed, batches = run(config, tmp_path / "parts", compact_at=0.7)
    assert len(batches) == 9 - epochs
    assert resumed.schedules == whole.schedules
    for name, value in whole.parameters.items():
        assert torch.equal(resumed.parameters[name], value)
    assert metrics_of(tmp_path / "parts") == metrics_of(tmp_path / "whole")


@pytest.mark.parametrize("place", range(6))
def test_a_model_beside_larger_ones_learns_as_if_alone(place: int) -> None:
    # Its own cells, its own noise: only the order of sums may differ.
    config = recipe()
    together = learner_of(config)
    memory = replace(config.memory, num_cells=CAPACITY[place])
    alone = Learner(
        make_model(memory, FEATURES, seeds=(SEEDS[place],)), TRAINING.batcher(16), config.training, (SEEDS[place],)
    )
    for batch in TRAINING.batcher(16).training(epoch=0, seed=0):
        both = together.step(batch, 1.0, torch.full((6,), 1e-2))
        one = alone.step(batch, 1.0, torch.full((1,), 1e-2))
        assert_close(both[place], one[0], atol=1e-5, rtol=1e-4)


def test_those_that_stay_keep_their_moments_and_their_randomness() -> None:
    config = recipe()
    learner, other = learner_of(config), learner_of(config)
    batches = list(TRAINING.batcher(16).training(epoch=0, seed=0))
    rates = torch.full((6,), 1e-2)
    for each in (learner, other):
        each.step(batches[0], 1.0, rates)
    learner.keep_only([1, 4])
    learner.keep_only([4])
    assert learner.models == (4,)
    found, expected = learner.step(batches[1], 1.0, rates[:1]), other.step(batches[1], 1.0, rates)
    assert_close(found[0], expected[4], atol=1e-6, rtol=1e-5)
    for name, moment in learner.optimizer.state.items():
        assert_close(moment[0], other.optimizer.state[name][4], atol=1e-6, rtol=1e-4)
