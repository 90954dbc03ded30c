from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from gap_samples import row, write_gap
from human_study import Server, small_study
from tiny import tiny_reader
from typer.testing import CliRunner, Result

from petra.cli.app import app
from petra.study.answers import Answers
from petra.study.databases import database_of
from petra.study.storage import read_study


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["study", *map(str, arguments)])


@pytest.fixture
def reader(tiny_encoder: Path, tmp_path: Path) -> Path:
    return tiny_reader(tmp_path / "tiny-reader", tiny_encoder)


@pytest.fixture
def corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    rows = [row(ID=f"validation-{number}") for number in range(1, 61)]
    write_gap(tmp_path / "corpora" / "gap" / "gap-validation.tsv", *rows)
    monkeypatch.setenv("PETRA_DATA", str(tmp_path / "corpora"))
    return tmp_path / "corpora"


# new


def test_the_papers_study_is_one_command(
    corpora: Path, tiny_model: Path, reader: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("petra.study.making.PAPER_MODELS", (str(tiny_model), str(reader)))
    outcome = run("new", "--paper", tmp_path / "study", "--device", "cpu")
    assert (outcome.exit_code, outcome.stdout) == (0, "")
    assert "A study of 50 documents for 10 annotators" in outcome.stderr
    assert f"petra study serve {tmp_path / 'study'}" in outcome.stderr
    study = read_study(tmp_path / "study")
    assert study.is_paper
    assert [model.name for model in study.models] == ["tiny", "tiny-reader"]
    assert [len(annotator.tasks) for annotator in study.annotators] == [10] * 10
    assert len(set(study.documents)) == 50


def test_a_pilot_has_documents_of_its_own(corpora: Path, tiny_model: Path, reader: Path, tmp_path: Path) -> None:
    models = ("--model", tiny_model, "--model", reader, "--device", "cpu")
    assert run("new", tmp_path / "study", *models, "--contact", "lab@example.org").exit_code == 0
    outcome = run("new", tmp_path / "pilot", *models, "--pilot")
    assert (outcome.exit_code, outcome.stdout) == (0, "")
    assert "A pilot of 4 documents for 2 annotators" in outcome.stderr
    study, pilot = read_study(tmp_path / "study"), read_study(tmp_path / "pilot")
    assert (study.is_pilot, pilot.is_pilot) == (False, True)
    assert not set(study.documents) & set(pilot.documents)
    assert "write to lab@example.org" in study.consent
    assert "whoever sent you the link" in pilot.consent
    refused = run("new", tmp_path / "other", *models, "--pilot", "--draw", 60)
    assert refused.exit_code == 1
    assert "of 60 there are 0 left" in refused.stderr


def test_power_is_told_in_words_and_as_json() -> None:
    said = run("power")
    assert said.stdout.startswith("146 documents with 2 answers each, by 30 annotators, tell 60 from 50 % in 80 % of")
    found = json.loads(run("power", "--neutral", "0", "--correlation", "0", "--json").stdout)
    assert found == {"schema": "petra.study-power/1", "answers": 194, "documents": 97, "annotators": 20}


def test_the_papers_study_without_its_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petra.study.making.PAPER_MODELS", ("paper-petra-8", "no-such-model"))
    outcome = run("new", "--paper", tmp_path / "study")
    assert outcome.exit_code == 1
    assert "no-such-model" in outcome.stderr
    assert "petra study new DIR --model paper-petra-8 --model FOLDER" in outcome.stderr
    assert not (tmp_path / "study").exists()


def test_a_study_by_options(tiny_model: Path, reader: Path, tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.txt").write_text(f"Lena met Paul {number} times.")
    (tmp_path / "how.txt").write_text("Look closely.")
    documents = [word for number in range(3) for word in ("--documents", str(tmp_path / f"{number}.txt"))]
    models = ["--model", str(tiny_model), "--model", str(reader), "--device", "cpu"]
    sets = ["--set-size", "2", "--rounds", "3", "--seed", "7"]
    words = ["--title", "Whom does it mean?", "--instructions", str(tmp_path / "how.txt")]
    assert run("new", tmp_path / "study", *models, *documents, *sets, *words).exit_code == 0
    study = read_study(tmp_path / "study")
    assert not study.is_paper
    assert (study.title, study.instructions, study.seed) == ("Whom does it mean?", "Look closely.", 7)
    assert sorted(study.documents) == [str(tmp_path / f"{number}.txt") for number in range(3)]
    assert [len(annotator.tasks) for annotator in study.annotators] == [2, 1] * 3
    again = run("new", tmp_path / "study", *models, *documents)
    assert again.exit_code == 1
    assert "holds a study already" in again.stderr


def test_models_of_one_name_are_told_apart_by_their_folders(tiny_model: Path, corpora: Path, tmp_path: Path) -> None:
    twin = tmp_path / "twin"
    twin.mkdir()
    for file in tiny_model.iterdir():
        (twin / file.name).write_bytes(file.read_bytes())
    models = ["--model", str(tiny_model), "--model", str(twin), "--device", "cpu"]
    assert run("new", tmp_path / "study", *models, "--documents", "validation-3", "--cells", "6").exit_code == 0
    study = read_study(tmp_path / "study")
    assert [(model.name, model.cells) for model in study.models] == [(str(tiny_model), 6), (str(twin), 6)]
    assert study.documents == ("validation-3",)


def test_wrong_usage(tiny_model: Path, tmp_path: Path) -> None:
    assert run("new", tmp_path / "s").exit_code == 2
    assert run("new", tmp_path / "s", "--model", tiny_model).exit_code == 2
    assert run("new", tmp_path / "s", "--paper", "--rounds", "3").exit_code == 2
    assert run("new", tmp_path / "s", "--paper", "--model", tiny_model).exit_code == 2
    small_study(tmp_path / "study")
    for url in ("study.example.org", "ftp://host", "https://host/folder", "https://"):
        assert run("links", tmp_path / "study", "--url", url).exit_code == 2
    assert run("serve", tmp_path / "study", "--port", "70000").exit_code == 2


def test_what_is_missing_is_told_before_a_model_is_loaded(tmp_path: Path) -> None:
    models = ["--model", "no-such-model", "--model", "nor-this"]
    outcome = run("new", tmp_path / "s", *models, "--documents", tmp_path / "none.txt")
    assert outcome.exit_code == 1
    assert "There is no document" in outcome.stderr
    assert run("report", tmp_path / "none").exit_code == 1
    assert run("serve", tmp_path / "none").exit_code == 1


# links, serve


def test_links_name_every_annotator(tmp_path: Path) -> None:
    study = small_study(tmp_path / "study")
    outcome = run("links", tmp_path / "study", "--url", "https://study.example.org/")
    assert outcome.stdout.splitlines() == [
        f"annotator {each.number}\thttps://study.example.org/a/{each.token}" for each in study.annotators
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_serve_prints_links_that_work_and_ends_on_ctrl_c(tmp_path: Path) -> None:
    study = small_study(tmp_path / "study")
    server = Server(tmp_path / "study")
    assert [link.rpartition("/")[2] for link in server.links] == [each.token for each in study.annotators]
    with urlopen(server.links[0]) as answer:
        assert answer.status == 200
    server.process.send_signal(signal.SIGINT)
    _, remarks = server.process.communicate(timeout=30)
    assert server.process.returncode == 130
    assert f"Answers are kept in sqlite:///{tmp_path / 'study' / 'answers.sqlite'}" in remarks
    assert "Traceback" not in remarks


def test_serving_needs_no_model(tmp_path: Path) -> None:
    code = (
        "import sys\nimport petra.cli.study, petra.web.study.app, petra.study.results.report\n"
        "print(sorted({'torch', 'transformers', 'matplotlib'} & set(sys.modules)))"
    )
    outcome = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert outcome.stdout.strip() == "[]"


def test_a_port_in_use_is_told(tmp_path: Path) -> None:
    small_study(tmp_path / "study")
    server = Server(tmp_path / "study")
    try:
        outcome = run("serve", tmp_path / "study", "--port", server.port)
    finally:
        server.kill()
    assert outcome.exit_code == 1
    assert f"Port {server.port} of 127.0.0.1 cannot be used" in outcome.stderr


# report


def answered(folder: Path) -> None:
    study = read_study(folder)
    with Answers(database_of(folder), study.id) as answers:
        for annotator in study.annotators:
            for place, task in enumerate(annotator.tasks):
                choice = "A" if task.order[0] == 0 else "B"  # always the good model
                answers.save(annotator=annotator.number, place=place, choice=choice, comment="", based_on=0)


def test_a_report_in_the_terminal_and_as_files(tmp_path: Path) -> None:
    small_study(tmp_path / "study")
    empty = run("report", tmp_path / "study")
    assert (empty.exit_code, "0 of 8 answers are in" in empty.stderr) == (0, True)
    answered(tmp_path / "study")
    outcome = run("report", tmp_path / "study", "--out", tmp_path / "out")
    assert outcome.exit_code == 0
    assert "8 of 8 answers are in" in outcome.stderr
    assert "100.0" in outcome.stdout
    assert "Agreement matrix" in outcome.stdout
    assert (tmp_path / "out" / "report.html").exists()


def test_a_report_as_json(tmp_path: Path) -> None:
    small_study(tmp_path / "study")
    answered(tmp_path / "study")
    values: dict[str, Any] = json.loads(run("report", tmp_path / "study", "--json").stdout)
    assert values["preferences"][0]["preferred"] == "good"
    assert values["preferences"][0]["percent"]["value"] == 100
    assert values["agreement"]["agreeing"] == values["agreement"]["compared"] == 4


def test_the_database_may_be_named_by_a_variable(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = small_study(tmp_path / "study")
    with Answers(database, study.id) as answers:
        answers.save(annotator=1, place=0, choice="A", comment="", based_on=0)
    monkeypatch.setenv("PETRA_STUDY_DATABASE", database)
    assert "1 of 8 answers are in" in run("report", tmp_path / "study").stderr


def test_a_report_can_be_made_while_annotators_answer(tmp_path: Path) -> None:
    small_study(tmp_path / "study")
    server = Server(tmp_path / "study")
    try:
        answered(tmp_path / "study")
        assert "8 of 8 answers are in" in run("report", tmp_path / "study").stderr
    finally:
        server.kill()


def test_without_sqlalchemy_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_study(tmp_path / "study")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    outcome = run("report", tmp_path / "study")
    assert outcome.exit_code == 1
    assert "pip install 'petra[web]'" in outcome.stderr
