from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from exported_story import TEXT, story
from typer.testing import CliRunner, Result

from petra.cli.app import app
from petra.log.storage import save
from petra.report.export.stored import read_stored
from petra.report.values.as_json import dump
from petra.tracker import Tracker

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tiny_model: Path) -> Run:
    """Runs petra in a folder with a tracking and its text."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PETRA_MODEL", str(tiny_model))
    (tmp_path / "stories").mkdir()
    (tmp_path / "stories/ada.txt").write_bytes(TEXT.encode())
    (tmp_path / "ada.json").write_text(dump(story().to_dict()), encoding="utf-8")

    def invoke(*arguments: str | Path) -> Result:
        return CliRunner().invoke(app, [str(argument) for argument in arguments])

    return invoke


def test_the_main_file_goes_to_stdout(run: Run) -> None:
    outcome = run("export", "ada.json", "--to", "csv")
    assert (outcome.exit_code, outcome.stderr, outcome.stdout) == (0, "", story().to_csv())
    assert run("export", "ada.json", "--to", "csv", "--table", "people").stdout == story().to_csv("people")


def test_a_tracking_read_back_gives_the_same_of_every_format(run: Run, tmp_path: Path) -> None:
    for name in ("tei", "conll2012", "corefud", "webanno", "jsonl"):
        assert run("export", "ada.json", "--to", name).stdout_bytes.decode() == next(
            iter(story().export(name).values())
        )


def test_a_slash_at_the_end_names_a_folder(run: Run, tmp_path: Path) -> None:
    assert run("export", "ada.json", "--to", "tei", "--out", "texts/tei/").exit_code == 0
    assert (tmp_path / "texts/tei/ada.xml").read_text(encoding="utf-8") == story().to_tei()
    run("track", "stories/ada.txt", "--html", "pages/", "--log", "logs/", "--save-text", "plain/")
    assert [(tmp_path / place).is_file() for place in ("pages/ada.html", "logs/ada.log", "plain/ada.txt")] == [True] * 3
    refused = run("export", "ada.json", "--to", "tei", "--out", "ada.json/")
    assert refused.exit_code == 2
    assert "cannot be made" in " ".join(refused.stderr.replace("│", " ").split())


def test_files_stand_beside_the_one_named_or_in_a_folder(run: Run, tmp_path: Path) -> None:
    outcome = run("export", "ada.json", "--to", "csv", "--out", "out/people.csv")
    assert outcome.stderr == "csv written to out/people.csv, people.people.csv, people.quotations.csv.\n"
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == [
        *("people.csv", "people.people.csv", "people.quotations.csv")
    ]
    run("export", "ada.json", "--to", "brat", "--out", "brat")
    assert sorted(file.name for file in (tmp_path / "brat").iterdir()) == ["ada.ann", "ada.txt", "annotation.conf"]
    run("export", "ada.json", "--to", "tei", "--out", "ada.xml")
    assert (tmp_path / "ada.xml").read_text(encoding="utf-8") == story().to_tei()


def test_a_text_in_the_place_of_brats_stays_as_it_is(run: Run, tmp_path: Path) -> None:
    before = (tmp_path / "stories/ada.txt").stat().st_mtime_ns
    outcome = run("export", "ada.json", "--to", "brat", "--out", "stories/ada.ann")
    assert outcome.stderr == "brat written to stories/ada.ann, annotation.conf.\n"
    assert (tmp_path / "stories/ada.txt").stat().st_mtime_ns == before


def test_nothing_that_is_read_is_overwritten(run: Run, tmp_path: Path) -> None:
    outcome = run("export", "ada.json", "--to", "resolved", "--out", "stories/ada.txt")
    assert outcome.exit_code == 1
    assert outcome.stderr == (
        "error: stories/ada.txt would be overwritten, and is what is read. Give another place with --out.\n"
    )
    assert run("export", "ada.json", "--to", "csv", "--out", "ada.json").exit_code == 2
    assert (tmp_path / "stories/ada.txt").read_bytes() == TEXT.encode()


def test_the_text_is_looked_for_beside_the_tracking_or_given(run: Run, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "stories/ada.txt").rename(tmp_path / "elsewhere/ada.txt")
    outcome = run("export", "ada.json", "--to", "tei")
    assert (outcome.exit_code, outcome.stderr) == (
        1,
        "error: ada.json: the text that it is about is not at 'stories/ada.txt'. Give the text with --text FILE.\n",
    )
    assert (
        run("export", "ada.json", "--to", "tei", "--text", "elsewhere/ada.txt").stdout_bytes.decode()
        == story().to_tei()
    )
    (tmp_path / "ada.json").rename(tmp_path / "elsewhere/ada.json")
    assert run("export", "elsewhere/ada.json", "--to", "tei").exit_code == 0


def test_another_text_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "stories/ada.txt").write_text("Another text.", encoding="utf-8")
    outcome = run("export", "ada.json", "--to", "csv")
    assert outcome.exit_code == 1
    assert outcome.stderr.startswith(
        f"error: ada.json: it is for a text of {len(TEXT)} characters, and this text has 13."
    )


def test_several_texts_need_a_folder_or_a_format_that_goes_on(run: Run, tmp_path: Path) -> None:
    values = story().to_dict()
    (tmp_path / "all.json").write_text(json.dumps([values, values]), encoding="utf-8")
    assert run("export", "all.json", "--to", "tei").exit_code == 2
    run("export", "all.json", "--to", "tei", "--out", "tei")
    assert sorted(file.name for file in (tmp_path / "tei").iterdir()) == ["ada-2.xml", "ada.xml"]
    lines = run("export", "all.json", "--to", "jsonl").stdout
    assert lines == story().to_jsonl() * 2
    assert run("export", "all.json", "--to", "jsonl", "--out", "two.jsonl").stderr == (
        "jsonl of 2 texts written to two.jsonl.\n"
    )
    assert (tmp_path / "two.jsonl").read_bytes().decode() == lines
    run("track", "stories/ada.txt", "stories/ada.txt", "--to", "conll2012", "--out", "two.conll")
    assert (tmp_path / "two.conll").read_text(encoding="utf-8").count("#begin document (ada)") == 2
    (tmp_path / "stories/ada.txt").unlink()  # the lines hold their texts
    (tmp_path / "all.jsonl").write_bytes(lines.encode())
    assert run("export", "all.jsonl", "--to", "conll2012").stdout.count("#begin document (ada)") == 2


def test_a_memory_log_is_exported(run: Run, tmp_path: Path, tiny_tracker: Tracker) -> None:
    tracking = tiny_tracker.track(TEXT, source="ada.log")
    save(tracking.log, tmp_path / "ada.log")
    assert run("export", "ada.log", "--to", "tei").stdout_bytes.decode() == tracking.to_tei()


def test_what_is_no_tracking_is_told(run: Run) -> None:
    outcome = run("export", "stories/ada.txt", "--to", "csv")
    assert outcome.exit_code == 1
    assert "stories/ada.txt is no JSON and no memory log" in outcome.stderr
    assert run("export", "ada.json", "--to", "docx").exit_code == 2
    assert run("export", "ada.json", "--to", "gexf", "--within", "page").exit_code == 2


def test_quotations_have_to_fit(run: Run, tmp_path: Path) -> None:
    values = story().to_dict()
    values["quotations"][0]["speaker"] = 9
    (tmp_path / "ada.json").write_text(json.dumps(values), encoding="utf-8")
    outcome = run("export", "ada.json", "--to", "csv")
    assert outcome.stderr == "error: ada.json: quotation 1: the speaker is 9, and no person has that id.\n"
    values["quotations"][0] |= {"speaker": 1, "end": 900}
    (tmp_path / "ada.json").write_text(json.dumps(values), encoding="utf-8")
    assert "quotation 1 goes from 41 to 900" in run("export", "ada.json", "--to", "csv").stderr


def test_ids_and_probabilities_are_kept(tmp_path: Path) -> None:
    values = story().to_dict() | {"text": TEXT}
    values["people"][2]["id"] = 30
    (tmp_path / "ada.json").write_text(json.dumps(values), encoding="utf-8")
    (tracked,) = read_stored(tmp_path / "ada.json")
    assert [person.id for person in tracked.people] == [1, 2, 30]
    assert tracked.people[0].mentions == story().people[0].mentions


def test_track_writes_a_format(run: Run, tmp_path: Path, tiny_tracker: Tracker) -> None:
    tracking = tiny_tracker.track(TEXT, source="stories/ada.txt")
    assert run("track", "stories/ada.txt", "--to", "csv").stdout_bytes.decode() == tracking.to_csv()
    outcome = run("track", "stories/ada.txt", "--to", "tei", "--out", "ada.xml")
    assert outcome.exit_code == 0
    assert "Name" in outcome.stdout  # the table
    assert (tmp_path / "ada.xml").read_text(encoding="utf-8") == tracking.to_tei()
    assert run("track", "stories/ada.txt", "--json", "--to", "csv").exit_code == 2
    assert run("track", "stories/ada.txt", "--out", "ada.csv").exit_code == 2


def test_resolve_writes_the_text(run: Run, tmp_path: Path, tiny_tracker: Tracker) -> None:
    resolved = tiny_tracker.track(TEXT).to_resolved()
    assert run("resolve", "stories/ada.txt").stdout_bytes.decode() == resolved
    run("resolve", "stories/ada.txt", "--out", "resolved.txt")
    assert (tmp_path / "resolved.txt").read_text(encoding="utf-8") == resolved


def test_track_reads_a_page_and_saves_its_text(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("bs4")
    (tmp_path / "page.html").write_text("<p>Amelia met Paul.</p><p>She told him.</p>", encoding="utf-8")
    outcome = run("track", "page.html", "--json", "--save-text", "page.txt")
    assert (outcome.exit_code, outcome.stderr) == (0, "Text written to page.txt.\n")
    text = (tmp_path / "page.txt").read_text(encoding="utf-8")
    assert text == "Amelia met Paul.\n\nShe told him.\n"
    found = json.loads(outcome.stdout)
    assert all(
        text[mention["start"] : mention["end"]] == mention["text"]
        for person in found["people"]
        for mention in person["mentions"]
    )
    (tmp_path / "page.json").write_text(outcome.stdout, encoding="utf-8")
    assert run("export", "page.json", "--to", "csv").stdout == run("track", "page.html", "--to", "csv").stdout


def test_track_warns_of_texts_that_it_may_read_wrongly(run: Run, tmp_path: Path) -> None:
    (tmp_path / "page.txt").write_text("<html><p>Amelia met Paul.</p></html>", encoding="utf-8")
    assert "page.txt looks like HTML or XML, and was read as plain text" in run("track", "page.txt").stderr
    (tmp_path / "brief.txt").write_text("Der Seemann schrieb einen Brief an seine Frau. " * 9, encoding="utf-8")
    assert run("track", "brief.txt").stderr.startswith("warning: brief.txt does not look English.")
    (tmp_path / "old.txt").write_bytes("Zoë met Paul.".encode("cp1252"))
    assert run("track", "old.txt").exit_code == 1
    assert run("track", "old.txt", "--encoding", "windows-1252").exit_code == 0
