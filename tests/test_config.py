from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petra.config import EncoderConfig, MemoryConfig, RunConfig, SupervisionConfig, TrainingConfig
from petra.errors import ConfigError

RECIPES = sorted((Path(__file__).parents[1] / "recipes").glob("*.toml"))
GRIDS = [path for path in RECIPES if path.name.startswith("paper-")]  # tests/reproduction/test_grid.py reads them

OTHER = RunConfig(
    name='Größe "zwei"\n',
    seeds=(7, 0),
    encoder=EncoderConfig(name="~/bert", layers=(0, 3), window=100, margin=0),
    memory=MemoryConfig(num_cells=2, usage_decay=0.5, hidden_size=8, mlp_size=4, variant="fixed-key", key_size=3),
    training=TrainingConfig(max_epochs=1, learning_rate=0.5, min_learning_rate=0.5, dropout=0.0, shuffle_seed=9),
)


@pytest.mark.parametrize("config", [RunConfig(), OTHER], ids=["default", "other"])
def test_a_configuration_survives_toml(config: RunConfig) -> None:
    assert RunConfig.from_toml(config.to_toml()) == config


@given(
    st.builds(
        RunConfig,
        name=st.text(st.characters(codec="utf-8")),
        seeds=st.lists(st.integers(0, 2**63 - 1), min_size=1, max_size=4, unique=True).map(tuple),
        memory=st.builds(MemoryConfig, num_cells=st.integers(1, 99), usage_decay=st.floats(0.01, 0.99)),
        training=st.builds(TrainingConfig, dropout=st.floats(0, 0.99), negative_weight=st.floats(0, 1e9)),
    )
)
def test_any_configuration_survives_toml(config: RunConfig) -> None:
    assert RunConfig.from_toml(config.to_toml()) == config


def test_what_a_recipe_does_not_say_is_the_paper_s() -> None:
    assert RunConfig.from_toml("") == RunConfig()
    config = RunConfig.from_toml("[memory]\nnum_cells = 4\n")
    assert (config.memory.num_cells, config.memory.usage_decay) == (4, 0.98)
    paper = TrainingConfig()
    assert (paper.learning_rate, paper.min_learning_rate, paper.max_epochs) == (1e-3, 1e-4, 100)
    assert (paper.self_link_weight, paper.positive_weight, paper.negative_weight) == (1.0, 5.0, 50.0)
    assert (paper.patience_halve, paper.patience_stop, paper.temperature_halve_every) == (5, 15, 10)
    assert (paper.dropout, paper.mention_loss_weight, paper.clip_norm, paper.batch_size) == (0.5, 0.1, 1.0, 32)


def test_a_whole_number_may_stand_for_a_number() -> None:
    config = RunConfig.from_toml("[training]\nclip_norm = 2\n")
    assert config.training.clip_norm == 2.0
    assert isinstance(config.training.clip_norm, float)


@pytest.mark.parametrize("path", [path for path in RECIPES if path not in GRIDS], ids=lambda path: path.name)
def test_the_recipes_that_come_with_petra_can_be_read(path: Path) -> None:
    assert RunConfig.read(path).name == path.stem


