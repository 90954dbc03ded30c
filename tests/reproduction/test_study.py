"""A study on a small corpus: what is recorded, what an interruption costs, and what is never made again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gap_corpus import write_gap_corpus
from tiny_study import MODELS, tiny_grid, tiny_study

from petra.corpora.gap import gold_labels, read_gap
from petra.errors import ConfigError, DataError
from petra.evaluation.gap_score import BestThreshold
from petra.memory.models import make_model
from petra.reproduction import study as study_module
from petra.reproduction.grid import GridRun
from petra.reproduction.progress import StudyProgress
from petra.reproduction.records import Measured, RunRecord, read_records
from petra.reproduction.scoring import always_coreferent_f1, is_collapsed
from petra.reproduction.study import plan, run_study
from petra.trained import load_trained
from petra.training.frozen import side_by_side
from petra.training.learner import Learner

EPOCHS, BATCHES = 3, 2  # six texts, four at a time


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PETRA_HOME", str(tmp_path / "home"))
    return write_gap_corpus(tmp_path / "data")


class Steps:
    """Counts the steps of training, and interrupts at one of them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, interrupt_at: int = 0) -> None:
        self.models: list[int] = []  # in the batch, at each step
        step: Callable[..., Any] = Learner.step

        def counted(learner: Learner, *arguments: Any) -> Any:
            self.learner = learner
            self.models.append(len(learner.models))
            if len(self.models) == interrupt_at:
                raise KeyboardInterrupt
            return step(learner, *arguments)

        monkeypatch.setattr(Learner, "step", counted)


def measured(record: RunRecord) -> Measured:
    """Without the times, which differ from run to run."""
    return replace(record.measured, seconds=0.0, group_seconds=0.0, group_runs=0, command="")


def by_label(out: Path) -> dict[str, Measured]:
    return {record.run.label: measured(record) for record in read_records(out / "runs").values()}


def test_every_run_has_a_record(tiny_encoder: Path, data: Path, tmp_path: Path) -> None:
    grid = tiny_grid(tiny_encoder, models=MODELS)
    progress: list[StudyProgress] = []
    run_study(tiny_study(grid, data, tmp_path / "out", command="petra reproduce", on_progress=progress.append))
    records = read_records(tmp_path / "out/runs")
    assert records.keys() == {run.digest for run in grid.runs}
    assert {path.name for path in (tmp_path / "out/runs").iterdir()} == {
        f"tiny-bert-{model}-{cells}-{seed}.json" for model in MODELS for cells in (2, 3) for seed in (1, 2)
    }
    assert not list((tmp_path / "out/work").iterdir())
    assert len(progress) == len(MODELS) * EPOCHS
    assert [report.done for report in progress[::EPOCHS]] == [0, 4, 8, 12]
    for record in records.values():
        check(record, data)


def check(record: RunRecord, data: Path) -> None:
    run, found = record.run, record.measured
    assert found.epochs == len(found.validation_curve) == EPOCHS
    assert found.validation_f1 == max(found.validation_curve) == found.validation_curve[found.best_epoch - 1]
    assert 0 <= found.test_f1 <= 100
    assert found.counted_texts == 2
    assert found.count_error_best <= found.count_error_two_fold
    assert found.overwrite_distribution is not None
    assert len(found.overwrite_distribution) == run.cells
    assert sum(found.overwrite_distribution) == pytest.approx(1, abs=1e-4)
    assert found.overwrite_kl is not None
    assert found.overwrite_kl >= 0
    assert found.parameters == sum(value.numel() for value in make_model(run.config.memory, 32).parameters())
    assert found.group_runs == 4
    assert found.group_seconds == pytest.approx(4 * found.seconds, abs=0.1)  # all had as many epochs
    assert (found.hardware, found.command) != ("", "")
    gold = gold_labels(read_gap(data, "validation"))
    assert found.always_coreferent_f1 == round(always_coreferent_f1(gold), 2)
    assert found.collapsed == is_collapsed(found.validation_f1, found.always_coreferent_f1)


