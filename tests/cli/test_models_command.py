from __future__ import annotations

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
    monkeypatch.setattr(fetch, "fetch", lambda name, report, thorough: home / "encoders" / name)
    result = CliRunner().invoke(app, ["get", "minilm"])
    assert result.exit_code == 0
    assert result.stdout == f"{home / 'encoders' / 'minilm'}\n"
    assert "84 MB" in result.stderr


@pytest.mark.parametrize("command", ["get", "info"])
def test_an_unknown_name_is_an_error_that_lists_the_known(command: str) -> None:
    result = CliRunner().invoke(app, [command, "nothing"])
    assert isinstance(result.exception, ModelError)
    assert "Available: mpnet-base, minilm" in str(result.exception)
