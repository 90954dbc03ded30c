from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from petra.cli.app import app
from petra.errors import DataError

ARROW = "the text at A-offset 3 is '…'"


def run_raising(error: BaseException, monkeypatch: pytest.MonkeyPatch, *options: str) -> Result:
    """The outcome of a command that ends in an error."""

    def check(folder: Path) -> None:
        raise error

    monkeypatch.setattr("petra.corpora.inventory.take_inventory", check)
    return CliRunner().invoke(app, [*options, "data", "check", "--data", "."])


def run_process(arguments: list[str], stdout: int) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, for what only a real stdout can do."""
    code = "from petra.cli.app import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], stdout=stdout, stderr=subprocess.PIPE, text=True, check=False
    )


def test_an_error_of_ours_is_one_message_on_stderr(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = run_raising(DataError(ARROW), monkeypatch)
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (1, "", f"error: {ARROW}\n")


def test_debug_shows_the_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = run_raising(DataError(ARROW), monkeypatch, "--debug")
    assert outcome.exit_code == 1
    assert isinstance(outcome.exception, DataError)


def test_an_error_of_the_system_names_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = run_raising(OSError(28, "No space left on device", "out.html"), monkeypatch)
    assert (outcome.exit_code, outcome.stderr) == (1, "error: out.html: No space left on device.\n")


def test_an_error_of_the_program_keeps_its_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = run_raising(ZeroDivisionError(), monkeypatch)
    assert isinstance(outcome.exception, ZeroDivisionError)


def test_ctrl_c_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = run_raising(KeyboardInterrupt(), monkeypatch)
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (130, "", "")


def test_wrong_usage_is_two() -> None:
    assert CliRunner().invoke(app, ["no-such-command"]).exit_code == 2
    assert CliRunner().invoke(app, ["evaluate", "gap", "--split", "training"]).exit_code == 2
    assert CliRunner().invoke(app, ["evaluate", "count", "--cells", "0"]).exit_code == 2


def test_version() -> None:
    outcome = CliRunner().invoke(app, ["--version"])
    assert (outcome.exit_code, outcome.stdout.split()[0]) == (0, "petra")


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from petra.cli.app import app\n"
        "try:\n    app(['--help'])\nexcept SystemExit:\n    pass\n"
        "print(sorted({'torch', 'transformers', 'numpy', 'tokenizers'} & set(sys.modules)), file=sys.stderr)"
    )
    outcome = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert outcome.stderr.strip() == "[]"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows reports a closed pipe as another error")
def test_a_reader_that_leaves_early_ends_it_quietly(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    outcome = run_process(["data", "check", "--data", str(tmp_path)], writing)
    os.close(writing)
    assert (outcome.returncode, outcome.stderr) == (1, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, a disk that is always full")
def test_a_full_disk_is_told(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        outcome = run_process(["data", "check", "--data", str(tmp_path)], full.fileno())
    assert outcome.returncode == 1
    assert outcome.stderr.endswith("error: No space left on device.\n")
