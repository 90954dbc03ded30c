from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from strategies import logs
from written_logs import written_log

from petra.errors import DataError
from petra.log.memory_log import MemoryLog
from petra.people.finding import find_people
from petra.report.values.as_json import tracking_json
from petra.report.values.from_json import people_from_json, read_annotation

TEXT = "Jane met Tom. She left."


def annotation(*people: Any, **more: Any) -> dict[str, Any]:
    return {"schema": "petra.tracking/1", "people": list(people), **more}


def read(tmp_path: Path, values: Any) -> Any:
    path = tmp_path / "gold.json"
    path.write_text(json.dumps(values), encoding="utf-8")
    return read_annotation(path).people_of(TEXT)


def test_starts_and_ends_are_enough(tmp_path: Path) -> None:
    (jane,) = read(tmp_path, annotation({"mentions": [{"start": 14, "end": 17}, {"start": 0, "end": 4}]}))
    assert (jane.id, jane.name) == (1, "Jane")
    assert [(mention.start, mention.text) for mention in jane.mentions] == [(0, "Jane"), (14, "She")]


def test_people_are_numbered_in_their_order_and_keep_their_names(tmp_path: Path) -> None:
    tom = {"id": 7, "name": "Tom Dahl", "mentions": [{"start": 9, "end": 12, "text": "Tom", "kind": "name"}]}
    jane = {"mentions": [{"start": 14, "end": 17, "kind": "pronoun"}]}
    found = read(tmp_path, annotation(tom, jane, characters=23))
    assert [(person.id, person.name) for person in found] == [(1, "Tom Dahl"), (2, "She")]


@given(logs())
def test_what_was_written_is_read_back(log: MemoryLog) -> None:
    people = find_people(log)
    values = tracking_json(source=None, model="m", text=log.text, num_tokens=log.num_tokens, people=people)
    found = people_from_json(values, log.text)
    assert [(person.id, person.name) for person in found] == [(person.id, person.name) for person in people]
    assert [[(m.start, m.end, m.text, m.kind) for m in person.mentions] for person in found] == [
        [(m.start, m.end, m.text, m.kind) for m in person.mentions] for person in people
    ]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "the schema is None; expected one object"),
        ({"schema": "petra.tracking/9"}, "the schema is 'petra.tracking/9'"),
        (annotation(characters=9), "it is for a text of 9 characters, and this text has 23"),
        ({"schema": "petra.tracking/1"}, "people: found None; expected a list"),
        (annotation("Jane"), "person 1 is 'Jane'; expected an object"),
        (annotation({"name": "Jane"}), "the mentions of person 1: found None"),
        (annotation({"mentions": []}), "person 1 has no mentions"),
        (annotation({"mentions": [{"start": 0, "end": 99}]}), r"from 0 to 99; expected character offsets .* <= 23"),
        (annotation({"mentions": [{"start": True, "end": 2}]}), "from True to 2"),
        (annotation({"mentions": [3]}), "from None to None"),
        (annotation({"mentions": [{"start": 0, "end": 4, "text": "Tom"}]}), "is 'Tom', and the text has 'Jane' there"),
        (annotation({"mentions": [{"start": 0, "end": 4, "kind": "dog"}]}), "is a 'dog'; expected one of name"),
        (
            annotation({"mentions": [{"start": 0, "end": 4}, {"start": 3, "end": 5}]}),
            "the mentions 0..4 and 3..5 overlap",
        ),
    ],
)
def test_what_does_not_fit_is_told(tmp_path: Path, values: Any, message: str) -> None:
    with pytest.raises(DataError, match=message) as raised:
        read(tmp_path, values)
    assert "gold.json" in str(raised.value)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nothing\.json cannot be read: No such file"):
        read_annotation(tmp_path / "nothing.json")
    (tmp_path / "text.json").write_text("Jane met Tom.")
    with pytest.raises(DataError, match=r"text\.json is no JSON"):
        read_annotation(tmp_path / "text.json")


def test_a_log_written_by_hand_for_the_same_text() -> None:
    log = written_log(TEXT, ("Jane", 0, "new"), ("She", 0, "same"))
    values = tracking_json(source=None, model="m", text=TEXT, num_tokens=6, people=find_people(log))
    assert [person.name for person in people_from_json(values, TEXT)] == ["Jane"]
