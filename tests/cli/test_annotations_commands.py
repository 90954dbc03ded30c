"""Annotations of one's own on the command line: checked, measured on, learned from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tiny import tiny_span_model
from typer.testing import CliRunner, Result

from petra.cli.app import app

NOTES = "\n".join(
    f"@ note-{number}\n[Amelia Shepherd]1 met [Paul Brook]2. [She]1 told [him]2 about the house.\n"
    for number in range(6)
)


def petra(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def model(tiny_encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_span_model(tmp_path_factory.mktemp("models") / "tiny-spans", tiny_encoder)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "notes.brackets").write_text(NOTES, encoding="utf-8")
    return folder


def test_a_folder_is_checked(notes: Path) -> None:
    outcome = petra("data", "check", notes)
    assert (outcome.exit_code, outcome.stderr) == (0, "")
    assert [word for word in outcome.stdout.splitlines()[3].split() if word != "│"][1:] == ["6", "12", "24", "fine"]
    (notes / "bad.conll").write_text("x\n", encoding="utf-8")
    outcome = petra("data", "check", notes)
    assert outcome.exit_code == 1
    assert "error: bad.conll, line 1: a token stands outside a text" in outcome.stderr


def test_a_model_is_measured(notes: Path, model: Path) -> None:
    outcome = petra("evaluate", "annotations", notes, "--model", model, "--device", "cpu", "--json")
    assert outcome.exit_code == 0, outcome.stderr
    values = json.loads(outcome.stdout)
    assert set(values) == {"schema", "model", "exact", "head", "documents"}
    assert (values["exact"]["documents"], len(values["documents"])) == (6, 6)


def test_a_model_learns_and_can_be_used(notes: Path, model: Path, tmp_path: Path) -> None:
    arguments = ("train", "--annotations", notes, "--model", model, "--out", tmp_path / "mine", "--device", "cpu")
    outcome = petra(*arguments)
    assert outcome.exit_code == 0, outcome.stderr
    assert "On texts held out" in outcome.stdout
    assert "4 learned, 1 choosing, 1 held out" in outcome.stderr
    outcome = CliRunner().invoke(app, ["track", "-", "--model", str(tmp_path / "mine"), "--json"], input="Amelia left.")
    assert json.loads(outcome.stdout)["model"] == "mine"
    assert "holds a model already" in petra(*arguments).stderr


def test_a_recipe_or_annotations(notes: Path, tmp_path: Path) -> None:
    assert petra("train", "--out", tmp_path).exit_code == 2
    assert petra("train", "recipe.toml", "--annotations", notes, "--out", tmp_path).exit_code == 2
    assert petra("train", "--annotations", notes, "--seeds", "1", "--out", tmp_path).exit_code == 2
    assert petra("train", "recipe.toml", "--model", "small", "--out", tmp_path).exit_code == 2
