from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from petra.cli.app import app
from petra.errors import LogError
from petra.log.storage import load as load_log
from petra.people.finding import find_people
from petra.tracker import Tracker

STORY = (
    "Amelia Shepherd met Paul at the house of Lena Brook. She told him that his sister saw the king, "
    'and he said: "Who is she?" Doctor Paul Brook was her friend.\n'
) * 3

Track = Callable[..., Result]


@pytest.fixture
def track(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> Track:
    """Runs `petra track` with the tiny model."""
    monkeypatch.setenv("PETRA_MODEL", str(tiny_model))

    def run(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(app, ["track", "--device", "cpu", *map(str, arguments)], input=stdin)

    return run


@pytest.fixture
def story(tmp_path: Path) -> Path:
    return written(tmp_path / "story.txt", STORY)


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def test_a_table(track: Track, story: Path, tiny_tracker: Tracker) -> None:
    outcome = track(story)
    assert (outcome.exit_code, outcome.stderr) == (0, "")
    lines = outcome.stdout.splitlines()
    people = tiny_tracker.track(STORY).people
    assert lines[0].split() == ["Name", "Mentions", "Line", "Kinds", "Also", "called"]
    assert len(lines) == 1 + len(people)
    assert all(person.name in line for person, line in zip(people, lines[1:], strict=True))


def test_json_is_one_object(track: Track, story: Path, tiny_tracker: Tracker) -> None:
    outcome = track(story, "--json")
    assert (outcome.exit_code, outcome.stderr) == (0, "")
    assert json.loads(outcome.stdout) == tiny_tracker.track(STORY, source=str(story)).to_dict()


def test_json_of_several_files_is_an_array_in_their_order(track: Track, story: Path, tmp_path: Path) -> None:
    empty, other = written(tmp_path / "empty.txt", ""), written(tmp_path / "other.txt", "Paul met Lena.")
    outcome = track(other, story, empty, "--json")
    assert outcome.exit_code == 0
    found = json.loads(outcome.stdout)
    assert [tracking["source"] for tracking in found] == [str(other), str(story), str(empty)]
    assert [tracking["characters"] for tracking in found] == [14, len(STORY), 0]
    assert found[2]["people"] == []


def test_jsonl_is_a_line_for_each_text(track: Track, story: Path, tmp_path: Path) -> None:
    other = written(tmp_path / "other.txt", "Paul met Lena.\r\nShe said: \u2028 it was him.")
    outcome = track(story, other, "--jsonl")
    assert outcome.exit_code == 0
    found = [json.loads(line) for line in outcome.stdout.rstrip("\n").split("\n")]
    assert [tracking["source"] for tracking in found] == [str(story), str(other)]
    alone = track(story, "--jsonl")
    assert json.loads(alone.stdout)["people"] == found[0]["people"]


def test_tables_of_several_files_have_their_names(track: Track, story: Path, tmp_path: Path) -> None:
    other = written(tmp_path / "other.txt", " ")
    outcome = track(story, other)
    assert outcome.exit_code == 0
    lines = outcome.stdout.splitlines()
    assert lines[0] == str(story)
    assert lines[-3:] == ["", str(other), "No people were found."]


@pytest.mark.parametrize("arguments", [["-"], []], ids=["dash", "nothing"])
def test_standard_input(track: Track, arguments: list[str]) -> None:
    outcome = track(*arguments, "--json", stdin=STORY)
    assert outcome.exit_code == 0
    found = json.loads(outcome.stdout)
    assert (found["source"], found["characters"]) == ("-", len(STORY))


def test_without_a_file_on_a_terminal_the_usage_is_told(track: Track, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petra.cli.texts.sys.stdin", type("Terminal", (), {"isatty": lambda self: True})())
    from petra.cli.texts import given_files

    with pytest.raises(Exception, match="Name a text file, or give - to read standard input"):
        given_files(None)


def test_wrong_usage(track: Track, story: Path) -> None:
    assert track(story, "--json", "--jsonl").exit_code == 2
    assert track("-", "-").exit_code == 2
    assert track(story, "--threshold", "1.5").exit_code == 2
    assert track(story, "--cells", "0").exit_code == 2


@pytest.mark.parametrize("option", ["--html", "--log"])
def test_an_output_never_takes_the_place_of_the_text(track: Track, story: Path, option: str) -> None:
    outcome = track(story, option, story)
    assert outcome.exit_code == 2
    assert story.read_bytes() == STORY.encode()


def test_two_outputs_have_two_places(track: Track, story: Path, tmp_path: Path) -> None:
    assert track(story, "--html", tmp_path / "out", "--log", tmp_path / "out").exit_code == 2
    assert track(story, "--html", "-").exit_code == 2
    assert not (tmp_path / "out").exists()


def test_cells_and_threshold(track: Track, story: Path, tmp_path: Path) -> None:
    outcome = track(story, "--cells", "7", "--threshold", "0.125", "--log", tmp_path / "out.log", "--json")
    assert outcome.exit_code == 0
    log = load_log(tmp_path / "out.log")
    assert (log.num_cells, log.threshold) == (7, 0.125)


def test_a_log_holds_the_same_people(track: Track, story: Path, tmp_path: Path, tiny_tracker: Tracker) -> None:
    outcome = track(story, "--log", tmp_path / "logs" / "story.log")
    assert outcome.exit_code == 0
    assert outcome.stderr == f"Memory log written to {tmp_path / 'logs' / 'story.log'}.\n"
    log = load_log(tmp_path / "logs" / "story.log")
    assert log.text == STORY
    assert find_people(log) == tiny_tracker.track(STORY).people


def test_a_report(track: Track, story: Path, tmp_path: Path) -> None:
    outcome = track(story, "--html", tmp_path / "report.html")
    assert outcome.exit_code == 0
    assert "Name" in outcome.stdout  # the table comes as well
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "story.txt" in page
    assert "<mark" in page


def test_several_files_get_a_report_and_a_log_each(track: Track, story: Path, tmp_path: Path) -> None:
    same_name = written(tmp_path / "more" / "story.txt", "Paul met Lena.")
    out = tmp_path / "out"
    outcome = track(story, same_name, "-", "--html", out, "--log", out, stdin="Lena said: he is here.")
    assert outcome.exit_code == 0
    assert sorted(path.name for path in out.iterdir()) == [
        "stdin.html",
        "stdin.log",
        "story-2.html",
        "story-2.log",
        "story.html",
        "story.log",
    ]
    assert load_log(out / "story-2.log").text == "Paul met Lena."
    assert load_log(out / "stdin.log").text == "Lena said: he is here."


def test_one_file_can_be_put_into_a_folder_that_is_there(track: Track, story: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert track(story, "--html", tmp_path / "out").exit_code == 0
    assert (tmp_path / "out" / "story.html").is_file()


def test_several_files_and_one_file_for_all_is_told_before_anything(track: Track, story: Path, tmp_path: Path) -> None:
    out = written(tmp_path / "report.html", "old")
    outcome = track(story, story, "--html", out)
    assert (outcome.exit_code, outcome.stdout) == (1, "")
    assert "report.html is a file. With several texts give a folder" in outcome.stderr
    assert out.read_text() == "old"


# Bad input


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "No file at"),
        (b"\x89PNG\r\n\0\0", "is not a text"),
        ("Zo\u00eb".encode("latin-1"), "is not UTF-8: byte 2 is 0xeb"),
    ],
    ids=["missing", "binary", "latin-1"],
)
def test_a_bad_file_among_good_ones(
    track: Track, story: Path, tmp_path: Path, content: bytes | None, message: str
) -> None:
    bad = tmp_path / "bad.txt"
    if content is not None:
        bad.write_bytes(content)
    other = written(tmp_path / "other.txt", "Paul met Lena.")
    outcome = track(story, bad, other, "--jsonl")
    assert outcome.exit_code == 1
    assert outcome.stderr.startswith("error: ")
    assert message in outcome.stderr
    assert outcome.stderr.count("\n") == 1
    sources = [json.loads(line)["source"] for line in outcome.stdout.splitlines()]
    assert sources == [str(story), str(other)]
    alone = track(bad, "--json")
    assert (alone.exit_code, alone.stdout) == (1, "")
    assert message in alone.stderr


def test_a_missing_file_is_told_before_the_model_is_loaded(track: Track, tmp_path: Path) -> None:
    outcome = track(tmp_path / "nothing.txt", "--model", "no-such-model")
    assert outcome.exit_code == 1
    assert "No file at" in outcome.stderr
    assert "no-such-model" not in outcome.stderr


def test_the_texts_of_a_folder_are_read(track: Track, story: Path, tmp_path: Path) -> None:
    others = [written(tmp_path / name, "Paul met Lena.") for name in ("b/2.txt", "b/10.TXT", "a.md")]
    written(tmp_path / ".hidden.txt", "Paul")
    written(tmp_path / "b" / ".cache" / "x.txt", "Paul")
    written(tmp_path / "table.csv", "Paul,Lena")
    outcome = track(tmp_path, "--jsonl")
    assert outcome.exit_code == 0
    found = [json.loads(line)["source"] for line in outcome.stdout.splitlines()]
    assert found == [str(path) for path in (others[2], others[1], others[0], story)]


def test_a_folder_without_texts_is_told(track: Track, tmp_path: Path) -> None:
    outcome = track(tmp_path)
    assert outcome.exit_code == 1
    assert "holds no texts (.txt, .text, .md, .markdown, .epub, .docx, .pdf). Name files" in outcome.stderr


@pytest.mark.parametrize("text", ["", " \n\t\r\n"])
def test_an_empty_text_is_no_error(track: Track, tmp_path: Path, text: str) -> None:
    path = written(tmp_path / "empty.txt", text)
    outcome = track(path)
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (0, "No people were found.\n", "")
    outcome = track(path, "--json", "--html", tmp_path / "x.html", "--log", tmp_path / "x.log")
    assert outcome.exit_code == 0
    assert json.loads(outcome.stdout)["people"] == []
    assert load_log(tmp_path / "x.log").num_tokens == 0


def test_a_line_of_ten_megabytes_is_read(track: Track, tmp_path: Path) -> None:
    # Between the stories stand words so long that the tokenizer takes each for one token.
    line = (STORY.replace("\n", " ") + ("z" * 4000 + " ") * 10) * 250
    path = written(tmp_path / "line.txt", line)
    outcome = track(path, "--json")
    assert outcome.exit_code == 0
    found = json.loads(outcome.stdout)
    assert found["characters"] == len(line) > 10_000_000
    mentions = [mention for person in found["people"] for mention in person["mentions"]]
    assert all(line[mention["start"] : mention["end"]] == mention["text"] for mention in mentions)
    assert max(mention["start"] for mention in mentions) > len(line) - 50_000  # to its end


def test_a_long_line_without_a_space_is_read(track: Track, tmp_path: Path) -> None:
    path = written(tmp_path / "line.txt", "amelia" * 20_000)
    outcome = track(path, "--json")
    assert outcome.exit_code == 0
    assert json.loads(outcome.stdout)["characters"] == 120_000


def test_an_unknown_model(track: Track, story: Path) -> None:
    outcome = track(story, "--model", "base-12")
    assert (outcome.exit_code, outcome.stdout) == (1, "")
    assert "No model named 'base-12'" in outcome.stderr


def test_an_unknown_device(track: Track, story: Path) -> None:
    outcome = track(story, "--device", "abacus")
    assert outcome.exit_code == 1
    assert "No device named 'abacus'" in outcome.stderr


def test_damaged_weights(track: Track, story: Path, tiny_model: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(tiny_model, tmp_path / "damaged")
    content = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(content[:-10])
    outcome = track(story, "--model", folder)
    assert (outcome.exit_code, outcome.stdout) == (1, "")
    assert "is damaged" in outcome.stderr


def test_a_damaged_log_is_told_on_loading(track: Track, story: Path, tmp_path: Path) -> None:
    assert track(story, "--log", tmp_path / "story.log").exit_code == 0
    content = (tmp_path / "story.log").read_bytes()
    (tmp_path / "story.log").write_bytes(content[: len(content) // 2])
    with pytest.raises(LogError, match="is not a memory log, or it is damaged"):
        load_log(tmp_path / "story.log")


@pytest.mark.parametrize("option", ["--html", "--log"])
def test_what_cannot_be_written_is_told_and_the_result_is_not_lost(
    track: Track, story: Path, tmp_path: Path, option: str
) -> None:
    blocked = written(tmp_path / "file", "") / "out"  # below a file there is no folder
    outcome = track(story, option, blocked, "--json")
    assert outcome.exit_code == 1
    assert json.loads(outcome.stdout)["source"] == str(story)
    assert str(blocked) in outcome.stderr
    assert "error: " in outcome.stderr


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="permissions do not bind this user")
def test_a_file_that_may_not_be_read(track: Track, story: Path) -> None:
    story.chmod(0)
    outcome = track(story)
    assert outcome.exit_code == 1
    assert "permission denied" in outcome.stderr


def test_ctrl_c_ends_quietly_and_leaves_no_file(
    track: Track, story: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Tracker, "track", interrupted)
    outcome = track(story, "--html", tmp_path / "out" / "x.html")
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (130, "", "")
    assert not (tmp_path / "out").exists()


def test_a_fetch_is_told(track: Track, story: Path, tiny_tracker: Tracker, monkeypatch: pytest.MonkeyPatch) -> None:
    def load(model: str, *, report: Callable[[int, int], None], **_: object) -> Tracker:
        report(0, 405_000_000)
        report(405_000_000, 405_000_000)
        return tiny_tracker

    monkeypatch.setattr("petra.load", load)
    outcome = track(story, "--json")
    assert outcome.exit_code == 0
    assert outcome.stderr == "Fetching the model's encoder (405 MB); it is kept for the next time.\n"


# Lists, annotations


def test_the_list_can_be_cut_down_and_sorted(track: Track, story: Path, tiny_tracker: Tracker) -> None:
    people = tiny_tracker.track(STORY).people
    often = sorted(people, key=lambda person: (-len(person.mentions), person.id))
    outcome = track(story, "--top", "1")
    assert outcome.exit_code == 0
    assert outcome.stderr == f"1 of {len(people)} people listed.\n"
    assert often[0].name in outcome.stdout.splitlines()[1]
    sorted_by_mentions = track(story, "--sort", "mentions").stdout.splitlines()[1:]
    assert [int(line.split()[0]) for line in sorted_by_mentions] == [person.id for person in often]
    nobody = track(story, "--min-mentions", "999")
    assert (nobody.exit_code, nobody.stdout) == (0, "")
    assert nobody.stderr == f"0 of {len(people)} people listed.\n"


def test_json_holds_everybody_whatever_is_listed(track: Track, story: Path) -> None:
    assert track(story, "--top", "1", "--json").stdout == track(story, "--json").stdout


def test_profiles_of_those_listed(track: Track, story: Path, tiny_tracker: Tracker) -> None:
    tracking = tiny_tracker.track(STORY)
    lines = track(story, "--profiles").stdout.splitlines()
    named = [line for line in lines if line[:1].isdigit()]
    assert [line.split(":")[0] for line in named] == [f"{each.id}  {each.name}" for each in tracking.people]
    values = json.loads(track(story, "--profiles", "--json").stdout)
    assert [profile["id"] for profile in values["profiles"]] == values["cast"]
    assert "profiles" not in json.loads(track(story, "--json").stdout)


def test_the_cast_can_be_asked_for(track: Track, story: Path, tiny_tracker: Tracker) -> None:
    tracking = tiny_tracker.track(STORY)
    outcome = track(story, "--cast")
    listed = [int(line.split()[0]) for line in outcome.stdout.splitlines()[1:]]
    assert listed == [person.id for person in tracking.cast]
    others = len(tracking.people) - len(listed)
    assert ("the cast" in outcome.stderr) == (others > 0)
    assert track(story, "--everybody").stdout == track(story).stdout


def test_wrong_lists(track: Track, story: Path) -> None:
    assert track(story, "--top", "0").exit_code == 2
    assert track(story, "--min-mentions", "0").exit_code == 2
    assert track(story, "--sort", "height").exit_code == 2


def test_an_annotation_is_shown_in_the_report(track: Track, story: Path, tmp_path: Path) -> None:
    gold = written(tmp_path / "gold.json", track(story, "--json").stdout)
    outcome = track(story, "--html", tmp_path / "report.html", "--gold", gold)
    assert outcome.exit_code == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<h2>Annotation</h2>" in page
    assert 'class="missed"' not in page[page.index("<article") :]


def test_an_annotation_goes_with_the_report_of_one_text(track: Track, story: Path, tmp_path: Path) -> None:
    gold = written(tmp_path / "gold.json", track(story, "--json").stdout)
    assert track(story, "--gold", gold).exit_code == 2
    assert track(story, story, "--html", tmp_path / "out", "--gold", gold).exit_code == 2
    content = gold.read_bytes()
    assert track(story, "--html", gold, "--gold", gold).exit_code == 2  # nor does it take its place
    assert gold.read_bytes() == content


def test_a_wrong_annotation_is_told(track: Track, story: Path, tmp_path: Path) -> None:
    other = written(tmp_path / "other.txt", "Paul met Lena.")
    gold = written(tmp_path / "gold.json", track(other, "--json").stdout)
    outcome = track(story, "--html", tmp_path / "report.html", "--gold", gold, "--json")
    assert outcome.exit_code == 1
    assert json.loads(outcome.stdout)["source"] == str(story)  # the result is not lost
    assert "gold.json: it is for a text of 14 characters" in outcome.stderr
    missing = track(story, "--html", tmp_path / "report.html", "--gold", tmp_path / "none.json", "--model", "no-such")
    assert missing.exit_code == 1
    assert "none.json cannot be read" in missing.stderr  # before the model is loaded


# Outputs that are in the way


@pytest.mark.parametrize("several", [False, True], ids=["one text", "several texts"])
@pytest.mark.parametrize(("option", "suffix"), [("--log", ".log"), ("--html", ".html")])
def test_a_folder_for_outputs_never_takes_the_place_of_a_text_in_it(
    track: Track, story: Path, tmp_path: Path, option: str, suffix: str, several: bool
) -> None:
    chat = written(tmp_path / f"chat{suffix}", STORY)
    outcome = track(chat, *([story] if several else []), option, tmp_path, "--force", "--model", "no-such-model")
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert "would take the place" in " ".join(outcome.stderr.replace("│", " ").split())
    assert chat.read_text(encoding="utf-8") == STORY


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_text_by_another_name_is_not_replaced(track: Track, story: Path, tmp_path: Path) -> None:
    (tmp_path / "link.log").symlink_to(story)
    os.link(story, tmp_path / "hard.log")
    for name in ("link.log", "hard.log"):
        outcome = track(story, "--log", tmp_path / name, "--force")
        assert outcome.exit_code == 2
    assert story.read_text(encoding="utf-8") == STORY


@pytest.mark.parametrize(("option", "name"), [("--log", "out.log"), ("--html", "out.html")])
def test_a_file_of_another_kind_is_replaced_only_by_force(
    track: Track, story: Path, tmp_path: Path, option: str, name: str
) -> None:
    out = written(tmp_path / name, "<!doctype html>\n<title>My own page</title>")
    before = out.read_bytes()
    outcome = track(story, option, out)
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert "--force" in outcome.stderr
    assert out.read_bytes() == before
    assert track(story, option, out, "--force").exit_code == 0
    made = out.read_bytes()
    assert made != before
    assert track(story, option, out).exit_code == 0  # one of the same kind is
    out.write_bytes(b"")
    assert track(story, option, out).exit_code == 0  # and an empty file
    assert out.read_bytes() == made


# Lines in a file, and going on with them


def sources(out: Path) -> list[str]:
    return [json.loads(line)["source"] for line in out.read_text(encoding="utf-8").splitlines()]


def test_lines_go_to_a_file(track: Track, story: Path, tmp_path: Path) -> None:
    other = written(tmp_path / "other.txt", "Paul met Lena.")
    out = tmp_path / "new" / "out.jsonl"
    outcome = track(story, other, "--jsonl", out)
    assert (outcome.exit_code, outcome.stdout) == (0, "")
    assert outcome.stderr == f"2 texts are in {out}.\n"
    expected = [json.loads(line) for line in track(story, other, "--jsonl").stdout.splitlines()]
    found = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert found == [{**values, "cells": None, "threshold": None} for values in expected]
    again = track(story, other, f"--jsonl={out}")
    assert again.exit_code == 2
    assert "Go on with it by --resume, or begin anew with --force" in again.stderr
    assert track(other, "--jsonl", out, "--force").exit_code == 0
    assert sources(out) == [str(other)]


def test_a_file_after_jsonl_that_does_not_end_in_jsonl_is_a_text(track: Track, story: Path) -> None:
    outcome = track("--jsonl", story)
    assert (outcome.exit_code, json.loads(outcome.stdout)["source"]) == (0, str(story))
    assert story.read_text(encoding="utf-8") == STORY


def test_lines_never_take_the_place_of_a_text(track: Track, tmp_path: Path) -> None:
    text = written(tmp_path / "text.jsonl", STORY)
    assert track(text, "--jsonl", text, "--force").exit_code == 2
    assert track(text, "--jsonl", text, "--resume").exit_code == 2
    outcome = track("--jsonl", text, "--resume", stdin="Paul met Lena.")
    assert outcome.exit_code == 2
    assert text.read_text(encoding="utf-8") == STORY


def test_work_that_was_broken_off_goes_on(
    track: Track, story: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [written(tmp_path / "texts" / f"{number}.txt", f"Paul met Lena {number} times.") for number in range(6)]
    whole = tmp_path / "whole.jsonl"
    assert track(tmp_path / "texts", "--jsonl", whole).exit_code == 0
    out, logs = tmp_path / "out.jsonl", tmp_path / "logs"
    arguments = (tmp_path / "texts", "--jsonl", out, "--log", logs, "--resume")

    begin = Tracker.track_many

    def broken(self: Tracker, *rest: Any, **options: Any) -> Any:
        for number, tracking in enumerate(begin(self, *rest, **options)):
            if number == 2:
                raise KeyboardInterrupt
            yield tracking

    with monkeypatch.context() as patch:
        patch.setattr(Tracker, "track_many", broken)
        assert track(*arguments).exit_code == 130
    assert sources(out) == [str(text) for text in texts[:2]]
    with out.open("ab") as file:
        file.write(whole.read_bytes().splitlines()[2][:50])  # killed while a line was written
    outcome = track(*arguments)
    assert outcome.exit_code == 0
    assert outcome.stderr.count("Memory log written") == 4
    assert out.read_bytes() == whole.read_bytes()
    assert len(list(logs.iterdir())) == 6
    assert track(*arguments, "--device", "abacus").exit_code == 0  # all is there: no model is loaded


def test_what_cannot_be_gone_on_with(track: Track, story: Path, tmp_path: Path) -> None:
    assert track(story, "--resume").exit_code == 2
    assert track("-", "--jsonl", tmp_path / "out.jsonl", "--resume", stdin="Paul").exit_code == 2
    assert track(story, "--jsonl", tmp_path / "out.jsonl").exit_code == 0
    other = track(story, "--jsonl", tmp_path / "out.jsonl", "--resume", "--threshold", "0.9")
    assert other.exit_code == 1
    assert "was read by the model tiny" in other.stderr