@pytest.mark.parametrize("path", GRIDS, ids=lambda path: path.name)
def test_a_grid_is_no_recipe_of_one_model(path: Path) -> None:
    with pytest.raises(ConfigError, match=r"a recipe with \[grid\] is one of `petra reproduce`"):
        RunConfig.read(path)


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("cells = 3", "unknown setting cells; known here: name, seeds, initialise_from, encoder, memory, training, "),
        ("[training]\nlr = 1", "unknown setting training.lr; known here: max_epochs, batch_size, "),
        ("[memory]\nnum_cells = 3.0", "memory.num_cells is 3.0; expected a whole number."),
        ("[memory]\nnum_cells = true", "memory.num_cells is True; expected a whole number."),
        ("[memory]\nvariant = 1", "memory.variant is 1; expected a string in quotes."),
        ("[training]\ndropout = 'half'", "training.dropout is 'half'; expected a number."),
        ("[training]\ndropout = true", "training.dropout is True; expected a number."),
        ("name = 5", "name is 5; expected a string in quotes."),
        ("seeds = 5", "seeds is 5; expected a list of whole numbers."),
        ("seeds = [1.0]", "seeds is [1.0]; expected a list of whole numbers."),
        ("[encoder]\nlayers = '6-9'", "encoder.layers is '6-9'; expected a list of whole numbers."),
        ("memory = 10", "memory is 10; expected a table, [memory]."),
        ("name = ", "not a TOML file"),
    ],
)
def test_what_a_recipe_must_not_say(toml: str, message: str) -> None:
    with pytest.raises(ConfigError) as error:
        RunConfig.from_toml(toml)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("kind", "values", "message"),
    [
        (RunConfig, {"seeds": ()}, "seeds is []; give one or more different whole numbers"),
        (RunConfig, {"seeds": (1, 1)}, "seeds is [1, 1]; give one or more different whole numbers"),
        (RunConfig, {"seeds": (-1,)}, "seeds is [-1]; give one or more different whole numbers, 0 or more."),
        (RunConfig, {"seeds": (2**63,)}, f"seeds is [{2**63}]; give numbers below 2^63."),
        (EncoderConfig, {"layers": ()}, "encoder.layers is []; give at least one layer number"),
        (EncoderConfig, {"layers": (3, -1)}, "encoder.layers is [3, -1]; give at least one layer number"),
        (EncoderConfig, {"window": 128}, "encoder.window is 128 and encoder.margin 64; the window must be larger"),
        (EncoderConfig, {"margin": -1}, "encoder.window is 384 and encoder.margin -1"),
        (MemoryConfig, {"num_cells": 0}, "memory.num_cells is 0; choose 1 or more (the default is 10)."),
        (MemoryConfig, {"usage_decay": 1.0}, "memory.usage_decay is 1.0; it lies between 0 and 1"),
        (MemoryConfig, {"usage_decay": float("nan")}, "memory.usage_decay is nan"),
        (MemoryConfig, {"hidden_size": 0}, "memory.hidden_size is 0; choose 1 or more (the paper: 300)."),
        (MemoryConfig, {"mlp_size": 0}, "memory.mlp_size is 0; choose 1 or more"),
        (
            MemoryConfig,
            {"variant": "plain"},
            "memory.variant is 'plain'; choose one of vanilla, learned-init, fixed-key",
        ),
        (
            MemoryConfig,
            {"variant": "fixed-key", "hidden_size": 20},
            "memory.key_size is 20; it must lie between 1 and hidden_size - 1 (19).",
        ),
        (TrainingConfig, {"max_epochs": 0}, "training.max_epochs is 0; choose 1 or more."),
        (TrainingConfig, {"batch_size": 0}, "training.batch_size is 0"),
        (TrainingConfig, {"patience_halve": 0}, "training.patience_halve is 0"),
        (TrainingConfig, {"patience_stop": 0}, "training.patience_stop is 0"),
        (TrainingConfig, {"temperature_halve_every": 0}, "training.temperature_halve_every is 0"),
        (TrainingConfig, {"learning_rate": 0.0}, "training.learning_rate is 0.0; it must be greater than 0."),
        (TrainingConfig, {"learning_rate": float("nan")}, "training.learning_rate is nan"),
        (TrainingConfig, {"min_learning_rate": -1.0}, "training.min_learning_rate is -1.0"),
        (TrainingConfig, {"learning_rate": 5e-5}, "training.min_learning_rate is 0.0001, more than"),
        (TrainingConfig, {"clip_norm": 0.0}, "training.clip_norm is 0.0"),
        (TrainingConfig, {"temperature": 0.0}, "training.temperature is 0.0"),
        (TrainingConfig, {"dropout": 1.0}, "training.dropout is 1.0; it must be at least 0 and less than 1."),
        (TrainingConfig, {"dropout": -0.1}, "training.dropout is -0.1"),
        (TrainingConfig, {"positive_weight": -1.0}, "training.positive_weight is -1.0; choose 0 or more."),
        (TrainingConfig, {"negative_weight": float("nan")}, "training.negative_weight is nan"),
        (TrainingConfig, {"mention_loss_weight": -0.1}, "training.mention_loss_weight is -0.1"),
        (TrainingConfig, {"shuffle_seed": -1}, "training.shuffle_seed is -1; choose 0 or more."),
        (SupervisionConfig, {"swapped": 1.5}, "supervision.swapped is 1.5; it lies between 0 and 1."),
        (SupervisionConfig, {"passages": -1}, "supervision.passages is -1; choose 0 or more."),
        (SupervisionConfig, {"short_texts": -1}, "supervision.short_texts is -1; choose 0 or more."),
        (SupervisionConfig, {"distant_texts": -1}, "supervision.distant_texts is -1; choose 0 or more."),
        (SupervisionConfig, {"distant_weight": -0.5}, "supervision.distant_weight is -0.5; choose 0 or more."),
        (SupervisionConfig, {"steps": -1}, "supervision.steps is -1; choose 0 or more."),
        (SupervisionConfig, {"steps": 3}, "supervision.steps is 3, steps without GAP, and there is nothing else"),
        (SupervisionConfig, {"link_weight": float("nan")}, "supervision.link_weight is nan; choose 0 or more."),
        (SupervisionConfig, {"passage_tokens": 0}, "supervision.passage_tokens is 0; choose 1 or more."),
    ],
)
def test_values_that_make_no_sense(kind: type, values: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as error:
        kind(**values)
    assert str(error.value).startswith(message)


def test_a_small_model_needs_no_key() -> None:
    assert MemoryConfig(hidden_size=8).key_size == 20  # of the fixed-key variant only


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('start = "base"', "start has a new name: write initialise_from."),
        ("[supervision]\nmade = 3", "supervision.made has a new name: write supervision.synthetic."),
        ("[supervision]\nbelieved = 3", "supervision.believed has a new name: write supervision.pseudo_labels."),
        ("[imitation]\nsteps = 3", "imitation has a new name: write distillation."),
        ('[distillation]\nmodel = "base"', "distillation.model has a new name: write distillation.teacher."),
        ("[adapter]\naverage = 0.1", "adapter.average has a new name: write adapter.ema_decay, with 1 less the value."),
    ],
)
def test_a_recipe_with_a_former_name_is_given_the_new_one(text: str, complaint: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(complaint)):
        RunConfig.from_toml(text)


