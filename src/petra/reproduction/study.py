"""Runs a study: groups of runs are trained on GAP as one batch of models each, scored and recorded.

Whatever is interrupted goes on: a run with a record is never made again, and a group
that was training continues after its last epoch. ``OUT/work`` holds what is under way.
"""

from __future__ import annotations

import copy
import gc
import json
import shutil
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

import torch

from petra.corpora.gap import Split, gold_labels
from petra.encoder.pretrained import PretrainedEncoder
from petra.errors import ConfigError, DataError
from petra.reproduction.grid import GridConfig, GridSettings
from petra.reproduction.groups import RunGroup, make_groups
from petra.reproduction.progress import StudyProgress, Watch
from petra.reproduction.records import Measured, RunRecord, read_records, write_record
from petra.reproduction.scoring import Corpora, score_group, validation_curves
from petra.reproduction.stacking import Stacked, stack
from petra.runtime.files import write_atomically
from petra.trained import TrainedModel, save_trained
from petra.training.frozen.corpus import Corpus, counted_texts, prepare
from petra.training.frozen.side_by_side import EpochReport, TrainingResult, train
from petra.training.learner import Learner
from petra.training.objective import Hooks
from petra.training.results import hardware

_MEMBERS = "group.json"


def _nobody(_: StudyProgress) -> None:
    """A callback that does nothing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GridStudy:
    """The grids of a study, its data, output folder and device, and callbacks for progress."""

    grids: Sequence[GridConfig]
    data: Path
    out: Path
    device: torch.device
    command: str = ""
    keep_models: bool = False  # also write each run's model
    hooks: Hooks = field(default_factory=Hooks)
    on_progress: Callable[[StudyProgress], None] = _nobody

    @property
    def runs(self) -> Path:
        """The folder of the records."""
        return self.out / "runs"

    @property
    def work(self) -> Path:
        """The folder of what is under way."""
        return self.out / "work"


def run_study(study: GridStudy) -> None:
    """Train, score and record every run of the grids that has no record yet."""
    if study.device.type == "cuda":
        torch.set_float32_matmul_precision("high")  # TF32: ample for gradients
    recorded = set(read_records(study.runs))
    _clear_finished(study.work, recorded)
    plans = [plan(grid, recorded, study.work) for grid in study.grids]
    waiting = [group for groups in plans for group in groups]
    whole = sum(len(grid.runs) for grid in study.grids)
    watch = Watch(waiting, done=whole - sum(len(group.runs) for group in waiting), whole=whole)
    for grid, groups in zip(study.grids, plans, strict=True):
        if not groups:
            continue
        encoder = PretrainedEncoder.load(grid.recipes[0].encoder, device=study.device, report=study.hooks.on_fetch)
        for _, of_one_model in groupby(groups, key=lambda group: group.runs[0].model):
            batch = list(of_one_model)
            corpora = _prepare(study, grid.settings, batch[0], encoder)  # models may weigh their pairs differently
            for group in batch:
                _run_group(study, grid.settings, group, corpora, watch)


def plan(grid: GridConfig, recorded: Set[str], work: Path) -> tuple[RunGroup, ...]:
    """The groups to train: model by model those under way, as they were begun, then the runs that are in none."""
    known = {run.digest: run for run in grid.runs}
    begun: list[RunGroup] = []
    in_groups: set[str] = set()
    for path in sorted(work.glob("*/checkpoint.safetensors")):
        members = _read_members(path.with_name(_MEMBERS))
        if known.keys() >= set(members) and in_groups.isdisjoint(members) and not recorded >= set(members):
            begun.append(RunGroup(runs=tuple(known[digest] for digest in members)))
            in_groups.update(members)
    rest = [run for run in grid.runs if run.digest not in recorded and run.digest not in in_groups]
    groups: list[RunGroup] = []
    for model in grid.settings.models:
        groups += [group for group in begun if group.runs[0].model == model]
        groups += make_groups([run for run in rest if run.model == model], grid.models_at_once(model))
    return tuple(groups)


def _clear_finished(work: Path, recorded: Set[str]) -> None:
    """Remove what is left of groups whose runs are all recorded: an interruption came just before that."""
    for path in work.glob(f"*/{_MEMBERS}"):
        if recorded >= set(_read_members(path)):
            shutil.rmtree(path.parent, ignore_errors=True)


def _read_members(path: Path) -> list[str]:
    """The runs of a group under way."""
    try:
        members: list[str] = json.loads(path.read_text(encoding="utf-8"))["runs"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise DataError(
            f"{path} cannot be read as a group of runs ({error!r:.100}). Remove the folder {path.parent}."
        ) from None
    return members


def _prepare(study: GridStudy, settings: GridSettings, group: RunGroup, encoder: PretrainedEncoder) -> Corpora:
    """The splits of GAP; whatever can be missing is asked for before the first epoch."""

    def split(name: Split, texts: int) -> Corpus:
        return prepare(group.config, encoder, study.data, name, study.device, study.hooks, texts=texts)

    validation = split("validation", settings.validation_texts)
    return Corpora(
        training=split("development", settings.training_texts),
        validation=validation,
        test=split("test", settings.test_texts),
        counted=counted_texts(validation, study.data, whole=not settings.validation_texts),
        input_size=encoder.size,
    )


def _run_group(study: GridStudy, settings: GridSettings, group: RunGroup, corpora: Corpora, watch: Watch) -> None:
    """Train a group on from where it stands, then score and record its runs."""
    folder = study.work / group.digest
    members = {"group": group.label, "runs": [run.digest for run in group.runs]}
    write_atomically(folder / _MEMBERS, (json.dumps(members, indent=2) + "\n").encode())
    watch.begin(group)
    stacked = stack(group, corpora.input_size)
    try:
        trained = _train(study, settings, group, stacked, corpora, folder, watch)
        gc.collect()  # what a GPU holds for the training hangs on objects that refer to each other
        scores = score_group(group, trained, stacked.network.to(study.device), corpora)
    except torch.OutOfMemoryError:
        raise ConfigError(
            f"{len(group.runs)} models ({group.label}) do not fit into the memory of {hardware(study.device)}. "
            f"Set grid.models_at_once, or that of {group.runs[0].model}.grid, to less; finished runs stay as they are."
        ) from None
    curves = validation_curves(folder / "metrics.jsonl", [schedule.epochs for schedule in trained.schedules])
    for index, (run, score, curve) in enumerate(zip(group.runs, scores, curves, strict=True)):
        if study.keep_models:
            weights = stacked.own(trained.parameters, index)
            model = TrainedModel(name=run.label, config=run.config, record=score, weights=weights)
            save_trained(study.out / "models" / run.label, model)
        measured = Measured(
            **score,
            validation_curve=tuple(curve),
            parameters=stacked.parameter_count(index),
            hardware=hardware(study.device),
            command=study.command,
        )
        write_record(study.runs, RunRecord(run=run, measured=measured))
    watch.end()
    shutil.rmtree(folder, ignore_errors=True)


def _train(
    study: GridStudy,
    settings: GridSettings,
    group: RunGroup,
    stacked: Stacked,
    corpora: Corpora,
    folder: Path,
    watch: Watch,
) -> TrainingResult:
    def on_epoch(report: EpochReport) -> None:
        study.on_progress(watch.epoch(report.epoch, report.seconds, report.validation_f1, report.stopped))

    network = copy.deepcopy(stacked.network).to(study.device)  # models leave it as they stop
    return train(
        group,
        Learner(network, corpora.training.batcher, group.training, group.seeds),
        corpora.validation.batcher,
        gold_labels(corpora.validation.instances),
        folder,
        resume=True,
        compact_at=settings.compact_at,
        compact_above=settings.compact_above,
        on_batch=study.hooks.on_batch,
        on_epoch=on_epoch,
    )
