from __future__ import annotations

import json

from hypothesis import given
from strategies import logs
from written_logs import written_log

from petra.log.memory_log import MemoryLog
from petra.people.finding import find_people
from petra.report.values.as_json import dump, tracking_json


def as_json(log: MemoryLog, source: str | None = "story.txt") -> dict[str, object]:
    return tracking_json(source=source, model="tiny", text=log.text, num_tokens=log.num_tokens, people=find_people(log))


def test_the_schema() -> None:
    log = written_log("Amelia Shepherd left.", ("Amelia", 0, "new", 0.98768))
    assert as_json(log) == {
        "schema": "petra.tracking/1",
        "source": "story.txt",
        "model": "tiny",
        "characters": 21,
        "tokens": 4,
        "people": [
            {
                "id": 1,
                "name": "Amelia Shepherd",
                "mentions": [{"start": 0, "end": 15, "text": "Amelia Shepherd", "kind": "name", "probability": 0.9877}],
            }
        ],
        "cast": [1],
        "chapters": [],
    }


def test_chapters_and_cast_are_listed() -> None:
    log = written_log("Chapter 1\n\nTom left a boy.", ("Tom", 0, "new"), ("boy", 1, "new"))
    values = as_json(log)
    assert values["cast"] == [1]
    assert values["chapters"] == [{"number": 1, "heading": "Chapter 1", "start": 0, "end": 26, "part": None}]


def test_an_empty_text_has_no_people() -> None:
    values = as_json(written_log(""), source=None)
    assert (values["source"], values["characters"], values["tokens"], values["people"]) == (None, 0, 0, [])


def test_letters_stay_readable_and_a_line_is_a_line() -> None:
    log = written_log("Zoë\nBrontë left.", ("Zoë", 0, "new"))
    written = dump(as_json(log), indent=None)
    assert "Zoë Brontë" in written
    assert "\n" not in written


def test_half_a_surrogate_pair_is_escaped() -> None:
    assert dump({"text": "\ud83d"}, indent=None) == '{"text": "\\ud83d"}'


@given(log=logs())
def test_json_gives_back_every_mention_of_the_text(log: MemoryLog) -> None:
    written = dump(as_json(log))
    written.encode("utf-8")
    for person in json.loads(written)["people"]:
        for mention in person["mentions"]:
            assert log.text[mention["start"] : mention["end"]] == mention["text"]
