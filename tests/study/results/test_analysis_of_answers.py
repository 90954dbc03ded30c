from __future__ import annotations

import pytest
from human_study import answer, judged_study
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from petra.study.results.analysis import Interval, analyse, wilson

# Two rounds over three documents; in the second, models one and two change places for d2.
STUDY = judged_study([[(0, 1), (0, 1), (0, 1)], [(0, 1), (1, 0), (0, 1)]])
ANSWERS = [
    answer(1, 0, "A"),  # d1: one
    answer(1, 1, "A"),  # d2: one
    answer(1, 2, "neutral"),
    answer(2, 0, "A"),  # d1: one
    answer(2, 1, "A"),  # d2: two, which is called A here
]


def test_answers_are_for_the_models_behind_the_labels() -> None:
    analysis = analyse(STUDY, reversed(ANSWERS))
    assert [each.outcome for each in analysis.judgements] == [0, 0, 2, 0, 1]
    assert [each.document for each in analysis.judgements] == [0, 1, 2, 0, 1]
    assert [each.count for each in analysis.preferences] == [3, 1, 1]
    assert [each.percent.value for each in analysis.preferences if each.percent] == [60, 20, 20]


def test_the_agreement_matrix() -> None:
    # d1: one and one. d2: one, then two. d3 has one answer, and no pair.
    analysis = analyse(STUDY, ANSWERS)
    assert_array_equal(analysis.agreement, [[1, 1, 0], [0, 0, 0], [0, 0, 0]])
    assert (analysis.num_compared, analysis.num_agreeing) == (2, 1)
    assert analysis.disagreeing(0, 1) == analysis.disagreeing(1, 0) == 1
    assert analysis.disagreeing(0, 2) == 0
    assert analysis.disagreeing(0, 0) == 1


def test_three_rounds_are_compared_two_by_two() -> None:
    study = judged_study([[(0, 1)]] * 3)
    analysis = analyse(study, [answer(1, 0, "A"), answer(2, 0, "B"), answer(3, 0, "A")])
    assert_array_equal(analysis.agreement, [[1, 1, 0], [1, 0, 0], [0, 0, 0]])


def test_wilsons_interval() -> None:
    # The paper's 74 of 100 answers: (p + z²/2n ± z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n), z = 1.96.
    found = wilson(74, 100)
    assert found is not None
    assert (found.value, round(found.low, 1), round(found.high, 1)) == (74, 64.6, 81.6)
    none, every = wilson(0, 10), wilson(10, 10)
    assert none is not None
    assert every is not None
    assert (round(none.low, 1), round(none.high, 1)) == (0, 27.8)
    assert (round(every.low, 1), round(every.high, 1)) == (72.2, 100)
    assert wilson(0, 0) is None


@given(st.integers(1, 500), st.data())
def test_an_interval_holds_its_value(total: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(0, total))
    found, other = wilson(count, total), wilson(total - count, total)
    assert found is not None
    assert other is not None
    assert 0 <= found.low <= found.value + 1e-9
    assert found.value - 1e-9 <= found.high <= 100
    assert found.low == pytest.approx(100 - other.high)


def test_the_lead_of_a_model() -> None:
    # 3 answers for one, 1 for two, of 5: a lead of 40 points.
    (lead,) = analyse(STUDY, ANSWERS).differences
    assert (lead.model, lead.other) == (0, 1)
    assert lead.points is not None
    assert lead.points.value == pytest.approx(40)
    assert -100 <= lead.points.low < 40 < lead.points.high <= 100
    assert analyse(STUDY, ANSWERS).differences == (lead,)  # the same answers, the same range


def test_a_lead_without_doubt() -> None:
    (lead,) = analyse(STUDY, [answer(1, place, "A") for place in range(3)]).differences
    assert lead.points == Interval(100, 100, 100)


def test_no_answers_say_nothing() -> None:
    analysis = analyse(STUDY, [])
    assert [each.percent for each in analysis.preferences] == [None] * 3
    assert analysis.differences[0].points is None
    assert analysis.num_compared == 0


def test_answers_to_what_the_study_does_not_have_are_left_out() -> None:
    strange = [answer(9, 0, "A"), answer(1, 9, "A"), answer(1, 0, "C"), answer(0, 0, "A"), answer(1, -1, "A")]
    assert analyse(STUDY, strange).judgements == ()
