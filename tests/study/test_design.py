from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petra.errors import StudyError
from petra.study.design import Design, Task, deal_sets, draw_documents


def test_the_papers_study() -> None:
    sets = deal_sets(2, Design())
    assert [len(each.tasks) for each in sets] == [10] * 10
    assert [each.round for each in sets] == [0] * 5 + [1] * 5
    judged = [task.document for each in sets for task in each.tasks]
    assert sorted(judged) == sorted([*range(50), *range(50)])
    assert judged[:50] == list(range(50))  # the order drawn, which is random already
    assert judged[50:] != judged[:50]


def test_models_are_shown_in_an_order_drawn_for_each_document() -> None:
    orders = [task.order for each in deal_sets(2, Design()) for task in each.tasks]
    assert set(orders) == {(0, 1), (1, 0)}
    assert 30 < orders.count((0, 1)) < 70  # of 100 throws of a coin


@given(
    st.builds(
        Design,
        num_documents=st.integers(1, 30),
        set_size=st.integers(1, 12),
        rounds=st.integers(1, 4),
        seed=st.integers(0, 99),
    ),
    st.integers(2, 5),
)
def test_each_round_has_every_document_once(design: Design, models: int) -> None:
    sets = deal_sets(models, design)
    for number in range(design.rounds):
        dealt = [each.tasks for each in sets if each.round == number]
        assert sorted(task.document for task in chain(*dealt)) == list(range(design.num_documents))
        assert all(len(tasks) == design.set_size for tasks in dealt[:-1])
        assert 1 <= len(dealt[-1]) <= design.set_size
    for each in sets:
        for task in each.tasks:
            assert sorted(task.order) == list(range(models))


def test_a_seed_decides_everything() -> None:
    assert deal_sets(2, Design(seed=4)) == deal_sets(2, Design(seed=4)) != deal_sets(2, Design(seed=5))
    assert draw_documents(454, Design(seed=4)) == draw_documents(454, Design(seed=4))
    assert draw_documents(454, Design(seed=4)) != draw_documents(454, Design(seed=5))


def test_documents_are_drawn_without_replacement() -> None:
    drawn = draw_documents(454, Design())
    assert len(drawn) == len(set(drawn)) == 50
    assert set(drawn) <= set(range(454))
    assert sorted(draw_documents(3, Design(num_documents=3))) == [0, 1, 2]


def test_whom_a_choice_is_for() -> None:
    task = Task(0, (2, 0, 1))
    assert task.choices == ("A", "B", "C", "neutral")
    assert [task.preferred(choice) for choice in task.choices] == [2, 0, 1, 3]


def test_what_cannot_be_dealt_is_told() -> None:
    with pytest.raises(StudyError, match="50 documents was asked for, and there are 20"):
        draw_documents(20, Design())
    with pytest.raises(StudyError, match="compares 2 to 8 models, and there are 1"):
        deal_sets(1, Design())
    with pytest.raises(StudyError, match="A study of 0 documents in a set"):
        Design(set_size=0)
