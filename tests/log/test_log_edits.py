from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from written_logs import read_by_mention

from petra.errors import EditError
from petra.log.edits import Edit, Place, edit_from, edits_from, load_edits, save_edits
from petra.log.storage import load, save
from petra.people.finding import find_people

EDITS = (
    Edit(verb="merge", people=(Place(0, 4, "Anne"), Place(20, 29, "Miss Vale"))),
    Edit(verb="rename", person=Place(0, 4, "Anne"), name="Anne “Nan” Vale"),
    Edit(verb="add", mentions=(Place(5, 8, "met"),), kind="nominal"),
    Edit(verb="speaker", quotation=Place(9, 12, "“a”"), person=Place(0, 4, "Anne")),
    Edit(verb="addressee", quotation=Place(9, 12, "“a”")),
)


def test_a_file_holds_one_edit_on_a_line(tmp_path: Path) -> None:
    save_edits(tmp_path / "a.jsonl", EDITS, source="a.txt", characters=80)
    lines = (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()
    assert lines[0] == '{"schema": "petra.edits/1", "source": "a.txt", "characters": 80}'
    assert lines[2] == '{"edit": "rename", "person": [0, 4, "Anne"], "name": "Anne “Nan” Vale"}'
    assert load_edits(tmp_path / "a.jsonl") == EDITS


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is empty"),
        ('{"schema": "petra.tracking/1"}\n', "line 1: the schema is 'petra.tracking/1'"),
        ('{"schema": "petra.edits/1"}\n\n{"edit": "fly"}\n', "line 3: the edit is 'fly'; expected one of merge"),
        ('{"schema": "petra.edits/1"}\nno\n', "line 2: no JSON"),
        ('{"schema": "petra.edits/1"}\n{"edit": "delete"}\n', "line 2: delete needs person"),
        ('{"schema": "petra.edits/1"}\n{"edit": "delete", "person": [4, 0, "x"]}\n', r"expected a place \[start"),
    ],
)
def test_a_file_that_is_wrong_is_told_with_its_line(content: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(content, encoding="utf-8")
    with pytest.raises(EditError, match=words):
        load_edits(tmp_path / "a.jsonl")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"edit": "merge", "people": [[0, 1, "a"]]}, "two people"),
        ({"edit": "merge", "people": [[0, 1, "a"], [2, 3, "b"]], "name": "x"}, "takes no name"),
        ({"edit": "rename", "person": [0, 1, "a"], "name": 3}, "expected words"),
        ({"edit": "add", "mentions": [[0, 1, "a"]], "kind": "verb"}, "expected one of name"),
        ({"edit": "delete", "person": [0, 1, "a"], "why": 1}, "takes no 'why'"),
        ([], "is no edit"),
    ],
)
def test_values_that_are_no_edit(values: object, words: str) -> None:
    with pytest.raises(EditError, match=words):
        edit_from(values)


def test_edits_as_values_come_back() -> None:
    assert edits_from([edit.to_dict() for edit in EDITS]) == EDITS


def test_a_log_keeps_its_corrections_and_shows_them(tmp_path: Path) -> None:
    log = read_by_mention("Anne left. She ran.", ("Anne", "Anne", 1, {"new": 0}), ("She", "She", 2, {"new": 1}))
    edits = (Edit(verb="merge", people=(Place(0, 4, "Anne"), Place(11, 14, "She"))),)
    save(dataclasses.replace(log, edits=edits), tmp_path / "a.log")
    read = load(tmp_path / "a.log")
    assert read.edits == edits
    (anne,) = find_people(read)
    assert [mention.text for mention in anne.mentions] == ["Anne", "She"]
    assert len(find_people(log)) == 2
