"""The grid of a study: every model with every number of cells and every seed, over one encoder.

A recipe has the tables of any training recipe, and two kinds of its own: ``[grid]``, and
tables named for a model with what it does otherwise, as ``[referential-reader.training]``.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, cast, get_args

from petra.config import RunConfig, Variant, from_dict, parse_toml, read_recipe
from petra.errors import ConfigError

PROTOCOL = "petra.study/1"  # how a run is trained and scored; part of its identity


@dataclass(frozen=True, kw_only=True, slots=True)
class GridSettings:
    """The table ``[grid]``: its runs, and how they are batched."""

    models: tuple[Variant, ...] = ("vanilla", "learned-init", "fixed-key", "referential-reader")
    cells: tuple[int, ...] = (2, 4, 6, 8, 10, 12, 14, 16, 18, 20)
    training_texts: int = 0  # the first so many of a split; 0 takes all
    validation_texts: int = 0
    test_texts: int = 0
    # What follows changes no result, only time and memory.
    models_at_once: int = 25  # runs that train as one batch of models
    compact_at: float = 0.5  # the share still learning at which the others leave the batch; 0: never
    compact_above: int = 12  # and only from larger batches: on a GPU every size needs kernels of its own

    def __post_init__(self) -> None:
        known = get_args(Variant)
        if not self.models or len(set(self.models)) != len(self.models) or not set(self.models) <= set(known):
            raise ConfigError(f"grid.models is {list(self.models)}; give different ones of {', '.join(known)}.")
        if not self.cells or len(set(self.cells)) != len(self.cells) or min(self.cells) < 1:
            raise ConfigError(f"grid.cells is {list(self.cells)}; give different numbers, 1 or more.")
        for name in ("training_texts", "validation_texts", "test_texts"):
            if getattr(self, name) < 0:
                raise ConfigError(f"grid.{name} is {getattr(self, name)}; give a number of texts, or 0 for all.")
        for name in ("models_at_once", "compact_above"):
            if getattr(self, name) < 1:
                raise ConfigError(f"grid.{name} is {getattr(self, name)}; choose 1 or more.")
        if not 0 <= self.compact_at < 1:
            raise ConfigError(f"grid.compact_at is {self.compact_at}; it must be at least 0 and less than 1.")


@dataclass(frozen=True, kw_only=True)
class GridRun:
    """One run: a model with its own number of cells, one seed, and the texts it sees."""

    config: RunConfig
    texts: tuple[int, int, int] = (0, 0, 0)  # of the three splits, 0 for all

    @property
    def model(self) -> Variant:
        return self.config.memory.variant

    @property
    def cells(self) -> int:
        return self.config.memory.num_cells

    @property
    def seed(self) -> int:
        return self.config.seeds[0]

    @property
    def encoder(self) -> str:
        return self.config.encoder.name

    @property
    def label(self) -> str:
        """ENCODER-MODEL-CELLS-SEED, for people and for file names."""
        return f"{encoder_label(self.encoder)}-{self.model}-{self.cells}-{self.seed}"

    @cached_property
    def digest(self) -> str:
        """The identity of the run: the same for the same settings, whatever the recipe is called."""
        settings = {name: value for name, value in self.config.settings.items() if name != "name"}
        content = json.dumps({"protocol": PROTOCOL, "texts": list(self.texts), **settings}, sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:16]


@dataclass(frozen=True, kw_only=True)
class GridConfig:
    """A study: its runs, and how they are batched."""

    settings: GridSettings
    recipes: tuple[RunConfig, ...]  # one a model, in order, each with all seeds
    at_once: Mapping[Variant, int] = field(default_factory=dict)  # of models that do not train as many as others

    @classmethod
    def read(cls, path: Path) -> GridConfig:
        """The grid in a TOML file."""
        return read_recipe(path, cls.from_toml)

    @classmethod
    def from_toml(cls, text: str) -> GridConfig:
        return cls.from_values(parse_toml(text))

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> GridConfig:
        """The grid that plain values describe."""
        settings = from_dict(GridSettings, _table(values, "grid"), "grid.")
        shared = {name: value for name, value in values.items() if name != "grid" and name not in get_args(Variant)}
        recipes = [_recipe(shared, _table(values, model), model, max(settings.cells)) for model in settings.models]
        at_once = {model: _at_once(_table(values, model), model, settings) for model in settings.models}
        return cls(settings=settings, recipes=tuple(recipes), at_once=at_once)

    @property
    def name(self) -> str:
        return self.recipes[0].name

    @property
    def encoder(self) -> str:
        return self.recipes[0].encoder.name

    @property
    def seeds(self) -> tuple[int, ...]:
        return self.recipes[0].seeds

    def models_at_once(self, model: Variant) -> int:
        """How many runs of a model train as one batch."""
        return self.at_once.get(model, self.settings.models_at_once)

    def only(self, models: Collection[str]) -> GridConfig:
        """The runs of some of the models."""
        settings = replace(self.settings, models=tuple(model for model in self.settings.models if model in models))
        recipes = tuple(recipe for recipe in self.recipes if recipe.memory.variant in models)
        return replace(self, settings=settings, recipes=recipes)

    @cached_property
    def runs(self) -> tuple[GridRun, ...]:
        """All runs, model by model, then by cells, then by seeds."""
        settings = self.settings
        texts = (settings.training_texts, settings.validation_texts, settings.test_texts)
        return tuple(
            GridRun(
                config=replace(recipe, seeds=(seed,), memory=replace(recipe.memory, num_cells=cells)),
                texts=texts,
            )
            for recipe in self.recipes
            for cells in settings.cells
            for seed in recipe.seeds
        )


def encoder_label(encoder: str) -> str:
    """An encoder's name, or the last part of its folder or hub name, fit for a file name."""
    last = re.split(r"[\\/]", encoder.rstrip("\\/"))[-1]
    return re.sub(r"[^\w.-]+", "-", last) or "encoder"


