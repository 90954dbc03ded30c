from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from human_study import answer, judged_study

from petra.study.results import tables
from petra.study.results.analysis import analyse
from petra.study.results.report import report_json, write_report

ORDERS = [[(0, 1), (1, 0)], [(0, 1), (0, 1)]]
ANSWERS = [
    answer(1, 0, "A", "clear", seconds=40),
    answer(1, 1, "neutral", '=HYPERLINK("http://x")'),
    answer(2, 0, "A"),
    answer(2, 1, "B", "two\nlines, and a <b>"),
]  # one, neutral; one, two
FILES = {
    "agreement.csv",
    *(f"{name}.{form}" for name in ("agreement", "leads", "preferences") for form in ("pdf", "png", "svg")),
    "agreement-matrix.csv",
    "annotators.csv",
    "answers.csv",
    "differences.csv",
    "documents.csv",
    "preferences.csv",
    "report.html",
    "report.json",
    "report.md",
}


def test_the_tables_of_a_study() -> None:
    study = judged_study(ORDERS)
    analysis = analyse(study, ANSWERS)
    assert tables.preference_table(study, analysis).texts() == [
        ["one", "2", "50.0", "15.0", "85.0"],
        ["two", "1", "25.0", "4.6", "69.9"],
        ["Neutral", "1", "25.0", "4.6", "69.9"],
    ]
    assert tables.agreement_summary(study, analysis).texts() == [
        ["agree", "1", "50.0"],
        ["one or two", "0", "0.0"],
        ["one or Neutral", "0", "0.0"],
        ["two or Neutral", "1", "50.0"],
    ]
    assert tables.agreement_table(study, analysis).texts() == [
        ["one", "1", "0", "0"],
        ["two", "0", "0", "0"],
        ["Neutral", "0", "1", "0"],
    ]
    assert tables.document_table(study, analysis).texts() == [["d1", "one", "one"], ["d2", "Neutral", "two"]]
    assert tables.progress_table(study, analysis).texts() == [
        ["1", "1", "2", "2", "40.0", "0.7"],
        ["2", "2", "2", "2", "–", "–"],
    ]


def test_the_papers_numbers_stand_beside_ours() -> None:
    study = judged_study(ORDERS, is_paper=True)
    analysis = analyse(study, ANSWERS)
    assert [row[-1] for row in tables.preference_table(study, analysis).rows] == [74, 8, 18]
    assert [row[-1] for row in tables.agreement_summary(study, analysis).rows] == [68, 8, 24, 0]


def test_a_study_without_answers_has_a_report(tmp_path: Path) -> None:
    study = judged_study(ORDERS)
    write_report(tmp_path, study, analyse(study, []))
    assert {path.name for path in tmp_path.iterdir()} == FILES
    values = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert (values["answers"], values["answers_expected"]) == (0, 4)
    assert [each["percent"] for each in values["preferences"]] == [None] * 3


def test_the_files_of_a_report(tmp_path: Path) -> None:
    study = judged_study(ORDERS)
    analysis = analyse(study, ANSWERS)
    write_report(tmp_path, study, analysis)
    assert {path.name for path in tmp_path.iterdir()} == FILES
    with (tmp_path / "answers.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["preferred"] for row in rows] == ["one", "Neutral", "one", "two"]
    assert [row["shown"] for row in rows][:2] == ["A = one, B = two", "A = two, B = one"]
    assert rows[1]["comment"] == '\'=HYPERLINK("http://x")'  # no formula in a spreadsheet
    assert rows[3]["comment"] == "two\nlines, and a <b>"
    assert rows[0]["at"] == "2026-03-01T12:30:00+00:00"
    values = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert values == json.loads(json.dumps(report_json(study, analysis)))
    assert values["schema"] == "petra.study-report/1"
    assert values["preferences"][0] == {
        "preferred": "one",
        "answers": 2,
        "percent": {"value": 50.0, "low": 15.0, "high": 85.0},
    }
    assert values["agreement"]["matrix"] == [[1, 0, 0], [0, 0, 0], [0, 1, 0]]
    assert values["judgements"][1]["comment"] == '=HYPERLINK("http://x")'
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<h1>Human evaluation: one and two</h1>" in page
    assert "data:image/svg+xml;base64," in page
    for file in tmp_path.iterdir():
        assert b"token-of-annotator" not in file.read_bytes()  # links stay private


def test_without_matplotlib_there_is_no_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petra.study.results.report.find_spec", lambda name: None)
    study = judged_study(ORDERS)
    write_report(tmp_path, study, analyse(study, ANSWERS))
    assert {path.name for path in tmp_path.iterdir()} == {
        name for name in FILES if not name.endswith((".pdf", ".png", ".svg"))
    }
    assert "<img" not in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_the_same_answers_give_the_same_files(tmp_path: Path) -> None:
    study = judged_study(ORDERS)
    for name in ("one", "two"):
        write_report(tmp_path / name, study, analyse(study, ANSWERS))
    for name in FILES:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