def test_a_model_trained_by_former_names_still_loads(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(
        "[adapter]\nrank = 2\naverage = 0.003\n[supervision]\nmade = 3\nbelieved = 4\n"
        '[imitation]\nmodel = "base"\nsteps = 5\n',
        encoding="utf-8",
    )
    stored = RunConfig.read_stored(path)
    assert stored.adapter.ema_decay == 0.997
    assert (stored.supervision.synthetic, stored.supervision.pseudo_labels) == (3, 4)
    assert (stored.distillation.teacher, stored.distillation.steps) == ("base", 5)
    path.write_text('start = "base"\n[adapter]\nrank = 2\naverage = 0.0\n', encoding="utf-8")
    stored = RunConfig.read_stored(path)
    assert (stored.initialise_from, stored.adapter.ema_decay) == ("base", 0.0)


def test_a_missing_recipe_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"No recipe at .*none\.toml\. The recipes that come with PeTra are in"):
        RunConfig.read(tmp_path / "none.toml")


def test_a_folder_is_no_recipe(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read as a recipe"):
        RunConfig.read(tmp_path)


def test_a_recipe_in_another_encoding_is_told(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes('name = "Größe"'.encode("latin-1"))
    with pytest.raises(ConfigError, match=r"latin\.toml cannot be read as a recipe"):
        RunConfig.read(tmp_path / "latin.toml")


def test_an_error_in_a_recipe_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("cells = 3", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"bad\.toml: unknown setting cells"):
        RunConfig.read(tmp_path / "bad.toml")
