from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from web_samples import STORY, story
from written_logs import written_log

from petra.people.occupancy import find_occupancy
from petra.web.api.steps import steps_json

READING = story()
OCCUPANCY = find_occupancy(READING.log, READING.people)


def test_a_step_tells_what_was_decided() -> None:
    told = steps_json(READING.log, READING.people, OCCUPANCY, 2, 1)
    assert (told["tokens"], told["cells"], told["first"]) == (READING.log.num_tokens, 2, 2)
    assert told["people"] == [{"id": 1, "name": "Jane"}, {"id": 2, "name": "Tom"}]
    assert told["steps"] == [
        {
            "start": 9,
            "end": 12,
            "before": " ",
            "text": "Tom",
            "person": 2,
            "mention_prob": 0.9,
            "overwrite_prob": [0.0, 0.9],
            "coref_prob": [0.0, 0.0],
            "usage": [0.0, 0.0],
            "written": [False, True],
            "meant": [False, False],
            "inside": [1, 2],
        }
    ]


def test_the_nearest_mentions_outside() -> None:
    # Jane is token 0, Tom token 2, She token 4.
    told = steps_json(READING.log, READING.people, OCCUPANCY, 3, 1)
    assert (told["mention_before"], told["mention_after"]) == (2, 4)
    told = steps_json(READING.log, READING.people, OCCUPANCY, 0, 100)
    assert (told["mention_before"], told["mention_after"]) == (None, None)


@given(st.integers(0, 30), st.integers(1, 30))
def test_steps_in_a_row_are_the_text(first: int, count: int) -> None:
    before = steps_json(READING.log, READING.people, OCCUPANCY, 0, first)["steps"] if first else []
    after = steps_json(READING.log, READING.people, OCCUPANCY, first, count)["steps"]
    read = "".join(step["before"] + step["text"] for step in [*before, *after])
    assert STORY.startswith(read)
    assert len(before) + len(after) == min(first + count, READING.log.num_tokens)


def test_past_the_end_there_are_none() -> None:
    assert steps_json(READING.log, READING.people, OCCUPANCY, 1000, 5)["steps"] == []


def test_an_empty_text_has_none() -> None:
    log = written_log("")
    assert steps_json(log, (), find_occupancy(log, ()), 0, 5)["steps"] == []
