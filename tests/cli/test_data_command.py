from __future__ import annotations

from pathlib import Path

from gap_samples import row, write_gap
from typer.testing import CliRunner

from petra.cli.app import app


def test_what_is_missing_is_reported_and_is_no_failure(tmp_path: Path) -> None:
    write_gap(tmp_path / "gap/gap-test.tsv", row())
    outcome = CliRunner().invoke(app, ["data", "check", "--data", str(tmp_path)])
    assert outcome.exit_code == 0
    assert "1 texts" in outcome.stdout
    assert outcome.stdout.count("missing") == 8
    assert "gap-coreference" in outcome.stderr


def test_what_is_malformed_fails(tmp_path: Path) -> None:
    write_gap(tmp_path / "gap/gap-test.tsv", row(B_offset="430"))
    outcome = CliRunner().invoke(app, ["data", "check", "--data", str(tmp_path)])
    assert outcome.exit_code == 1
    assert "malformed" in outcome.stdout
    assert "error: gap-test.tsv, row 2: column B-offset is 430, past the end" in outcome.stderr
