from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import logs
from written_logs import read_by_mention, written_log

from petra.log.memory_log import MemoryLog
from petra.report.picture.panels import MOST_COLUMNS, Panel, View, make_panels

STORY = "Jane met Tom. It rained on the hill and on the roofs of the town. She left."
MARKS = (("Jane", 0, "new"), ("Tom", 2, "new", 0.3), ("She", 0, "same", 0.8))
LOG = written_log(STORY, *MARKS)


def panel_of(*given: MemoryLog, **view: Any) -> Panel:
    (panel,) = make_panels(given, View(**view))
    return panel


def labels(panel: Panel) -> list[str]:
    return [column.label for column in panel.columns]


def test_stretches_without_people_are_skipped() -> None:
    panel = panel_of(LOG)
    assert labels(panel) == ["Jane", "met", "Tom", ".", "It", "…", "town", ".", "She", "left", "."]
    assert [column.skipped for column in panel.columns if column.is_gap] == [10]
    assert STORY[panel.columns[5].start : panel.columns[5].end] == "rained on the hill and on the roofs of the"


def test_every_token_can_be_shown() -> None:
    panel = panel_of(LOG, all_tokens=True)
    assert len(panel.columns) == LOG.num_tokens
    assert not any(column.is_gap for column in panel.columns)


def test_the_gates_are_those_of_the_log() -> None:
    (reading,) = panel_of(LOG).readings
    assert np.argwhere(reading.overwrite_prob).tolist() == [[0, 0], [2, 2]]
    assert np.argwhere(reading.coref_prob).tolist() == [[8, 0]]
    assert reading.overwrite_prob[[0, 2], [0, 2]].tolist() == [np.float32(0.9), np.float32(0.3)]


def test_cells_that_are_not_used_are_left_out() -> None:
    (reading,) = panel_of(LOG).readings
    assert (reading.cells, reading.unused, reading.num_cells) == ((0, 2), (1, 3), 4)
    (reading,) = panel_of(LOG, all_cells=True).readings
    assert (reading.cells, reading.unused) == ((0, 1, 2, 3), ())


def test_a_reading_without_people_keeps_its_empty_rows() -> None:
    empty = written_log(STORY, cells=3)
    panel = panel_of(LOG, empty)
    assert panel.readings[1].cells == (0, 1, 2)
    assert panel.shows_tokens
    assert not panel_of(empty).shows_tokens
    assert panel_of(empty, all_tokens=True).shows_tokens


def test_what_was_decided_depends_on_the_threshold() -> None:
    panel = panel_of(LOG)
    assert [column.label for column, is_decided in zip(panel.columns, panel.decided, strict=True) if is_decided] == [
        "Jane",
        "She",
    ]
    assert panel_of(LOG, threshold=0.3).decided.sum() == 3


def test_weak_gates_are_shown_where_the_threshold_is_low() -> None:
    log = written_log(STORY, ("hill", 0, "new", 0.0625), threshold=0.5)
    assert not panel_of(log).shows_tokens
    assert "hill" in labels(panel_of(log, threshold=0.0625))


def test_people_are_named_where_they_are_mentioned() -> None:
    (reading,) = panel_of(LOG, with_people=True, threshold=0.3).readings
    assert [(person.id, person.name) for person in reading.people] == [(1, "Jane"), (2, "Tom")]
    assert reading.persons.tolist() == [1, 0, 2, 0, 0, 0, 0, 0, 1, 0, 0]
    assert reading.coref_persons[:, 0].tolist() == [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]
    assert reading.overwrite_persons[:, 2].tolist() == [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0]
    (reading,) = panel_of(LOG, with_people=True, threshold=0.3, first="It").readings
    assert [person.name for person in reading.people] == ["Jane"]  # Tom is not shown
    assert panel_of(LOG).readings[0].people == ()


FAMILY = read_by_mention(
    "Emma's father met Tom. All the town knew and loved him by the end of that one evening.",
    ("Emma", "Emma", 1, {"new": 0}),
    ("Emma's father", "father", 2, {"new": 1, "same": 0}),
    ("Tom", "Tom", 3, {"new": 2, "same": 0}),
    ("him", "him", 3, {"same": 2, "new": 3}),
)


