from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from strategies import PROBABILITIES, logs
from written_logs import written_log

from petra.log.memory_log import MemoryLog
from petra.people.counting import count_people


def test_overwrites_of_at_least_the_threshold_are_counted() -> None:
    log = written_log(
        "Jane Bennet met Tom. She smiled.",
        ("Jane", 0, "new", 0.7),
        ("Bennet", 1, "new", 0.3),
        ("Tom", 2, "new", 1.0),
        ("She", 0, "same", 0.9),
    )
    assert count_people(log, [0.3, 0.31, 0.7, 0.71, 1.0]).tolist() == [3, 2, 2, 1, 1]


def test_a_single_threshold_gives_a_single_count() -> None:
    log = written_log("Jane met Tom.", ("Jane", 0, "new"), ("Tom", 1, "new"))
    assert count_people(log, 0.5) == 2
    assert count_people(written_log(""), 0.5) == 0


@given(log=logs(), thresholds=st.lists(PROBABILITIES, max_size=5))
def test_the_count_is_the_sum_of_the_paper(log: MemoryLog, thresholds: list[float]) -> None:
    alphas = np.array(thresholds, dtype=np.float32)
    expected = [int((log.overwrite_prob >= alpha).sum()) for alpha in alphas]
    assert count_people(log, thresholds).tolist() == expected
