from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import logs
from written_logs import Mark, written_log

from petra.domain import Event
from petra.errors import ConfigError, LogError
from petra.log.memory_log import MemoryLog
from petra.log.rows import LogRows
from petra.people.finding import collect, find_people
from petra.reading.by_token.grouping import Grouper
from petra.text.piece import Piece

GATES = logs().map(lambda log: replace(log, read_by="token", mentions=None))


def grouped(text: str, *marks: Mark, threshold: float | None = None) -> dict[str, list[str]]:
    """Name of each person -> the mentions."""
    people = find_people(written_log(text, *marks), threshold)
    assert [person.id for person in people] == list(range(1, len(people) + 1))
    return {person.name: [mention.text for mention in person.mentions] for person in people}


def feed(reader: Grouper, log: MemoryLog, rows: slice, text: str) -> list[Event]:
    gates = LogRows(log.mention_prob[rows], log.coref_prob[rows], log.overwrite_prob[rows], log.usage[rows])
    return reader.feed(Piece(text, log.starts[rows], log.ends[rows], log.words[rows]), gates)


def test_people_of_a_short_text() -> None:
    log = written_log(
        "Jane met Tom. She smiled at him.",
        ("Jane", 0, "new", 0.75),
        ("Tom", 1, "new", 0.5),
        ("She", 0, "same", 1.0),
        ("him", 1, "same", 0.625),
    )
    jane, tom = find_people(log)
    assert (jane.id, jane.name) == (1, "Jane")
    assert [(m.start, m.end, m.text, m.kind, m.probability) for m in jane.mentions] == [
        (0, 4, "Jane", "name", 0.75),
        (14, 17, "She", "pronoun", 1.0),
    ]
    assert (tom.id, tom.name) == (2, "Tom")
    assert [(m.text, m.probability) for m in tom.mentions] == [("Tom", 0.5), ("him", 0.625)]


def test_an_overwrite_ends_a_person() -> None:
    assert grouped(
        "Jane left. She slept. Tom came. He ate.",
        ("Jane", 0, "new"),
        ("She", 0, "same"),
        ("Tom", 0, "new"),
        ("He", 0, "same"),
    ) == {"Jane": ["Jane", "She"], "Tom": ["Tom", "He"]}


def test_an_overwrite_below_the_threshold_ends_nobody() -> None:
    marks: list[Mark] = [("Jane", 0, "new"), ("left", 0, "new", 0.4), ("She", 0, "same")]
    assert grouped("Jane left. She slept.", *marks) == {"Jane": ["Jane", "She"]}
    assert grouped("Jane left. She slept.", *marks, threshold=0.4) == {"Jane": ["Jane"], "left": ["left", "She"]}


def test_a_reference_to_an_empty_cell_opens_a_person() -> None:
    assert grouped(
        "Jane left. She slept. She woke.", ("Jane", 0, "new", 0.4), ("She", 0, "same"), ("She", 0, "same")
    ) == {"She": ["She", "She"]}


def test_a_name_whose_words_open_two_cells_is_one_person() -> None:
    assert grouped(
        "Jane Bennet left. She slept. Bennet woke.",
        ("Jane", 0, "new"),
        ("Bennet", 1, "new"),
        ("She", 0, "same"),
        ("Bennet", 1, "same"),
    ) == {"Jane Bennet": ["Jane Bennet", "She", "Bennet"]}


def test_a_known_person_written_once_more_is_the_same_person() -> None:
    # On "Jane" the memory refers to cell 0 with 0.6 and writes cell 1 with 0.5: both hold her from there.
    assert grouped(
        "Jane left. Jane slept. She woke. She ate.",
        ("Jane", 0, "new"),
        ("Jane", 0, "same", 0.6),
        ("", 1, "new", 0.5),
        ("She", 1, "same"),
        ("She", 0, "same"),
    ) == {"Jane": ["Jane", "Jane", "She", "She"]}


def test_a_mention_goes_to_its_strongest_decision() -> None:
    # "Jane" alone resembles the first Jane, 0.6; with her surname she is somebody new, 0.9.
    assert grouped(
        "Jane Eyre left. Jane Bennet came.",
        ("Jane", 0, "new"),
        ("Eyre", 0, "same"),
        ("Jane", 0, "same", 0.6),
        ("Bennet", 1, "new", 0.9),
    ) == {"Jane Eyre": ["Jane Eyre"], "Jane Bennet": ["Jane Bennet"]}


def test_of_equally_strong_decisions_the_earlier_counts() -> None:
    text, first = "Jane left. Tom Bennet came.", ("Jane", 0, "new")
    assert grouped(text, first, ("Tom", 0, "same"), ("Bennet", 1, "new")) == {"Tom Bennet": ["Jane", "Tom Bennet"]}
    assert grouped(text, first, ("Tom", 1, "new"), ("Bennet", 0, "same")) == {
        "Jane": ["Jane"],
        "Tom Bennet": ["Tom Bennet"],
    }


