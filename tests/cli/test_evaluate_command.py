from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from gap_samples import row, write_gap
from gum_samples import write_gum
from litbank_samples import write_litbank
from log_samples import log_of
from pdnc_samples import write_pdnc
from typer.testing import CliRunner
from winobias_samples import write_winobias

import petra
from petra import Tracker
from petra.cli.app import app
from petra.corpora.gap import read_gap
from petra.log.memory_log import MemoryLog


@pytest.fixture
def gap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of one instance per split, and a model that reads them without a mistake."""
    for split in ("validation", "test"):
        write_gap(tmp_path / f"gap/gap-{split}.tsv", row())
    [instance] = read_gap(tmp_path, "test")
    (tmp_path / "gap/num_people.tsv").write_text(f"ID\tText\tCount\none\t{instance.text}\t3\n")

    class Model:
        name = "by-hand"

        def logs(self, texts: Sequence[str], *, cells: int | None = None) -> Iterator[MemoryLog]:
            return iter([log_of(instance, 1.0, 0.0)] * len(texts))

        people_logs = logs

    monkeypatch.setattr(petra, "load", lambda model, **options: Model(), raising=False)
    return tmp_path


def test_gap_as_a_table(gap: Path) -> None:
    outcome = CliRunner().invoke(app, ["evaluate", "gap", "--data", str(gap)])
    assert outcome.exit_code == 0, outcome.stderr
    assert "by-hand on GAP test, threshold 0.01" in outcome.stdout
    assert outcome.stdout.count("100.0") == 9  # three rates, overall, feminine and with at most one name


def test_gap_as_json_with_predictions(gap: Path) -> None:
    out = gap / "out.tsv"
    outcome = CliRunner().invoke(app, ["evaluate", "gap", "--data", str(gap), "--json", "--predictions", str(out)])
    assert outcome.exit_code == 0, outcome.stderr
    result = json.loads(outcome.stdout)
    assert (result["schema"], result["f1"], result["instances"]) == ("petra.evaluation/1", 100.0, 1)
    assert out.read_text() == "sample-1\tTRUE\tFALSE\n"


def test_gap_of_people_of_the_other_gender(gap: Path) -> None:
    (gap / "names").mkdir()
    (gap / "names/female.txt").write_text("Ada\nRuth\n")
    (gap / "names/male.txt").write_text("Bert\nHugo\n")
    options = ["evaluate", "gap", "--data", str(gap), "--swap-gender"]
    outcome = CliRunner().invoke(app, [*options, "--json"])
    assert outcome.exit_code == 0, outcome.stderr
    result = json.loads(outcome.stdout)
    assert (result["swap_gender"], result["masculine_f1"], result["feminine_f1"]) == (True, 100.0, 0.0)
    assert "everybody of the other gender" in " ".join(CliRunner().invoke(app, options).stdout.split())


def test_predictions_of_any_system(gap: Path) -> None:
    (gap / "out.tsv").write_text("sample-1\tTRUE\tTRUE\n")
    outcome = CliRunner().invoke(app, ["evaluate", "predictions", str(gap / "out.tsv"), "--data", str(gap), "--json"])
    assert outcome.exit_code == 0, outcome.stderr
    result = json.loads(outcome.stdout)
    assert (result["precision"], result["recall"]) == (50.0, 100.0)
    table = CliRunner().invoke(app, ["evaluate", "predictions", str(gap / "out.tsv"), "--data", str(gap)])
    assert "66.7" in table.stdout


def test_count(gap: Path) -> None:
    outcome = CliRunner().invoke(app, ["evaluate", "count", "--data", str(gap), "--json"])
    assert outcome.exit_code == 0, outcome.stderr
    result = json.loads(outcome.stdout)
    assert (result["error_best"], result["error_two_fold"], result["documents"]) == (1, 1, 1)
    table = CliRunner().invoke(app, ["evaluate", "count", "--data", str(gap)])
    assert "two-fold" in table.stdout


def test_litbank(tmp_path: Path, tiny_tracker: Tracker, monkeypatch: pytest.MonkeyPatch) -> None:
    write_litbank(tmp_path)
    monkeypatch.setattr(petra, "load", lambda model, **options: tiny_tracker, raising=False)
    options = ["evaluate", "litbank", "--data", str(tmp_path), "--split", "validation", "--fold", "3"]
    outcome = CliRunner().invoke(app, [*options, "--json"])
    assert outcome.exit_code == 0, outcome.stderr
    result = json.loads(outcome.stdout)
    assert (result["schema"], result["split"], result["fold"]) == ("petra.evaluation/1", "validation", 3)
    table = CliRunner().invoke(app, options)
    assert "LitBank validation, fold 3" in " ".join(table.stdout.split())
    assert f"{result['mention_f1']:.1f}" in table.stdout


def test_quotes(tmp_path: Path, tiny_tracker: Tracker, monkeypatch: pytest.MonkeyPatch) -> None:
    write_litbank(tmp_path)
    for text in (tmp_path / "litbank/coref").glob("*.txt"):
        path = tmp_path / "litbank/quotations/tsv" / f"{text.stem}.ann"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('QUOTE\tQ1\t1\t0\t1\t6\t" I am a nurse , "\nATTRIB\tQ1\tAda_Vale-0\n', encoding="utf-8")
    monkeypatch.setattr(petra, "load", lambda model, **options: tiny_tracker, raising=False)
    options = ["evaluate", "quotes", "--data", str(tmp_path), "--split", "dev", "--fold", "3"]
    outcome = CliRunner().invoke(app, [*options, "--json"])
    assert outcome.exit_code == 0, outcome.stderr
    result = json.loads(outcome.stdout)
    assert (result["schema"], result["split"], result["fold"]) == ("petra.evaluation/1", "validation", 3)
    assert result["span_f1"] == 100  # the one quotation of each document
    table = CliRunner().invoke(app, options)
    assert "quotations of LitBank validation, fold 3" in " ".join(table.stdout.split())


def test_gum(tmp_path: Path, tiny_tracker: Tracker, monkeypatch: pytest.MonkeyPatch) -> None:
    write_gum(tmp_path)
    monkeypatch.setattr(petra, "load", lambda model, **options: tiny_tracker, raising=False)
    options = ["evaluate", "gum", "--data", str(tmp_path)]
    outcome = CliRunner().invoke(app, [*options, "--json"])
    assert outcome.exit_code == 0, outcome.stderr
    result = json.loads(outcome.stdout)
    assert (result["schema"], result["split"]) == ("petra.evaluation/1", "dev")
    assert list(result["genres"]) == ["bio"]
    table = CliRunner().invoke(app, options)
    assert "GUM dev, people, mentions by head word" in " ".join(table.stdout.split())
    assert f"{result['head']['mention_f1']:.1f}" in table.stdout


def test_winobias(tmp_path: Path, tiny_tracker: Tracker, monkeypatch: pytest.MonkeyPatch) -> None:
    write_winobias(tmp_path)
    monkeypatch.setattr(petra, "load", lambda model, **options: tiny_tracker, raising=False)
    options = ["evaluate", "winobias", "--data", str(tmp_path)]
    outcome = CliRunner().invoke(app, [*options, "--json"])
    assert outcome.exit_code == 0, outcome.stderr
    result = json.loads(outcome.stdout)
    assert (result["schema"], result["split"], result["sentences"]) == ("petra.evaluation/1", "dev", 8)
    table = CliRunner().invoke(app, options)
    assert "WinoBias dev, accuracy" in table.stdout
    assert CliRunner().invoke(app, [*options, "--split", "test"]).exit_code == 1


def test_books(tmp_path: Path, tiny_tracker: Tracker, monkeypatch: pytest.MonkeyPatch) -> None:
    write_pdnc(tmp_path)
    monkeypatch.setattr(petra, "load", lambda model, **options: tiny_tracker, raising=False)
    options = ["evaluate", "books", "--data", str(tmp_path)]
    outcome = CliRunner().invoke(app, [*options, "TheCafe", "--json"])
    assert outcome.exit_code == 0, outcome.stderr
    result = json.loads(outcome.stdout)
    assert result["schema"] == "petra.evaluation/1"
    assert list(result["novels"]) == ["TheCafe"]
    assert {"names", "you", "third_person", "nominals", "b_cubed", "conll", "speakers", "speakers_explicit"} | {
        *("speakers_anaphoric", "speakers_implicit", "major_share")
    } <= result["mean"].keys()
    table = CliRunner().invoke(app, options)
    assert "on whole novels" in table.stdout
    assert "Ada Vale" in table.stdout


@pytest.mark.parametrize(("corpus", "title"), [("gum", "people of GUM"), ("litbank", "people of LitBank")])
def test_count_in_a_corpus(
    corpus: str, title: str, tmp_path: Path, tiny_tracker: Tracker, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_gum(tmp_path)
    write_litbank(tmp_path)
    monkeypatch.setattr(petra, "load", lambda model, **options: tiny_tracker, raising=False)
    options = ["evaluate", "count", "--corpus", corpus, "--data", str(tmp_path)]
    outcome = CliRunner().invoke(app, [*options, "--json"])
    assert outcome.exit_code == 0, outcome.stderr
    result = json.loads(outcome.stdout)
    assert (result["corpus"], result["documents"], result["everybody"]["annotated"]) == (corpus, 1, 3)
    table = CliRunner().invoke(app, options)
    assert title in " ".join(table.stdout.split())
    assert "best constant" in table.stdout


def test_plain(tiny_tracker: Tracker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(petra, "load", lambda model, **options: tiny_tracker, raising=False)
    outcome = CliRunner().invoke(app, ["evaluate", "plain", "--json"])
    assert outcome.exit_code == 0, outcome.stderr
    result = json.loads(outcome.stdout)
    assert (result["schema"], result["short"]["texts"], result["long"]["texts"]) == ("petra.evaluation/1", 120, 10)
    table = CliRunner().invoke(app, ["evaluate", "plain"])
    assert "right in percent" in " ".join(table.stdout.split())
    assert f"mention F1 {result['long']['mention_f1']:.1f}" in " ".join(table.stdout.split())


def test_a_fold_that_does_not_exist_is_wrong_usage() -> None:
    assert CliRunner().invoke(app, ["evaluate", "litbank", "--fold", "10"]).exit_code == 2


def test_a_missing_file_is_told_before_a_model_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PETRA_DATA", raising=False)
    outcome = CliRunner().invoke(app, ["evaluate", "gap"])
    assert outcome.exit_code == 1
    assert "PETRA_DATA" in outcome.stderr
