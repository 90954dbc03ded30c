from __future__ import annotations

import gzip
from pathlib import Path

from gap_corpus import write_gap_corpus
from gap_samples import row, write_gap
from typer.testing import CliRunner

from petra.cli.app import app
from petra.corpora.gap import read_gap_file


def test_what_is_missing_is_reported_and_is_no_failure(tmp_path: Path) -> None:
    write_gap(tmp_path / "gap/gap-test.tsv", row())
    outcome = CliRunner().invoke(app, ["data", "check", "--data", str(tmp_path)])
    assert outcome.exit_code == 0
    assert "1 texts" in outcome.stdout
    assert outcome.stdout.count("missing") == 11
    assert "gap-coreference" in outcome.stderr


def test_what_is_malformed_fails(tmp_path: Path) -> None:
    write_gap(tmp_path / "gap/gap-test.tsv", row(B_offset="430"))
    outcome = CliRunner().invoke(app, ["data", "check", "--data", str(tmp_path)])
    assert outcome.exit_code == 1
    assert "malformed" in outcome.stdout
    assert "error: gap-test.tsv, row 2: column B-offset is 430, past the end" in outcome.stderr


def test_instances_are_made_from_text(tmp_path: Path) -> None:
    names = tmp_path / "names"
    names.mkdir()
    (names / "female.txt").write_text("Ada\nRuth\nCora\n", encoding="utf-8")
    (names / "male.txt").write_text("Tom\nBen\nHal\n", encoding="utf-8")
    article = (
        " = Ada Vale = \n\n"
        " Ada Vale sailed with Ruth Pym . Vale said she loved her boat . \n"
        " They met Ruth Pym . In 1901 , Ada Vale said so . She won her race . \n"
    )
    (tmp_path / "wikitext2").mkdir()
    (tmp_path / "wikitext2/train.raw.gz").write_bytes(gzip.compress(article.encode()))
    write_gap_corpus(tmp_path)
    out = tmp_path / "made.tsv"
    outcome = CliRunner().invoke(app, ["data", "make", str(out), "--data", str(tmp_path)])
    assert outcome.exit_code == 0, outcome.stderr
    made = read_gap_file(out)
    assert f"{len(made)} instances" in outcome.stderr
    assert {it.gender for it in made} == {"feminine", "masculine"}
    assert {it.id.removesuffix("-mirrored") for it in made if it.id.endswith("-mirrored")} == {
        it.id for it in made if not it.id.endswith("-mirrored")
    }