def test_a_cell_written_on_punctuation_holds_nobody() -> None:
    # Jane's cell is gone with the full stop, so the pronoun cannot be hers.
    assert grouped("Jane left. She slept.", ("Jane", 0, "new"), (".", 0, "new"), ("She", 0, "same")) == {
        "Jane": ["Jane"],
        "She": ["She"],
    }


def test_the_probability_is_that_of_the_best_token_in_the_persons_cell() -> None:
    log = written_log(
        "Jane Eyre left.", ("Jane", 0, "new", 0.5), ("Eyre", 0, "same", 0.5), ("", 0, "new", 0.25), ("", 1, "same", 0.3)
    )
    (jane,) = find_people(log)
    assert jane.mentions[0].probability == 0.75


def test_a_threshold_of_zero_takes_every_word() -> None:
    assert [m.text for p in find_people(written_log("so it is, Jane"), 0.0) for m in p.mentions] == ["it", "Jane"]


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
def test_a_threshold_is_a_probability(threshold: float) -> None:
    with pytest.raises(ConfigError, match="lies between 0 and 1"):
        find_people(written_log("Jane left."), threshold)


def test_an_empty_text_has_no_people() -> None:
    assert find_people(written_log("")) == ()
    assert find_people(written_log(" \n ")) == ()


def test_events_come_as_soon_as_a_mention_is_complete() -> None:
    log = written_log("Jane Bennet saw him. She left", ("Jane", 0, "new"), ("him", 1, "new"), ("She", 0, "same"))
    reader = Grouper(0.5)
    text = iter(["Jane", " Bennet", " saw", " him", ".", " She", " left"])
    come = [[event.mention.text for event in feed(reader, log, slice(t, t + 1), next(text))] for t in range(7)]
    # A word is complete when the next has begun, a name when the word after it is.
    assert come == [[], [], [], ["Jane Bennet"], [], ["him"], ["She"]]
    assert reader.finish() == []


def test_events_say_who_is_new() -> None:
    log = written_log("Jane met Tom. She left", ("Jane", 0, "new"), ("Tom", 1, "new"), ("She", 0, "same"))
    reader = Grouper(0.5)
    events = [*feed(reader, log, slice(None), log.text), *reader.finish()]
    assert [(event.person_id, event.is_new) for event in events] == [(1, True), (2, True), (1, False)]


def test_rows_without_their_text_are_refused() -> None:
    log = written_log("Jane met Tom.", ("Jane", 0, "new"))
    with pytest.raises(LogError, match=r"Tokens at 0\.\.13 were fed, with text for 0\.\.4"):
        feed(Grouper(0.5), log, slice(None), "Jane")


def test_the_reader_forgets_what_it_has_read() -> None:
    sentence = "Jane Bennet met Mr. Darcy, and she smiled. "
    log = written_log(sentence, ("Jane", 0, "new"), ("Darcy", 1, "new"), ("she", 0, "same"))
    reader = Grouper(0.5)
    for turn in range(50):
        place = turn * len(sentence)
        piece = Piece(sentence, log.starts + place, log.ends + place, log.words + turn * log.num_tokens)
        reader.feed(piece, LogRows(log.mention_prob, log.coref_prob, log.overwrite_prob, log.usage))
        assert len(reader._text.slice(0, 10**9)) < len(sentence)


@given(log=GATES, data=st.data())
def test_any_portions_give_the_same_people(log: MemoryLog, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, log.num_tokens), max_size=6)))
    reader, events, fed = Grouper(log.threshold), [], 0
    for first, last in zip([0, *cuts], [*cuts, log.num_tokens], strict=True):
        least = max(fed, int(log.ends[last - 1]) if last else 0)
        # The text may be fed exactly as far as the tokens need it, or further.
        reach = data.draw(st.integers(least, len(log.text)))
        events += feed(reader, log, slice(first, last), log.text[fed:reach])
        fed = reach
    events += feed(reader, log, slice(0, 0), log.text[fed:])
    assert collect([*events, *reader.finish()]) == find_people(log)


@given(log=GATES)
def test_people_and_mentions_are_in_order(log: MemoryLog) -> None:
    people = find_people(log)
    assert [person.id for person in people] == list(range(1, len(people) + 1))
    firsts = [person.mentions[0].start for person in people]
    assert firsts == sorted(firsts)
    everyone = sorted((mention for person in people for mention in person.mentions), key=lambda mention: mention.start)
    for mention in everyone:
        assert log.text[mention.start : mention.end] == mention.text
        assert mention.text.strip() == mention.text != ""
        assert log.threshold - 1e-6 <= mention.probability <= 1
    for one, next_one in pairwise(everyone):
        assert one.end <= next_one.start
    for person in people:
        assert list(person.mentions) == sorted(person.mentions, key=lambda mention: mention.start)
        assert person.name in {" ".join(mention.text.split()) for mention in person.mentions}


@given(log=GATES)
def test_people_are_never_more_than_decisions(log: MemoryLog) -> None:
    decided = np.maximum(log.coref_prob, log.overwrite_prob).max(axis=1) >= np.float32(log.threshold)
    assert sum(len(person.mentions) for person in find_people(log)) <= decided.sum()
