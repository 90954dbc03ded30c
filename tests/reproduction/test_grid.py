from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from petra.errors import ConfigError
from petra.reproduction.grid import GridConfig, GridRun, encoder_label, paper_grid, quick_grid

RECIPES = Path(__file__).parents[2] / "recipes"


def test_the_built_in_grids_are_the_recipes() -> None:
    assert GridConfig.read(RECIPES / "paper-mpnet.toml") == paper_grid()
    assert GridConfig.read(RECIPES / "paper-quick.toml") == quick_grid()


@pytest.mark.parametrize("name", ["paper-mpnet", "paper-minilm"])
def test_the_papers_study_has_200_runs_an_encoder(name: str) -> None:
    grid = GridConfig.read(RECIPES / f"{name}.toml")
    assert len(grid.runs) == 4 * 10 * 5
    assert len({run.digest for run in grid.runs}) == 200
    assert sorted({run.cells for run in grid.runs}) == [2, 4, 6, 8, 10, 12, 14, 16, 18, 20]
    assert {run.seed for run in grid.runs} == {1, 2, 3, 4, 5}
    first, last = grid.runs[0], grid.runs[-1]
    assert (first.model, first.cells, first.seed) == ("vanilla", 2, 1)
    assert (last.model, last.cells, last.seed) == ("referential-reader", 20, 5)


def test_the_settings_are_the_papers() -> None:
    training = paper_grid().recipes[0].training
    assert (training.max_epochs, training.learning_rate, training.patience_stop) == (100, 1e-3, 15)
    assert (training.self_link_weight, training.positive_weight, training.negative_weight) == (1, 5, 50)
    memory = paper_grid().recipes[2].memory
    assert (memory.variant, memory.hidden_size, memory.key_size) == ("fixed-key", 300, 20)


def test_a_model_may_differ_in_some_settings() -> None:
    petra, *_, reader = paper_grid().recipes
    assert (petra.training.feature_dropout, reader.training.feature_dropout) == (0.0, 0.5)
    assert (petra.training.self_link_weight, reader.training.self_link_weight) == (1.0, 0.1)
    assert petra.training.max_epochs == reader.training.max_epochs
    assert petra.encoder == reader.encoder


def test_a_model_may_train_fewer_runs_at_once() -> None:
    grid = GridConfig.from_toml(BASE + "[referential-reader.grid]\nmodels_at_once = 3\n")
    assert [grid.models_at_once(model) for model in grid.settings.models] == [25, 25, 25, 3]
    assert grid.runs == GridConfig.from_toml(BASE).runs
    assert [paper_grid().models_at_once(model) for model in ("vanilla", "referential-reader")] == [50, 25]


def test_the_runs_of_some_models() -> None:
    grid = GridConfig.from_toml(BASE)
    some = grid.only({"fixed-key", "vanilla"})
    assert some.settings.models == ("vanilla", "fixed-key")
    assert some.runs == tuple(run for run in grid.runs if run.model in ("vanilla", "fixed-key"))


def run_of(text: str) -> GridRun:
    return GridConfig.from_toml(text).runs[0]


BASE = "name = 'a'\n[grid]\ncells = [2, 4]\n[encoder]\nname = 'minilm'\n[training]\nmax_epochs = 7\n"


def test_a_run_is_what_makes_it() -> None:
    run = run_of(BASE)
    assert run.label == "minilm-vanilla-2-1"
    assert run.digest == run_of(BASE).digest
    same = [
        BASE.replace("'a'", "'b'"),  # a name is only a name
        BASE.replace("cells = [2, 4]", "cells = [2]"),  # and the other runs of a grid are not this one
        BASE.replace("cells = [2, 4]", "cells = [2, 4]\nmodels_at_once = 3\ncompact_at = 0.1"),
        BASE + "learning_rate = 0.001\n",  # the default, given
    ]
    other = [
        BASE.replace("7", "8"),
        BASE.replace("minilm", "mpnet-base"),
        BASE.replace("cells = [2, 4]", "cells = [2, 4]\ntraining_texts = 10"),
        BASE + "[vanilla.training]\ndropout = 0.1\n",
        "seeds = [2]\n" + BASE,
    ]
    assert {run_of(text).digest for text in same} == {run.digest}
    assert len({run.digest, *(run_of(text).digest for text in other)}) == len(other) + 1


def test_a_run_has_its_own_cells_and_one_seed() -> None:
    grid = GridConfig.from_toml(BASE)
    run = next(run for run in grid.runs if (run.model, run.cells, run.seed) == ("fixed-key", 4, 3))
    assert run.config == replace(
        grid.recipes[2], seeds=(3,), memory=replace(grid.recipes[2].memory, num_cells=4, variant="fixed-key")
    )


@pytest.mark.parametrize(
    ("encoder", "label"),
    [
        ("mpnet-base", "mpnet-base"),
        ("google-bert/bert-base-cased", "bert-base-cased"),
        ("/models/my encoder/", "my-encoder"),
        ("C:\\models\\bert", "bert"),
    ],
)
def test_the_label_of_an_encoder_is_fit_for_a_file(encoder: str, label: str) -> None:
    assert encoder_label(encoder) == label


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[grid]\nmodels = ['vanilla', 'chocolate']", "grid.models is"),
        ("[grid]\nmodels = ['vanilla', 'vanilla']", "grid.models is"),
        ("[grid]\nmodels = [1]", "expected a list of strings in quotes"),
        ("[grid]\ncells = []", "grid.cells is"),
        ("[grid]\ncells = [0]", "grid.cells is"),
        ("[grid]\ncells = ['2']", "expected a list of whole numbers"),
        ("[grid]\ntest_texts = -1", "grid.test_texts is -1"),
        ("[grid]\nmodels_at_once = 0", "grid.models_at_once is 0"),
        ("[grid]\ncompact_at = 1.0", "grid.compact_at is 1.0"),
        ("[grid]\nsize = 1", "unknown setting grid.size"),
        ("grid = 3", r"grid is 3; expected a table, \[grid\]"),
        ("[memory]\nnum_cells = 3", "give grid.models and grid.cells"),
        ("[memory]\nvariant = 'vanilla'", "give grid.models and grid.cells"),
        ("[vanilla.memory]\nnum_cells = 3", "give grid.models and grid.cells"),
        (
            "[vanilla.encoder]\nname = 'minilm'",
            r"unknown setting vanilla\.encoder; a model has memory, training and grid",
        ),
        ("[vanilla.grid]\ncells = [2]", r"unknown setting vanilla\.grid\.cells; a model has models_at_once"),
        ("[vanilla.grid]\nmodels_at_once = 0", "grid.models_at_once is 0"),
        ("memory = 3", r"memory is 3; expected a table, \[memory\]"),
        ("encoder = 3", r"encoder is 3; expected a table, \[encoder\]"),
        ("[training]\nspeed = 3", "unknown setting training.speed"),
        ("[vanilla.training]\nspeed = 3", "unknown setting training.speed"),
        ("vanilla = 1", r"vanilla is 1; expected a table, \[vanilla\]"),
        ("[chocolate.training]\ndropout = 0.1", "unknown setting chocolate"),
        ("grid = [", "not a TOML file"),
    ],
)
def test_a_grid_that_cannot_be_used(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        GridConfig.from_toml(text)


def test_an_error_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "grid.toml").write_text("grid = 3", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"grid\.toml: grid is 3"):
        GridConfig.read(tmp_path / "grid.toml")
    with pytest.raises(ConfigError, match="No recipe at"):
        GridConfig.read(tmp_path / "none.toml")
