from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import logs
from written_logs import written_log

from petra.errors import LogError
from petra.log.memory_log import MemoryLog

TEXT = "Jane Bennet met Tom. She smiled."


def jane() -> MemoryLog:
    return written_log(
        TEXT,
        ("Jane", 0, "new", 0.5),
        ("Bennet", 0, "same", 0.75),
        ("Tom", 1, "new", 1.0),
        ("She", 0, "same", 0.5),
        ("", 1, "same", 0.25),
        cells=2,
    )


def test_the_link_of_two_spans_is_that_of_their_best_tokens() -> None:
    log = jane()
    she = (21, 24)
    assert TEXT[slice(*she)] == "She"
    assert log.link_probability((0, 11), she) == 0.375  # Bennet 0.75 * She 0.5; Jane alone 0.25
    assert log.link_probability((0, 4), she) == 0.25
    assert log.link_probability((16, 19), she) == 0.25  # Tom 1.0 * She 0.25 in cell 1
    assert log.link_probability(she, (0, 11)) == log.link_probability((0, 11), she)


def test_a_span_within_a_token_stands_for_the_token() -> None:
    assert jane().link_probability((1, 3), (22, 23)) == 0.25


@pytest.mark.parametrize("span", [(-1, 3), (3, 3), (5, 4), (0, len(TEXT) + 1)])
def test_a_span_outside_the_text_is_refused(span: tuple[int, int]) -> None:
    with pytest.raises(LogError, match="not a part of the text"):
        jane().link_probability((0, 4), span)


def test_a_span_without_a_token_is_refused() -> None:
    with pytest.raises(LogError, match=r"4\.\.5 \(' '\) covers no token"):
        jane().link_probability((4, 5), (0, 4))


def test_the_running_sums_are_made_once() -> None:
    log = jane()
    assert log.links is log.links


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"coref_prob": np.zeros(8, np.float32)}, "one column per cell"),
        ({"coref_prob": np.zeros((8, 0), np.float32)}, "at least one"),
        ({"overwrite_prob": np.zeros((8, 3), np.float32)}, r"shape \(8, 3\); expected float32 of shape \(8, 2\)"),
        ({"usage": np.zeros((8, 2))}, "usage is float64"),
        ({"words": np.zeros(8, np.int32)}, "words is int32"),
        ({"mention_prob": np.zeros(7, np.float32)}, r"mention_prob is float32 of shape \(7,\)"),
        ({"mention_prob": np.full(8, np.nan, np.float32)}, "probabilities lie between 0 and 1"),
        ({"usage": np.full((8, 2), 1.5, np.float32)}, "from 1.5 to 1.5"),
        ({"threshold": 1.5}, "threshold of the log is 1.5"),
        ({"threshold": float("nan")}, "threshold of the log is nan"),
        ({"text": TEXT[:-1]}, "inside its text"),
        ({"starts": np.zeros(8, np.int64) - 1}, "inside its text"),
        ({"words": np.arange(8, 0, -1)}, "must not fall"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(LogError, match=message):
        dataclasses.replace(jane(), **change)


def test_a_log_may_be_empty() -> None:
    log = written_log("")
    assert (log.num_tokens, log.num_cells) == (0, 4)
    with pytest.raises(LogError, match="not a part of the text"):
        log.link_probability((0, 0), (0, 0))


@given(log=logs(), data=st.data())
def test_any_two_tokens_have_a_symmetric_link(log: MemoryLog, data: st.DataObject) -> None:
    if not log.num_tokens:
        return
    token = st.integers(0, log.num_tokens - 1)
    one, other = ((int(log.starts[t]), int(log.ends[t])) for t in (data.draw(token), data.draw(token)))
    link = log.link_probability(one, other)
    assert 0 <= link <= 1
    assert link == log.link_probability(other, one)