def test_mentions_within_others_are_shown() -> None:
    (reading,) = panel_of(FAMILY, with_people=True, all_tokens=True).readings
    assert [(person.id, person.name) for person in reading.people] == [(1, "Emma"), (2, "Emma's father"), (3, "Tom")]
    # Emma ' s father met Tom . All the town knew and loved him ...
    assert reading.persons[:14].tolist() == [1, 2, 2, 2, 0, 3, 0, 0, 0, 0, 0, 0, 0, 3]


def test_read_mention_by_mention_the_cell_decided_on_has_the_colour() -> None:
    panel = panel_of(FAMILY, with_people=True, all_tokens=True)
    (reading,) = panel.readings
    # Every gate of a mention with two has 0.45, and the threshold is 0.5.
    assert np.argwhere(reading.overwrite_persons).tolist() == [[0, 0], [3, 1], [5, 2]]
    assert np.argwhere(reading.coref_persons).tolist() == [[13, 2]]
    assert np.flatnonzero(panel.decided).tolist() == [0, 3, 5, 13]


def test_read_mention_by_mention_every_mention_is_shown() -> None:
    weak = replace(FAMILY, overwrite_prob=FAMILY.overwrite_prob / 20, coref_prob=FAMILY.coref_prob / 20)
    panel = panel_of(weak, with_people=True)
    assert labels(panel)[:6] == ["Emma", "'", "s", "father", "met", "Tom"]
    assert labels(panel)[-5:] == ["loved", "him", "by", "the", "…"]
    assert [person.id for person in panel.readings[0].people] == [1, 2, 3]


def test_another_threshold_leaves_out_mentions_that_are_less_likely() -> None:
    likely = replace(
        FAMILY, mention_prob=np.where(np.arange(FAMILY.num_tokens) == 5, np.float32(0.6), FAMILY.mention_prob)
    )
    (reading,) = panel_of(likely, with_people=True, threshold=0.7).readings
    assert [(person.name, len(person.mentions)) for person in reading.people] == [
        ("Emma", 1),
        ("Emma's father", 1),
        ("him", 1),
    ]


def test_a_part_of_the_text() -> None:
    panel = panel_of(LOG, first="Tom", last="rained")
    assert labels(panel) == ["Tom", ".", "It", "rained"]
    assert (panel.span, panel.num_characters, panel.is_cut) == ((9, 23), len(STORY), False)


def test_logs_of_one_text_share_their_columns() -> None:
    other = written_log(STORY, ("hill", 0, "new"), cells=2)
    panel = panel_of(LOG, other)
    assert "hill" in labels(panel)
    assert [reading.title for reading in panel.readings] == ["by hand, 4 cells", "by hand, 2 cells"]
    for reading in panel.readings:
        assert reading.overwrite_prob.shape == (len(panel.columns), reading.num_cells)


def test_logs_of_different_texts_stand_apart() -> None:
    other = written_log("Zoe ran.", ("Zoe", 0, "new"), cells=1)
    panels = make_panels([LOG, other, LOG], View(), ["first", "second"])
    assert [[reading.title for reading in panel.readings] for panel in panels] == [
        ["first", "by hand, 4 cells"],
        ["second"],
    ]


def test_titles_are_the_models_own() -> None:
    one = replace(written_log("Zoe ran.", cells=1), model="base")
    assert panel_of(one).readings[0].title == "base, 1 cell"


@pytest.mark.parametrize(("end", "shown"), [(None, MOST_COLUMNS), ("100000", 1200)])
def test_a_long_text_is_cut_unless_its_end_is_chosen(end: str | None, shown: int) -> None:
    log = written_log("Jane ran. " * 400, *[("Jane", 0, "same")] * 400)
    panel = panel_of(log, last=end)
    assert (len(panel.columns), panel.num_columns, panel.is_cut) == (shown, 1200, end is None)
    assert panel.span == (0, {400: 1334, 1200: 3999}[shown])