def _recipe(shared: Mapping[str, Any], own: Mapping[str, Any], model: Variant, cells: int) -> RunConfig:
    """A model's recipe: the shared values, changed by its own."""
    if others := own.keys() - {"memory", "training", "grid"}:
        raise ConfigError(f"unknown setting {model}.{min(others)}; a model has memory, training and grid of its own.")
    values = {**shared, **{name: {**_table(shared, name), **_table(own, name)} for name in ("memory", "training")}}
    if {"variant", "num_cells"} & values["memory"].keys():
        raise ConfigError("memory.variant and memory.num_cells are the grid's: give grid.models and grid.cells.")
    values["memory"] |= {"variant": model, "num_cells": cells}
    return from_dict(RunConfig, values)


def _at_once(own: Mapping[str, Any], model: Variant, settings: GridSettings) -> int:
    """How many runs of a model train together: its own number, if it has one."""
    grid = _table(own, "grid")
    if others := grid.keys() - {"models_at_once"}:
        raise ConfigError(f"unknown setting {model}.grid.{min(others)}; a model has models_at_once of its own.")
    own_settings = from_dict(GridSettings, {"models_at_once": settings.models_at_once, **grid}, f"{model}.grid.")
    return own_settings.models_at_once


def _table(values: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = values.get(name, {})
    if not isinstance(table, Mapping):
        raise ConfigError(f"{name} is {table!r}; expected a table, [{name}].")
    return cast(Mapping[str, Any], table)


# What the Referential Reader's authors do otherwise: dropout of its inputs, other weights of pairs.
_REFERENTIAL_READER = {
    "training": {"feature_dropout": 0.5, "self_link_weight": 0.1, "positive_weight": 5.0, "negative_weight": 50.0}
}


def paper_grid() -> GridConfig:
    """The paper's study with MPNet-base, as recipes/paper-mpnet.toml has it."""
    return GridConfig.from_values(
        {
            "name": "paper-mpnet",
            "grid": {"models_at_once": 25},
            "encoder": {"name": "mpnet-base", "layers": [6, 8]},
            "vanilla": {"grid": {"models_at_once": 50}},
            "referential-reader": _REFERENTIAL_READER,
        }
    )


def quick_grid() -> GridConfig:
    """A miniature of the study for a CPU, as recipes/paper-quick.toml has it."""
    return GridConfig.from_values(
        {
            "name": "paper-quick",
            "seeds": [1, 2],
            "grid": {"cells": [2, 4], "training_texts": 64, "validation_texts": 100, "test_texts": 100},
            "encoder": {"name": "minilm", "layers": [4, 6]},
            "memory": {"hidden_size": 32, "mlp_size": 32, "key_size": 4},
            "training": {"max_epochs": 3, "batch_size": 16},
            "referential-reader": _REFERENTIAL_READER,
        }
    )
