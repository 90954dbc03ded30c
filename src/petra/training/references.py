"""The models that a recipe refers to: of its earlier stages, in folders, or shipped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

from petra.config import Recipe, RunConfig, Stage
from petra.errors import ConfigError
from petra.trained import is_model, model_folder, read_config, read_record, shipped_models
from petra.training.results import MEAN, has_mean, seed_folder

# Settings that the models of a stage share with the model whose weights they begin with, or which they learn from.
_SAME_SHAPE = (
    "encoder.name",
    "encoder.layers",
    "memory.num_cells",
    "memory.hidden_size",
    "memory.mlp_size",
    "memory.variant",
    "memory.key_size",
    "adapter.rank",
    "adapter.alpha",
    "spans.max_width",
    "spans.size",
)
_SAME_HEADS = ("memory.variant", "memory.hidden_size", "memory.mlp_size", "spans.max_width", "spans.size")


@dataclass(frozen=True, kw_only=True, slots=True)
class References:
    """The folders of the models that a stage needs."""

    initialise_from: Path | None = None
    teachers: tuple[Path, ...] = ()  # those that pseudo-label
    teacher: Path | None = None  # of distillation


def stage_folder(folder: Path, recipe: Recipe, stage: Stage) -> Path:
    """Where the models of a stage are: those of the last stage lie in the recipe's folder itself."""
    return folder if stage.name == recipe.stages[-1].name else folder / stage.name


def check_references(recipe: Recipe, stages: Sequence[Stage]) -> None:
    """Raise ConfigError unless all that stages refer to is there, or comes before, and has a fitting shape."""
    for stage in stages:
        try:
            _check(recipe, stage)
        except ConfigError as error:
            raise ConfigError(f"stage {stage.name}: {error}" if stage.name else str(error)) from None


def _check(recipe: Recipe, stage: Stage) -> None:
    if stage.config.supervision.pseudo_labels and not stage.config.supervision.teachers:
        raise ConfigError("supervision.pseudo_labels needs supervision.teachers: a stage or a folder of models.")
    if stage.config.adapter.frozen and "initialise_from" not in stage.references:
        raise ConfigError("adapter.frozen needs initialise_from: the model whose encoder stays as it is.")
    earlier = {each.name: each.config for each in recipe.earlier(stage)}
    for setting, name in stage.references.items():
        if setting == "supervision.teachers":
            if name not in earlier:
                _folders(setting, name, earlier)
            continue
        other = earlier.get(name) or read_config(_folders(setting, name, earlier)[0])
        check = check_initialise_from if setting == "initialise_from" else check_distillation
        check(stage.config, other)


def find_references(recipe: Recipe, stage: Stage, folder: Path) -> References:
    """The models that a stage needs: all of them must be there."""
    earlier = {each.name: each for each in recipe.earlier(stage)}

    def folders(setting: str) -> tuple[Path, ...]:
        name = stage.references.get(setting)
        if name is None:
            return ()
        if name not in earlier:
            return _folders(setting, name, earlier)
        return models_of(recipe, earlier[name], folder)

    def model(setting: str) -> Path | None:
        """One model for those of a stage: their mean, where they have one, else the best of them."""
        of_stage = earlier.get(stage.references.get(setting, ""))
        if of_stage is not None and has_mean(of_stage.config):
            mean = stage_folder(folder, recipe, of_stage) / MEAN
            return _there(mean, of_stage)
        found = folders(setting)
        return best_model(found) if found else None

    return References(
        initialise_from=model("initialise_from"),
        teachers=folders("supervision.teachers"),
        teacher=model("distillation.teacher"),
    )


def models_of(recipe: Recipe, stage: Stage, folder: Path) -> tuple[Path, ...]:
    """The folders of all models of a stage, which must be there."""
    places = (seed_folder(stage_folder(folder, recipe, stage), seed) for seed in stage.config.seeds)
    return tuple(_there(place, stage) for place in places)


def _there(place: Path, stage: Stage) -> Path:
    if not is_model(str(place)):
        raise ConfigError(f"There is no model in {place}. Train the stage first, with --stage {stage.name}.")
    return place


def best_model(folders: Sequence[Path]) -> Path:
    """The folder of the best model by validation, the first of equals."""
    if len(folders) == 1:
        return folders[0]
    records = [read_record(place) for place in folders]
    scores = [record.get("validation_overall", record.get("validation_f1", 0.0)) for record in records]
    return folders[scores.index(max(scores))]


def _folders(setting: str, name: str, earlier: Iterable[str]) -> tuple[Path, ...]:
    """The folders of the models that a name outside the recipe stands for: of one, or of several that teach."""
    if is_model(name):
        return (model_folder(name),)
    folder = Path(name).expanduser()
    found = sorted(record.parent for record in folder.rglob("record.json")) if folder.is_dir() else []
    if setting == "supervision.teachers" and found:
        return tuple(found)
    known = ", ".join([*earlier, *shipped_models()]) or "none"
    raise ConfigError(f"{setting} is {name!r}, where no model is. Known by name: {known}. Or give the folder of one.")


def check_initialise_from(config: RunConfig, initial: RunConfig) -> None:
    """Raise ConfigError unless the weights of another model have the same shapes and meaning."""
    _check_same(config, initial, _SAME_SHAPE, "the model of initialise_from")


def check_distillation(config: RunConfig, teacher: RunConfig) -> None:
    """Raise ConfigError unless a student can take over the teacher's memory and span head."""
    _check_same(config, teacher, _SAME_HEADS, "the model of distillation.teacher")


def _check_same(config: RunConfig, other: RunConfig, names: Sequence[str], which: str) -> None:
    for name in names:
        mine, theirs = (attrgetter(name)(each) for each in (config, other))
        if mine != theirs:
            raise ConfigError(f"{name} is {mine!r}, but {theirs!r} in {which}. Make them the same.")
