"""The records in results/: every command is one that the command line takes, and gives that very record."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from petra.cli.app import app
from petra.reproduction.grid import GridConfig
from petra.reproduction.records import RunRecord, read_records

ROOT = Path(__file__).parents[2]
GRIDS = ("paper", "alone")


def parsed(command: str) -> tuple[str, dict[str, Any]]:
    """The name of a command of petra and its options, as the command line reads them."""
    program, *words = shlex.split(command)
    assert program == "petra"
    command_line: Any = typer.main.get_command(app)
    name, found, words = command_line.resolve_command(command_line.context_class(command_line), words)
    return name, found.make_context(name, words).params


def records(folder: str) -> dict[str, RunRecord]:
    return read_records(ROOT / "results" / folder / "runs")


@pytest.mark.parametrize("folder", GRIDS)
def test_the_command_of_a_run_makes_it(folder: str) -> None:
    by_command: dict[str, set[str]] = {}
    for record in records(folder).values():
        by_command.setdefault(record.measured.command, set()).add(record.run.model)
    for command, models in by_command.items():
        name, options = parsed(command)
        assert name == "reproduce"
        assert options["out"] == Path("results") / folder
        assert models == set(options["model"] or models)
        for recipe in options["recipe"] or ():
            assert (ROOT / recipe).exists()


@pytest.mark.parametrize("folder", GRIDS)
def test_both_grids_are_whole_and_of_the_tempered_recipe(folder: str) -> None:
    grid = GridConfig.read(ROOT / "recipes/paper-mpnet-tempered.toml")
    found = records(folder)
    assert found.keys() == {run.digest for run in grid.runs}
    assert all(record.run.config.training.tempered_noise for record in found.values())


def test_the_printed_equation_is_another_grid() -> None:
    printed = GridConfig.read(ROOT / "recipes/paper-mpnet.toml")
    assert not any(recipe.training.tempered_noise for recipe in printed.recipes)
    assert not records("paper").keys() & {run.digest for run in printed.runs}


def test_the_command_of_a_result_is_taken() -> None:
    called, options = parsed(json.loads((ROOT / "results/gap-frozen.json").read_bytes())["command"])
    assert called in ("train", "reproduce")
    recipe = options["recipe"]
    assert (ROOT / (recipe[0] if isinstance(recipe, (list, tuple)) else recipe)).exists()