def test_what_collapsed_means() -> None:
    # Two of six labels are true: precision 1/3, recall 1, F1 = 2/3 / (4/3) = 50.
    gold = np.array([[True, False], [False, True], [False, False]])
    assert always_coreferent_f1(gold) == pytest.approx(50)
    assert [is_collapsed(f1, 50) for f1 in (30, 50, 51, 51.1)] == [True, True, True, False]


def test_a_finished_grid_is_never_made_again(
    tiny_encoder: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = tiny_study(tiny_grid(tiny_encoder), data, tmp_path / "out")
    run_study(study)
    before = {path: path.read_bytes() for path in study.runs.iterdir()}
    shutil.rmtree(data)  # nor is anything needed for it
    steps = Steps(monkeypatch)
    run_study(study)
    run_study(replace(study, grids=[tiny_grid(tiny_encoder, models_at_once=1, compact_at=0.0)]))
    assert steps.models == []
    assert {path: path.read_bytes() for path in study.runs.iterdir()} == before


def test_only_what_is_missing_is_made(
    tiny_encoder: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    run_study(tiny_study(tiny_grid(tiny_encoder), data, out))
    whole = by_label(out)
    (out / "runs/tiny-bert-vanilla-2-2.json").unlink()
    steps = Steps(monkeypatch)
    run_study(tiny_study(tiny_grid(tiny_encoder), data, out))
    assert steps.models == [1] * EPOCHS * BATCHES
    # Alone it comes out as it did beside the others, up to the order of sums.
    again = by_label(out)["tiny-bert-vanilla-2-2"]
    assert again.validation_curve == pytest.approx(whole["tiny-bert-vanilla-2-2"].validation_curve)
    assert again.test_f1 == pytest.approx(whole["tiny-bert-vanilla-2-2"].test_f1)


def test_a_changed_recipe_gets_new_records(
    tiny_encoder: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    old, new = tiny_grid(tiny_encoder), tiny_grid(tiny_encoder, training_texts=5)
    run_study(tiny_study(old, data, out))
    kept = {path.name: path.read_bytes() for path in (out / "runs").iterdir()}
    steps = Steps(monkeypatch)
    run_study(tiny_study(new, data, out))
    assert len(steps.models) == EPOCHS * BATCHES
    assert read_records(out / "runs").keys() == {run.digest for grid in (old, new) for run in grid.runs}
    for name, content in kept.items():
        assert (out / "runs" / name).read_bytes() == content
    # Back to the first recipe there is nothing to do.
    run_study(tiny_study(old, data, out))
    assert len(steps.models) == EPOCHS * BATCHES


@pytest.mark.parametrize(("at", "epochs_kept"), [(1, 0), (BATCHES + 1, 1), (2 * BATCHES, 1), (2 * BATCHES + 1, 2)])
def test_an_interruption_costs_no_more_than_an_epoch(
    tiny_encoder: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int, epochs_kept: int
) -> None:
    grid = tiny_grid(tiny_encoder)
    run_study(tiny_study(grid, data, tmp_path / "whole"))
    parts = tiny_study(grid, data, tmp_path / "parts")
    with monkeypatch.context() as patch:
        Steps(patch, interrupt_at=at)
        with pytest.raises(KeyboardInterrupt):
            run_study(parts)
    assert read_records(parts.runs) == {}
    steps = Steps(monkeypatch)
    run_study(parts)
    assert len(steps.models) == (EPOCHS - epochs_kept) * BATCHES
    assert by_label(tmp_path / "parts") == by_label(tmp_path / "whole")


def test_interrupted_while_records_are_written(
    tiny_encoder: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grid = tiny_grid(tiny_encoder)
    run_study(tiny_study(grid, data, tmp_path / "whole"))
    parts = tiny_study(grid, data, tmp_path / "parts")
    write, calls = study_module.write_record, iter(range(1, 100))

    def interrupted(folder: Path, record: RunRecord) -> Path:
        if next(calls) == 3:
            raise KeyboardInterrupt
        return write(folder, record)

    with monkeypatch.context() as patch:
        patch.setattr(study_module, "write_record", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run_study(parts)
    assert len(read_records(parts.runs)) == 2
    steps = Steps(monkeypatch)
    run_study(parts)
    assert steps.models == []  # all four are trained; they are only scored again
    assert by_label(tmp_path / "parts") == by_label(tmp_path / "whole")
    assert not list(parts.work.iterdir())


def test_groups_under_way_go_on_as_they_were_begun(
    tiny_encoder: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = tiny_study(tiny_grid(tiny_encoder, models_at_once=3), data, tmp_path / "out")
    with monkeypatch.context() as patch:
        Steps(patch, interrupt_at=BATCHES + 1)
        with pytest.raises(KeyboardInterrupt):
            run_study(parts)
    steps = Steps(monkeypatch)
    run_study(replace(parts, grids=[tiny_grid(tiny_encoder, models_at_once=2)]))
    assert steps.models == [3] * (EPOCHS - 1) * BATCHES + [1] * EPOCHS * BATCHES
    assert len(read_records(parts.runs)) == 4


def test_a_group_without_an_epoch_is_not_yet_begun(tiny_encoder: Path, tmp_path: Path) -> None:
    # As after a batch that did not fit into memory: with fewer at once it is cut anew.
    grid = tiny_grid(tiny_encoder, models_at_once=4)
    [group] = plan(grid, set(), tmp_path)
    folder = tmp_path / group.digest
    folder.mkdir()
    (folder / "group.json").write_text(json.dumps({"runs": [run.digest for run in group.runs]}), encoding="utf-8")
    smaller = tiny_grid(tiny_encoder, models_at_once=2)
    assert [len(group.runs) for group in plan(smaller, set(), tmp_path)] == [2, 2]
    (folder / "checkpoint.safetensors").touch()
    assert [len(group.runs) for group in plan(smaller, set(), tmp_path)] == [4]
    (folder / "group.json").write_text("{}", encoding="utf-8")
    with pytest.raises(DataError, match=r"group\.json cannot be read as a group of runs.*Remove the folder"):
        plan(smaller, set(), tmp_path)


def test_models_are_trained_in_their_order_however_they_were_begun(tiny_encoder: Path, tmp_path: Path) -> None:
    grid = tiny_grid(tiny_encoder, models=MODELS)
    groups = plan(grid, set(), tmp_path)
    assert [group.runs[0].model for group in groups] == MODELS
    folder = tmp_path / groups[2].digest
    folder.mkdir()
    members = [run.digest for run in reversed(groups[2].runs)]  # in another order than they would be begun now
    (folder / "group.json").write_text(json.dumps({"runs": members}), encoding="utf-8")
    (folder / "checkpoint.safetensors").touch()
    again = plan(grid, set(), tmp_path)
    assert [group.runs[0].model for group in again] == MODELS
    assert [run.digest for run in again[2].runs] == members
    # A group of another recipe is no concern of this one.
    assert plan(tiny_grid(tiny_encoder, training_texts=3), set(), tmp_path)[0].runs != again[2].runs


def test_what_a_killed_study_left_behind_is_removed(tiny_encoder: Path, data: Path, tmp_path: Path) -> None:
    grid = tiny_grid(tiny_encoder)
    study = tiny_study(grid, data, tmp_path / "out")
    run_study(study)
    left = study.work / "left"
    left.mkdir()
    (left / "group.json").write_text(json.dumps({"runs": [run.digest for run in grid.runs]}), encoding="utf-8")
    (left / "checkpoint.safetensors").touch()
    run_study(study)
    assert not left.exists()


def test_models_that_stop_leave_the_batch_and_nothing_changes(
    tiny_encoder: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = Steps(monkeypatch)

    def scripted(links: Any, gold: Any) -> BestThreshold:
        """The first run gets better for one epoch, the second for two, and so on."""
        epoch = int(steps.learner.optimizer.steps.max()) // BATCHES
        f1 = [float(min(epoch, place + 1)) for place in steps.learner.models]
        return BestThreshold(np.full(len(f1), 0.5), np.array(f1))

    def made(out: Path, **settings: Any) -> dict[str, Measured]:
        grid = tiny_grid(tiny_encoder, **settings)
        training = replace(grid.recipes[0].training, max_epochs=9, patience_stop=2)
        grid = replace(grid, recipes=tuple(replace(recipe, training=training) for recipe in grid.recipes))
        run_study(tiny_study(grid, data, out))
        return by_label(out)

    monkeypatch.setattr(side_by_side, "best_threshold", scripted)
    whole = made(tmp_path / "whole", compact_at=0.0)
    assert steps.models == [4] * 6 * BATCHES
    steps.models = []
    parts = made(tmp_path / "parts", compact_at=0.5, compact_above=1)
    assert steps.models == [4] * 4 * BATCHES + [2] * BATCHES + [1] * BATCHES
    assert sorted(found.epochs for found in parts.values()) == [3, 4, 5, 6]
    for label, found in parts.items():
        assert len(found.validation_curve) == found.epochs
        assert found.validation_curve == whole[label].validation_curve
        assert found.test_f1 == whole[label].test_f1
        assert found.overwrite_distribution == pytest.approx(whole[label].overwrite_distribution, abs=1e-4)


def test_models_can_be_kept(tiny_encoder: Path, data: Path, tmp_path: Path) -> None:
    grid = tiny_grid(tiny_encoder, models=["fixed-key", "referential-reader"])
    run_study(tiny_study(grid, data, tmp_path / "out", keep_models=True))
    for run in grid.runs:
        model = load_trained(tmp_path / "out/models" / run.label)
        assert (model.name, model.config) == (run.label, run.config)
        make_model(run.config.memory, 32).load_state_dict(dict(model.weights))
        record = read_records(tmp_path / "out/runs")[run.digest]
        assert model.threshold == record.measured.threshold


def test_several_grids_are_one_study(tiny_encoder: Path, data: Path, tmp_path: Path) -> None:
    one, two = tiny_grid(tiny_encoder, cells=[2]), tiny_grid(tiny_encoder, cells=[3])
    progress: list[StudyProgress] = []
    study = tiny_study(one, data, tmp_path / "out", on_progress=progress.append)
    run_study(replace(study, grids=[one, two]))
    assert {report.whole for report in progress} == {4}
    assert [report.done for report in progress] == [0] * EPOCHS + [2] * EPOCHS
    assert len(read_records(study.runs)) == 4


def test_a_part_of_the_texts(tiny_encoder: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps(monkeypatch)
    grid = tiny_grid(tiny_encoder, cells=[2], training_texts=4, validation_texts=2, test_texts=1)
    run_study(tiny_study(grid, data, tmp_path / "out"))
    assert len(steps.models) == EPOCHS  # one batch each
    [record, _] = read_records(tmp_path / "out/runs").values()
    assert record.measured.counted_texts == 1  # of the first two validation texts, one is counted


@pytest.mark.parametrize("name", ["gap-test.tsv", "num_people.tsv", "gap-validation.tsv"])
def test_what_is_missing_is_told_before_the_training(
    tiny_encoder: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (data / "gap" / name).unlink()
    steps = Steps(monkeypatch)
    with pytest.raises(DataError, match=f"{name} is missing"):
        run_study(tiny_study(tiny_grid(tiny_encoder), data, tmp_path / "out"))
    assert steps.models == []


def test_too_many_models_at_once_is_told(
    tiny_encoder: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise torch.OutOfMemoryError

    monkeypatch.setattr(Learner, "step", full)
    with pytest.raises(
        ConfigError, match=r"4 models \(tiny-bert, vanilla, 2-3 cells\) do not fit.*Set grid.models_at_once"
    ):
        run_study(tiny_study(tiny_grid(tiny_encoder), data, tmp_path / "out"))


def test_random_ties_use_every_cell(tiny_encoder: Path, data: Path, tmp_path: Path) -> None:
    # Vanilla PeTra has no preference: with ties broken by lot no cell is left out for good, as the lowest first would.
    grid = tiny_grid(tiny_encoder, cells=[3])
    run_study(tiny_study(grid, data, tmp_path / "out"))
    run: GridRun = grid.runs[0]
    distribution = read_records(tmp_path / "out/runs")[run.digest].measured.overwrite_distribution
    assert distribution is not None
    assert max(distribution) < 0.9
