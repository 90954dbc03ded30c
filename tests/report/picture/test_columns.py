from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from written_logs import written_log

from petra.log.memory_log import MemoryLog
from petra.report.picture.columns import Column, fold, gates_at, joins_at, one_line, places_of, shown_around


def pieces(log: MemoryLog, *ranges: tuple[int, int], words: list[int]) -> MemoryLog:
    """The log with other tokens, all of whose gates are 0."""
    zeros = np.zeros((len(ranges), log.num_cells), dtype=np.float32)
    return dataclasses.replace(
        log,
        starts=np.array([start for start, _ in ranges]),
        ends=np.array([end for _, end in ranges]),
        words=np.array(words),
        mention_prob=zeros[:, 0],
        coref_prob=zeros,
        overwrite_prob=zeros,
        usage=zeros,
    )


def flags(signs: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Flags from signs: # for true."""
    return np.array([sign == "#" for sign in signs], dtype=np.bool_)


def test_the_places_of_one_log_are_its_tokens() -> None:
    log = written_log("Jane met Tom.")
    places = places_of([log], 0, 13)
    assert list(zip(places.starts.tolist(), places.ends.tolist(), strict=True)) == [(0, 4), (5, 8), (9, 12), (12, 13)]
    part = places_of([log], 6, 9)
    assert part.starts.tolist() == [5]  # a token counts as soon as a character of it does


def test_tokens_of_one_character_share_a_place() -> None:
    # Tokens for the bytes of one character all cover it; one covers nothing.
    log = pieces(written_log("a🐕b"), (0, 1), (1, 2), (1, 2), (2, 2), (2, 3), words=[0, 1, 1, 1, 2])
    places = places_of([log], 0, 3)
    assert places.starts.tolist() == [0, 1, 2]
    assert places.ends.tolist() == [1, 2, 3]


def test_logs_share_the_places_where_their_tokens_begin_and_end_together() -> None:
    log = written_log("Goncharenko ran")
    ours = pieces(log, (0, 3), (3, 11), (12, 15), words=[0, 0, 1])
    theirs = pieces(log, (0, 7), (7, 11), (12, 13), (13, 15), words=[0, 0, 1, 1])
    places = places_of([ours, theirs], 0, 15)
    assert places.starts.tolist() == [0, 12]
    assert places.ends.tolist() == [11, 15]


def test_a_place_has_the_largest_gates_of_its_tokens() -> None:
    log = written_log("O' Neil", ("O", 1, "new", 0.5), ("'", 1, "new", 0.75), ("", 0, "same", 0.25), cells=2)
    other = pieces(log, (0, 2), (3, 7), words=[0, 1])
    places = places_of([log, other], 0, 7)
    overwrite, coref = gates_at(places, log, log.tokens_in(0, 7))
    assert overwrite.tolist() == [[0, 0.75], [0, 0]]
    assert coref.tolist() == [[0.25, 0], [0, 0]]


def test_pieces_of_a_word_join() -> None:
    log = pieces(written_log("Lindqvist ran"), (0, 3), (3, 4), (4, 9), (10, 13), words=[0, 0, 0, 1])
    places = places_of([log], 0, 13)
    assert joins_at(places, log, range(4)).tolist() == [False, True, True, False]


@pytest.mark.parametrize(
    ("people", "shown"),
    [
        ("..........", ".........."),
        ("#.........", "###......."),  # two of context
        (".....#....", "##########"),  # three left over are too short to skip
        ("......#...", "....######"),
        ("#......#..", "##########"),
        ("#........#", "###....###"),
    ],
)
def test_what_is_shown_around_people(people: str, shown: str) -> None:
    found = shown_around(flags(people), np.zeros(10, dtype=np.bool_))
    assert "".join(".#"[value] for value in found.tolist()) == shown


def test_words_are_shown_whole() -> None:
    # The context of the first place reaches the first piece of a word of three.
    found = shown_around(flags("#........."), flags("...##....."))
    assert "".join(".#"[value] for value in found.tolist()) == "#####....."


@given(st.text("#.", max_size=60), st.text("#.", min_size=60, max_size=60))
def test_people_are_never_skipped_and_gaps_are_long(people: str, joins: str) -> None:
    found = shown_around(flags(people), flags(joins[: len(people)]))
    assert (found >= flags(people)).all()
    gaps = re.findall(r"\.+", "".join(".#"[value] for value in found.tolist()))
    assert all(len(gap) >= 4 for gap in gaps) or not found.any()


def test_lines_are_broken_between_words() -> None:
    columns = [Column(place, place + 1, "x", joins=place in (9, 10)) for place in range(25)]
    assert fold(columns, 10) == (range(0, 8), range(8, 18), range(18, 25))
    assert fold(columns[:11], 10) == (range(11),)  # rather than one alone
    assert fold([], 10) == ()


def test_a_word_longer_than_a_line_is_broken() -> None:
    columns = [Column(place, place + 1, "x", joins=place > 0) for place in range(25)]
    assert fold(columns, 10) == (range(0, 10), range(10, 20), range(20, 25))


@given(st.lists(st.booleans(), max_size=120), st.integers(10, 50))
def test_lines_hold_every_column_once(joins: list[bool], width: int) -> None:
    lines = fold([Column(0, 1, "x", joins=joined) for joined in joins], width)
    assert [place for line in lines for place in line] == list(range(len(joins)))
    assert all(1 <= len(line) <= width + width // 8 for line in lines)


def test_a_label_is_one_line_that_can_be_drawn() -> None:
    assert one_line("She") == "She"
    assert one_line(" a\n b\u2028c\x00\ud800") == "a b c\ufffd\ufffd"
    assert one_line("z" * 4000) == "z" * 17 + "…"
