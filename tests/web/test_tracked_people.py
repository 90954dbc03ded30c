"""Whatever is made of a memory log shows the people that tracking found: same numbers, names and mentions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from absent import need_encoder
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import texts
from tiny import NAMES, WORDS, tiny_model, tiny_reader, tiny_span_model

import petra
from petra.domain import Person
from petra.log import storage
from petra.log.memory_log import MemoryLog
from petra.people.finding import find_people
from petra.people.occupancy import find_occupancy
from petra.report.picture.heatmap_page import heatmap_page
from petra.report.picture.panels import View, make_panels
from petra.report.templating import printable
from petra.report.values.differences import compare
from petra.tracker import Tracker, Tracking
from petra.web.api.steps import steps_json
from petra.web.reading.jobs import Result

MODELS = ("vanilla", "learned-init", "fixed-key", "referential-reader", "span-head")
SPOKEN = st.lists(st.sampled_from([*WORDS, *(name.title() for name in NAMES), ".", ",", "'s", '"']), max_size=60)
# Sentences of words that the tiny models know, and any characters.
TEXTS = SPOKEN.map(" ".join) | texts()
several_trackers = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def tracker_of(tiny_encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Tracker]:
    """The tracker of a tiny model of each kind."""

    @lru_cache
    def tracker(kind: str) -> Tracker:
        folder = tmp_path_factory.mktemp("models") / kind
        if kind == "span-head":
            tiny_span_model(folder, tiny_encoder)
        elif kind == "referential-reader":
            tiny_reader(folder, tiny_encoder)
        else:
            tiny_model(folder, tiny_encoder, variant=kind)  # type: ignore[arg-type]
        return petra.load(folder, device="cpu")

    return tracker


@pytest.mark.parametrize("kind", MODELS)
@several_trackers
@given(text=TEXTS)
def test_a_log_holds_the_people_tracked(
    kind: str, text: str, tracker_of: Callable[[str], Tracker], tmp_path: Path
) -> None:
    tracking = tracker_of(kind).track(text)
    check(tracking)
    storage.save(tracking.log, tmp_path / "text.log")
    stored = storage.load(tmp_path / "text.log")
    assert stored.read_by == ("mention" if kind == "span-head" else "token")
    assert find_people(stored) == tracking.people
    assert shown_in_picture(stored) == listed(tracking.people)


@pytest.mark.parametrize("kind", MODELS)
@several_trackers
@given(text=TEXTS, threshold=st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]), cells=st.integers(1, 5))
def test_another_threshold_and_other_cells_agree_too(
    kind: str, text: str, threshold: float, cells: int, tracker_of: Callable[[str], Tracker]
) -> None:
    any_number = kind in ("vanilla", "span-head")  # of cells; the others have those that they were trained with
    check(tracker_of(kind).track(text, threshold=threshold, cells=cells if any_number else None))


@pytest.mark.parametrize("kind", MODELS[:-1])
@several_trackers
@given(text=TEXTS)
def test_gates_alone_give_the_same_people(kind: str, text: str, tracker_of: Callable[[str], Tracker]) -> None:
    """A log of the earlier format, which holds no mentions, of a model that is read token by token."""
    tracking = tracker_of(kind).track(text)
    assert find_people(replace(tracking.log, mentions=None)) == tracking.people


@several_trackers
@given(text=TEXTS, cells=st.integers(1, 4))
def test_a_mention_goes_to_the_cell_that_was_just_used(
    text: str, cells: int, tracker_of: Callable[[str], Tracker]
) -> None:
    tracking = tracker_of("span-head").track(text, cells=cells)
    check_cells(tracking)


STORIES = [
    "Ruth Calloway wrote her first novel on the night train to Lisbon. Her editor, Paul Brandt, thought it too long, "
    "but he printed every word of it. Years later she told Maria Lenz that the only line she would cut was his.",
    "“You are late, Nell,” said Vera Orr. Nell's brother laughed. “I ran,” said he, “and my sister fell.” "
    "The old doctor, Peter Lowe, looked after her; his daughter Ada brought Mrs. Orr a chair.",
]


@pytest.mark.parametrize("cells", [None, 2])
@pytest.mark.parametrize("text", STORIES)
def test_a_shipped_model_with_a_span_head(text: str, cells: int | None, tmp_path: Path) -> None:
    need_encoder("minilm")
    tracking = shipped().track(text, cells=cells)
    assert len(tracking.people) >= 3
    check(tracking)
    check_cells(tracking)
    storage.save(tracking.log, tmp_path / "story.log")
    stored = storage.load(tmp_path / "story.log")
    assert find_people(stored) == tracking.people
    assert shown_in_picture(stored) == listed(tracking.people)


@lru_cache
def shipped() -> Tracker:
    return petra.load("small", device="cpu")


def check(tracking: Tracking) -> None:
    """Picture, steps, report and comparison show the people of a tracking."""
    people, log = tracking.people, tracking.log
    assert find_people(log) == people
    assert shown_in_picture(log) == listed(people)
    assert shown_in_steps(tracking) == listed(people)
    report = Result(tracking).report
    assert sorted(shown_in_report(report)) == [(one.id, printable(one.name), len(one.mentions)) for one in people]
    assert marked_in_report(report) == {person.id: len(person.mentions) for person in people}
    comparison = compare(people, find_people(log))
    assert (comparison.differences, comparison.same_people) == ((), {person.id: person.id for person in people})


def check_cells(tracking: Tracking) -> None:
    """Read mention by mention, the cell that a mention went to has the usage 1: it was used at this very token."""
    log = tracking.log
    found = find_occupancy(log, tracking.people)
    decided = found.written | found.meant
    assert log.mentions is not None
    assert np.flatnonzero(decided.any(axis=1)).tolist() == sorted(log.mentions.heads.tolist())
    for head, person in zip(log.mentions.heads.tolist(), log.mentions.people.tolist(), strict=True):
        (cell,) = np.flatnonzero(decided[head])
        assert log.usage[head].argmax() == cell
        assert found.inside[head, cell] == found.persons[head] == person
    # Whoever is in a cell is in no other, and a cell that was never used is empty.
    assert all(np.count_nonzero(row == person) == 1 for row in found.inside for person in row[row > 0])
    assert ((found.inside > 0) == (log.usage > 0)).all()


def listed(people: tuple[Person, ...]) -> list[tuple[int, str]]:
    return [(person.id, person.name) for person in people]


def shown_in_picture(log: MemoryLog) -> list[tuple[int, str]]:
    panels = make_panels([log], View(with_people=True, last=str(len(log.text))))
    (reading,) = panels[0].readings
    decided = np.maximum(reading.overwrite_persons, reading.coref_persons).max(axis=1, initial=0)
    assert ((decided == 0) | (decided == reading.persons)).all()
    names = re.findall(r'<li class="c\d">(\d+) <bdi>(.*?)</bdi>', heatmap_page(panels))
    assert [(int(number), unescape(name)) for number, name in names] == [
        (person.id, printable(person.name)) for person in reading.people
    ]
    return listed(reading.people)


def shown_in_steps(tracking: Tracking) -> list[tuple[int, str]]:
    log = tracking.log
    told = steps_json(log, tracking.people, Result(tracking).occupancy, 0, log.num_tokens)
    return [(person["id"], person["name"]) for person in told["people"]]


def shown_in_report(html: str) -> list[tuple[int, str, int]]:
    """The number, the name and the number of mentions of everybody in the list of a report."""
    found = re.findall(
        r'>(\d+)</span><span class="name"><bdi>(.*?)</bdi></span><span class="count" [^>]*>([\d,]+)<', html
    )
    return [(int(number), unescape(name), int(count.replace(",", ""))) for number, name, count in found]


def marked_in_report(html: str) -> Counter[int]:
    """How many mentions of each person are marked in the text of a report."""
    return Counter(int(number) for number in re.findall(r'<mark [^>]*\bid="m(\d+)-\d+"', html))
