from __future__ import annotations

from web_samples import person
from written_logs import written_log

from petra.web.occupants import find_occupants

TEXT = "Jane met Tom. She saw Ann."  # tokens: Jane met Tom . She saw Ann .


def test_a_cell_holds_who_was_written_until_the_next() -> None:
    log = written_log(TEXT, ("Jane", 0, "new"), ("Tom", 1, "new"), ("She", 0, "same"), ("Ann", 1, "new"), cells=2)
    people = (person(1, TEXT, "Jane", "She"), person(2, TEXT, "Tom"), person(3, TEXT, "Ann"))
    found = find_occupants(log, people)
    assert found.persons.tolist() == [1, 0, 2, 0, 1, 0, 3, 0]
    assert found.inside[:, 0].tolist() == [1] * 8
    assert found.inside[:, 1].tolist() == [0, 0, 2, 2, 2, 2, 3, 3]


def test_written_where_nobody_is_mentioned_it_holds_nobody() -> None:
    log = written_log(TEXT, ("Jane", 0, "new"), ("met", 0, "new"), cells=1)
    assert find_occupants(log, (person(1, TEXT, "Jane"),)).inside[:, 0].tolist() == [1, 0, 0, 0, 0, 0, 0, 0]


def test_meant_while_empty_it_holds_who_is_mentioned_there() -> None:
    log = written_log(TEXT, ("Jane", 0, "new", 0.3), ("She", 0, "same"), cells=1)
    assert find_occupants(log, (person(1, TEXT, "She"),)).inside[:, 0].tolist() == [0, 0, 0, 0, 1, 1, 1, 1]


def test_of_nested_mentions_the_inner_one_counts() -> None:
    text = "Emma's father"  # tokens: Emma ' s father
    log = written_log(text)
    people = (person(1, text, "Emma's father"), person(2, text, "Emma"))
    assert find_occupants(log, people).persons.tolist() == [2, 1, 1, 1]


def test_an_empty_text() -> None:
    found = find_occupants(written_log(""), ())
    assert (found.persons.shape, found.inside.shape) == ((0,), (0, 4))