def test_a_text_without_words() -> None:
    panel = panel_of(written_log(" "))
    assert (panel.columns, panel.lines, panel.span, panel.shows_tokens) == ((), (), (0, 0), False)


@given(logs(), st.booleans())
def test_nothing_notable_is_lost(log: MemoryLog, with_people: bool) -> None:
    panel = panel_of(log, with_people=with_people)
    (reading,) = panel.readings
    gates = np.maximum(log.overwrite_prob, log.coref_prob)
    shown = [column for column in panel.columns if not column.is_gap]
    notable = gates.max(axis=1, initial=0) >= 0.1
    assert {int(start) for start in log.starts[notable]} <= {column.start for column in shown}
    assert set(np.flatnonzero((gates >= 0.1).any(axis=0)).tolist()) <= set(reading.cells)
    drawn = np.maximum(reading.overwrite_prob, reading.coref_prob)
    places = [int(np.searchsorted(log.starts, column.start)) for column in shown]
    assert (drawn[[not column.is_gap for column in panel.columns]] == gates[places]).all()
    assert all(0 <= one.end <= two.start for one, two in zip(panel.columns, panel.columns[1:], strict=False))


OTHER = written_log(STORY, ("Jane", 1, "new"), ("Tom", 2, "new", 0.3), ("She", 3, "new", 0.8))  # She is somebody else


def test_words_on_which_readings_differ_are_marked() -> None:
    panel = panel_of(LOG, OTHER, compared=True)
    assert [column.label for column, differs in zip(panel.columns, panel.differs, strict=True) if differs] == ["She"]
    assert (panel.compared, panel.num_differences, panel.only_differences) == (True, 1, False)
    assert not panel_of(LOG, OTHER).differs.any()  # unless asked for
    assert not panel_of(LOG, compared=True).compared


def test_people_of_compared_readings_share_their_numbers() -> None:
    swapped = written_log(STORY, ("Tom", 2, "new"), ("She", 0, "new"))  # Tom is the first whom this reading finds
    first, second = panel_of(LOG, swapped, compared=True, with_people=True, threshold=0.2).readings
    assert [(person.id, person.name) for person in first.people] == [(1, "Jane"), (2, "Tom")]
    assert [(person.id, person.name) for person in second.people] == [(1, "She"), (2, "Tom")]
    assert (first.persons[2], second.persons[2]) == (2, 2)
    assert second.overwrite_persons[2, 2] == 2


def test_a_page_holds_two_readings() -> None:
    text = "Jane met Tom. She left. " * 60
    marks = [mark for _ in range(60) for mark in (("Jane", 0, "same"), ("Tom", 1, "same"), ("She", 0, "same"))]
    other = list(marks)
    other[20] = ("She", 1, "same")
    panel = panel_of(written_log(text, *marks), written_log(text, *other), compared=True)
    # What both say of Tom and Jane elsewhere is left out.
    assert (panel.only_differences, panel.is_cut, len(panel.lines)) == (True, False, 1)
    assert [labels(panel)[place] for place in np.flatnonzero(panel.differs)] == ["She"]
    whole = panel_of(written_log(text, *marks), written_log(text, *other), compared=True, all_tokens=True)
    assert not whole.only_differences
    # Without a difference there is nothing to prefer: the first page is shown.
    alike = panel_of(written_log(text, *marks), written_log(text, *marks), compared=True)
    assert alike.is_cut
    assert sum(map(alike.rows_of, alike.lines)) <= 84


def test_compared_lines_have_the_cells_that_are_used_in_them() -> None:
    text = "Jane met Tom. " * 20
    marks = [("Jane", 0, "same")] * 10 + [("Tom", 3, "same")] * 10
    panel = panel_of(written_log(text, *marks), written_log(text, *marks), compared=True, columns_per_line=36)
    (first, *_, last), reading = panel.lines, panel.readings[0]
    assert (panel.cells_in(reading, first), panel.cells_in(reading, last)) == ((0,), (3,))
