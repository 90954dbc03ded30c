from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from gap_corpus import write_gap_corpus
from litbank_samples import write_litbank
from typer.testing import CliRunner

import petra
from petra.bench.backend_scores import with_earlier
from petra.cli.app import app
from petra.encoder.backends import choosing
from petra.evaluation.litbank import evaluate_litbank
from petra.evaluation.runs import evaluate_gap


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write_gap_corpus(tmp_path / "data")
    write_litbank(tmp_path / "data")
    return tmp_path / "data"


def test_back_ends_are_scored_and_recorded(
    tiny_model: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choosing, "find_spec", lambda name: None)
    monkeypatch.setattr(choosing, "cpu_has_bf16", lambda: True)
    folder = shutil.copytree(tiny_model, tmp_path / "model")
    options = ["evaluate", "backends", "--model", str(folder), "--data", str(data), "--windows", "16", "2"]
    outcome = CliRunner().invoke(app, [*options, "--out", str(folder / "backends.json")])
    assert outcome.exit_code == 0, outcome.stderr
    found = json.loads(outcome.stdout)
    assert found == json.loads((folder / "backends.json").read_text(encoding="utf-8"))
    assert (found["window"], found["margin"]) == (16, 2)
    assert list(found["backends"]) == ["torch-bf16", "torch"]
    tracker = petra.load(folder, device="cpu", backend="torch")  # which reads the record: windows of 16 tokens
    assert (tracker.encoder.config.window, tracker.encoder.config.margin) == (16, 2)
    assert found["backends"]["torch"]["scores"] == {
        "gap_validation_f1": round(evaluate_gap(tracker, data, "validation", by_mention=True).score.overall.f1, 2),
        "litbank_validation_conll": round(evaluate_litbank(tracker, data, "validation").score.conll, 2),
    }
    trained = petra.load(tiny_model, device="cpu", backend="torch")
    assert (found["reference"]["window"], found["reference"]["margin"]) == (20, trained.encoder.config.margin)
    expected = round(evaluate_gap(trained, data, "validation", by_mention=True).score.overall.f1, 2)
    assert found["reference"]["scores"]["gap_validation_f1"] == expected


def test_windows_are_those_of_the_record_unless_given(tiny_model: Path, data: Path) -> None:
    options = ["evaluate", "backends", "--model", str(tiny_model), "--data", str(data), "--backend", "torch"]
    outcome = CliRunner().invoke(app, options)
    assert outcome.exit_code == 0, outcome.stderr
    found = json.loads(outcome.stdout)
    assert found["window"] == found["reference"]["window"] == 20
    assert found["backends"] == {"torch": {"scores": found["reference"]["scores"]}}


def test_a_record_keeps_back_ends_measured_elsewhere() -> None:
    same = {"schema": "petra.backends/1", "sha256": "a", "window": 384, "margin": 64}
    found = {**same, "backends": {"torch": {"scores": {"f1": 2}}}}
    earlier = {**same, "backends": {"torch": {"scores": {"f1": 1}}, "torch-bf16": {"scores": {"f1": 3}}}}
    merged = with_earlier(found, earlier)
    assert merged["backends"] == {"torch": {"scores": {"f1": 2}}, "torch-bf16": {"scores": {"f1": 3}}}
    assert with_earlier(found, {**earlier, "sha256": "b"}) == found  # of other weights
    assert with_earlier(found, {**earlier, "margin": 32}) == found  # of other windows
