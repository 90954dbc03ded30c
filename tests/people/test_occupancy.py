from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from strategies import gates, logs
from web_samples import person
from written_logs import read_by_mention, written_log

from petra.log.memory_log import MemoryLog
from petra.log.mentions import LogMentions
from petra.people.finding import find_people
from petra.people.occupancy import decided_tokens, find_occupancy

TEXT = "Jane met Tom. She saw Ann."  # tokens: Jane met Tom . She saw Ann .


def test_a_cell_holds_who_was_written_until_the_next() -> None:
    log = written_log(TEXT, ("Jane", 0, "new"), ("Tom", 1, "new"), ("She", 0, "same"), ("Ann", 1, "new"), cells=2)
    people = (person(1, TEXT, "Jane", "She"), person(2, TEXT, "Tom"), person(3, TEXT, "Ann"))
    found = find_occupancy(log, people)
    assert found.persons.tolist() == [1, 0, 2, 0, 1, 0, 3, 0]
    assert found.inside[:, 0].tolist() == [1] * 8
    assert found.inside[:, 1].tolist() == [0, 0, 2, 2, 2, 2, 3, 3]


def test_written_where_nobody_is_mentioned_it_holds_nobody() -> None:
    log = written_log(TEXT, ("Jane", 0, "new"), ("met", 0, "new"), cells=1)
    assert find_occupancy(log, (person(1, TEXT, "Jane"),)).inside[:, 0].tolist() == [1, 0, 0, 0, 0, 0, 0, 0]


def test_meant_while_empty_it_holds_who_is_mentioned_there() -> None:
    log = written_log(TEXT, ("Jane", 0, "new", 0.3), ("She", 0, "same"), cells=1)
    assert find_occupancy(log, (person(1, TEXT, "She"),)).inside[:, 0].tolist() == [0, 0, 0, 0, 1, 1, 1, 1]


def test_of_nested_mentions_the_inner_one_counts() -> None:
    text = "Emma's father"  # tokens: Emma ' s father
    log = written_log(text)
    people = (person(1, text, "Emma's father"), person(2, text, "Emma"))
    assert find_occupancy(log, people).persons.tolist() == [2, 1, 1, 1]


def test_an_empty_text() -> None:
    found = find_occupancy(written_log(""), ())
    assert (found.persons.shape, found.inside.shape) == ((0,), (0, 4))


def test_what_was_decided_by() -> None:
    log = written_log(TEXT, ("Jane", 0, "new"), ("She", 0, "same"), ("", 1, "same", 0.05), cells=2)
    found = find_occupancy(log, (person(1, TEXT, "Jane", "She"),))
    assert np.argwhere(found.written).tolist() == [[0, 0]]
    assert np.argwhere(found.meant).tolist() == [[4, 0]]


def test_a_possessive_ending_counts_for_its_word() -> None:
    text = "Jane's father"  # tokens: Jane ' s father
    log = written_log(text, ("s", 0, "new"), cells=1)
    assert find_occupancy(log, (person(1, text, "Jane"),)).inside[:, 0].tolist() == [0, 0, 1, 1]


# Read mention by mention. Tokens: Emma ' s father met Tom . He left Emma .
FAMILY = "Emma's father met Tom. He left Emma."
READ = read_by_mention(
    FAMILY,
    ("Emma", "Emma", 1, {"new": 0}),
    ("Emma's father", "father", 2, {"new": 1}),
    ("Tom", "Tom", 3, {"new": 0, "same": 1}),  # Emma makes room and goes to the register
    ("He", "He", 2, {"new": 0, "same": 1}),
    ("Emma", "Emma", 1, {"new": 0, "same": 1}),  # back from it
    cells=2,
)


def test_a_mention_is_written_to_the_cell_of_its_person() -> None:
    found = find_occupancy(READ, find_people(READ))
    assert found.persons.tolist() == [1, 2, 2, 2, 0, 3, 0, 2, 0, 1, 0]
    assert found.inside[:, 0].tolist() == [1, 1, 1, 1, 1, 3, 3, 3, 3, 1, 1]
    assert found.inside[:, 1].tolist() == [0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2]
    # Each gate is half of 0.9 where there are two, less than the threshold, and still what was decided.
    assert np.argwhere(found.written).tolist() == [[0, 0], [3, 1], [5, 0], [9, 0]]
    assert np.argwhere(found.meant).tolist() == [[7, 1]]
    assert np.flatnonzero(decided_tokens(READ)).tolist() == [0, 3, 5, 7, 9]


def test_cells_are_followed_by_the_people_of_the_first_pass() -> None:
    # The second pass took Tom, person 3 of the first, for Emma: she is in his cell too.
    assert READ.mentions is not None
    joined = (one._replace(person=1 if one.person == 3 else one.person, read_as=one.person) for one in READ.mentions)
    log = replace(READ, mentions=LogMentions.of(joined))
    found = find_occupancy(log, find_people(log))
    assert found.inside[:, 0].tolist() == [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    assert np.argwhere(found.written).tolist() == [[0, 0], [3, 1], [5, 0], [9, 0]]


def test_people_left_out_by_a_higher_threshold_are_nobody() -> None:
    READ.mention_prob[5] = 0.6
    try:
        people = find_people(READ, 0.7)
        assert [(one.id, one.name) for one in people] == [(1, "Emma"), (2, "Emma's father")]
        found = find_occupancy(READ, people, 0.7)
    finally:
        READ.mention_prob[5] = 0.9
    assert found.inside[:, 0].tolist() == [1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1]
    assert np.argwhere(found.written).tolist() == [[0, 0], [3, 1], [9, 0]]


@given(logs())
def test_whoever_is_decided_for_is_in_the_cell(log: MemoryLog) -> None:
    people = find_people(log)
    found = find_occupancy(log, people)
    assert ((found.written | found.meant).any(axis=1) == decided_tokens(log)).all()
    for token, cell in np.argwhere(found.written).tolist():
        if log.read_by == "mention":
            assert found.inside[token, cell] == found.persons[token] > 0
    assert {*found.inside.flat, *found.persons} <= {0, *(one.id for one in people)}


NAMES = ("Jane", "Tom's", "Mr. Brook", "Malcolm X.", "J. R. Orr.", "O'Neil")
PEOPLE = st.lists(st.sampled_from([*NAMES, "he", "she'll", "the king", "and", "didn't", ",", "."]), max_size=12)


@given(PEOPLE, st.integers(0, 2), st.data())
def test_whoever_is_in_a_cell_is_meant_by_a_reference_to_it(words: list[str], cell: int, data: st.DataObject) -> None:
    log = written_log(" ".join([*words, "it", "she"]), cells=3, threshold=0.25)
    log.coref_prob[:-2], log.overwrite_prob[:-2] = data.draw(gates(log.num_tokens - 2, 3))
    log.coref_prob[-1, cell] = 1
    people = find_people(log)
    found = find_occupancy(log, people)
    newest = len(people)
    assert found.persons[-1] == (found.inside[-2, cell] or newest)
    assert found.inside[-1, cell] == found.persons[-1]
