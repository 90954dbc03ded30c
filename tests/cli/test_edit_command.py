from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from petra.cli.app import app
from petra.log.storage import load
from petra.people.finding import find_people
from petra.tracker import Tracker

STORY = (
    "Ruth Calloway wrote her first novel on the train. Her editor, Paul Brandt, told her:\n\n"
    "“Come,” said Paul, “it is late.”\n\nMaria Lenz told him: “Why?” She left.\n"
)

Edit = Callable[..., Result]


@pytest.fixture
def place(tiny_tracker: Tracker, tmp_path: Path) -> Path:
    """The file of a tracking, with its text beside it."""
    (tmp_path / "story.txt").write_text(STORY, encoding="utf-8")
    tracking = tiny_tracker.track(STORY, source="story.txt")
    (tmp_path / "story.json").write_text(tracking.to_json(), encoding="utf-8")
    return tmp_path / "story.json"


def edit(place: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["edit", str(place), *arguments])


def read(place: Path) -> Any:
    return json.loads(place.read_text(encoding="utf-8"))


def test_people_are_merged_and_the_merge_taken_back(place: Path) -> None:
    before = read(place)
    outcome = edit(place, "merge", "1", "2")
    assert (outcome.exit_code, outcome.stdout) == (0, "")
    assert "Done: merge" in outcome.stderr
    after = read(place)
    assert len(after["people"]) == len(before["people"]) - 1
    assert after["people"][0]["corrected"] is True
    assert after["found"]["people"] == before["people"]
    lines = (place.parent / "story.edits.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line).get("edit") for line in lines] == [None, "merge"]
    assert edit(place, "list").stdout.startswith("1  merge ")
    assert edit(place, "undo").exit_code == 0
    assert read(place) == before


def test_every_verb_makes_its_edit(place: Path) -> None:
    first = read(place)["people"][0]["mentions"][0]
    span = f"{first['start']}-{first['end']}"
    at = STORY.index("She")
    quotation = STORY.index("“Why")
    for arguments in (
        ("rename", "1", "Somebody"),
        ("move", span, "--to", "2"),
        ("split", span, "--name", "Nobody"),
        ("remove", span),
        ("add", f"{at}-{at + 3}", "--kind", "pronoun"),
        ("speaker", f"{quotation}-{quotation + 1}", "--to", "1"),
        ("addressee", f"{quotation}-{quotation + 1}"),
        ("delete", "1"),
    ):
        outcome = edit(place, *arguments)
        assert outcome.exit_code == 0, outcome.stderr
    verbs = [each["edit"] for each in read(place)["edits"]]
    assert verbs == ["rename", "move", "split", "remove", "add", "speaker", "addressee", "delete"]


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("merge", "1"), 2, "two people or more"),
        (("merge", "1", "99"), 1, "There is no person 99"),
        (("merge", "1", "x"), 2, "not the id of a person"),
        (("move", "0-4"), 2, "--to"),
        (("move", "zero", "--to", "1"), 2, "give START-END"),
        (("rename", "1"), 2, "and a name"),
        (("delete", "1", "--to", "2"), 2, "delete takes no --to"),
        (("undo",), 1, "no correction to take back"),
        (("add", "0-99999"), 1, "not a part of the text"),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(
    place: Path, arguments: tuple[str, ...], status: int, words: str
) -> None:
    before = place.read_bytes()
    outcome = edit(place, *arguments)
    assert outcome.exit_code == status
    assert words in outcome.stderr
    assert place.read_bytes() == before


def test_a_text_that_is_not_at_hand_is_asked_for(place: Path) -> None:
    (place.parent / "story.txt").rename(place.parent / "other.txt")
    outcome = edit(place, "delete", "1")
    assert outcome.exit_code == 1
    assert "--text FILE" in outcome.stderr
    assert edit(place, "delete", "1", "--text", str(place.parent / "other.txt")).exit_code == 0


def test_a_log_is_corrected_too(tiny_tracker: Tracker, tmp_path: Path) -> None:
    from petra.log.storage import save

    tracking = tiny_tracker.track(STORY)
    save(tracking.log, tmp_path / "a.log")
    assert edit(tmp_path / "a.log", "rename", "1", "Ada", "--out", str(tmp_path / "b.log")).exit_code == 0
    assert find_people(load(tmp_path / "b.log"))[0].name == "Ada"
    assert load(tmp_path / "a.log").edits == ()


def test_edits_are_applied_to_a_new_reading(place: Path, tiny_model: Path) -> None:
    edit(place, "rename", "1", "Ada")
    edits = place.parent / "story.edits.jsonl"
    with edits.open("a", encoding="utf-8") as file:
        file.write('{"edit": "delete", "person": [0, 4, "Jane"]}\n')
    command = ["track", str(place.parent / "story.txt"), "--model", str(tiny_model), "--edits", str(edits), "--json"]
    outcome = CliRunner().invoke(app, command)
    assert outcome.exit_code == 0
    assert json.loads(outcome.stdout)["people"][0]["name"] == "Ada"
    assert "edit 2 (delete 'Jane') no longer fits: the text has 'Ruth' at 0..4" in outcome.stderr
    fresh = place.parent / "fresh.json"
    fresh.write_text(CliRunner().invoke(app, [*command[:4], "--json"]).stdout, encoding="utf-8")
    outcome = edit(fresh, "apply", str(edits))
    assert "1 of 2 edits applied" in outcome.stderr
    assert read(fresh)["people"][0]["name"] == "Ada"
