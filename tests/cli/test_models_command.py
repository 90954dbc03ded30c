from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from petra.cli.models import app
from petra.encoder import catalogue, fetch
from petra.errors import ModelError


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PETRA_HOME", str(tmp_path))
    return tmp_path


def test_every_encoder_is_listed_with_its_state() -> None:
    result = CliRunner().invoke(app, ["list"])
    assert result.exit_code == 0
    for name in catalogue.ENCODERS:
        assert name in result.stdout
    assert "yes" not in result.stdout


def test_info_names_the_folder_of_what_is_here(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    absent = CliRunner().invoke(app, ["info", "minilm"])
    assert "petra models get minilm" in absent.stdout
    monkeypatch.setattr(fetch, "is_fetched", lambda encoder: True)
    present = CliRunner().invoke(app, ["info", "minilm"])
    assert f"Folder:   {home / 'encoders' / 'minilm'}" in present.stdout.splitlines()
    assert "Apache-2.0" in present.stdout


def test_get_prints_the_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "fetch", lambda name, **_: home / "encoders" / name)
    result = CliRunner().invoke(app, ["get", "minilm"])
    assert result.exit_code == 0
    assert result.stdout == f"{home / 'encoders' / 'minilm'}\n"
    assert "84 MB" in result.stderr


@pytest.fixture
def shipped(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The tiny model as one that comes with PeTra."""
    monkeypatch.setattr("petra.trained._shipped", lambda: tiny_model.parent)
    return tiny_model


def test_trained_models_are_listed(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petra.trained.DEFAULT", "tiny")
    result = CliRunner().invoke(app, ["list"])
    assert result.exit_code == 0
    assert "tiny" in result.stdout
    assert "the default" in result.stdout


def test_a_package_without_trained_models_lists_the_encoders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petra.trained._shipped", lambda: tmp_path / "nowhere")
    result = CliRunner().invoke(app, ["list"])
    assert result.exit_code == 0
    assert "minilm" in result.stdout
    assert "Model" not in result.stdout


def test_info_on_a_trained_model_by_name_and_by_folder(shipped: Path) -> None:
    by_name, by_folder = (CliRunner().invoke(app, ["info", name]) for name in ("tiny", str(shipped)))
    assert by_name.exit_code == by_folder.exit_code == 0
    assert by_name.stdout == by_folder.stdout
    assert "Memory:   vanilla, 4 cells of 12 features" in by_name.stdout.splitlines()
    assert f"Folder:   {shipped}" in by_name.stdout.splitlines()


def test_info_on_a_model_that_comes_with_petra_tells_licence_and_scores() -> None:
    lines = CliRunner().invoke(app, ["info", "paper-reader-8"]).stdout.splitlines()
    assert "Licence:  Apache-2.0" in lines
    assert "Scores:   GAP validation F1 79.0, GAP test F1 78.8, bias F/M 0.96, counting error 162" in lines


def test_get_fetches_the_encoder_of_a_trained_model(
    shipped: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(shipped, tmp_path / "models" / "small")
    config = (folder / "config.toml").read_text(encoding="utf-8")
    own = next(line for line in config.splitlines() if line.startswith("name = ") and "tiny-bert" in line)
    (folder / "config.toml").write_text(config.replace(own, 'name = "minilm"'), encoding="utf-8")
    monkeypatch.setattr(fetch, "fetch", lambda name, **_: home / "encoders" / name)
    result = CliRunner().invoke(app, ["get", str(folder)])
    assert result.exit_code == 0
    assert result.stdout == f"{home / 'encoders' / 'minilm'}\n"
    assert "its encoder is minilm" in result.stderr


@pytest.mark.parametrize("command", ["get", "info"])
def test_an_unknown_name_is_an_error_that_lists_the_known(command: str) -> None:
    result = CliRunner().invoke(app, [command, "nothing"])
    assert isinstance(result.exception, ModelError)
    assert "Available: mpnet-base, minilm" in str(result.exception)
