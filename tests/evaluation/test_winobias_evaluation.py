from __future__ import annotations

from pathlib import Path

import pytest
from listed_people import ByHand, person, span
from winobias_samples import write_winobias

from petra import Tracker
from petra.corpora.gap import Span
from petra.corpora.winobias import WinoBiasSentence
from petra.domain import Person
from petra.evaluation.as_json import winobias_run_as_json
from petra.evaluation.winobias import evaluate_winobias, is_right

TEXT = "The diver thanked the young potter because she was glad."
SENTENCE = WinoBiasSentence(
    text=TEXT,
    pronoun=Span(*span(TEXT, "she")),
    person=Span(*span(TEXT, "The diver")),
    other=Span(*span(TEXT, "potter")),
)


@pytest.mark.parametrize(
    ("people", "right"),
    [
        ([("The diver", "she"), ("the young potter",)], True),
        ([("diver", "she")], True),  # the head is enough
        ([("The diver",), ("the young potter", "she")], False),
        ([("The diver", "the young potter", "she")], False),
        ([("The diver",), ("the young potter",), ("she",)], False),
        ([("The diver",)], False),
        ([], False),
    ],
)
def test_the_pronoun_is_of_the_right_person_and_not_of_the_other(people: list[tuple[str, ...]], right: bool) -> None:
    found = tuple(person(number, TEXT, *(span(TEXT, it) for it in words)) for number, words in enumerate(people, 1))
    assert is_right(SENTENCE, found) is right


def by_gender(text: str) -> tuple[Person, ...]:
    """Takes whoever is greeted for the potter if a woman, else for the diver, and any other pronoun for the diver."""
    *_, before, last = text.removesuffix(".").split()
    occupation = "potter" if last == "her" else "diver"
    pronoun = last if before == "greeted" else before
    return (
        person(
            1,
            text,
            span(text, occupation),
            span(text, pronoun, after="and greeted" if last in ("her", "him") else "because"),
        ),
    )


def test_the_gap_is_the_largest_difference_of_a_type(tmp_path: Path) -> None:
    # Type 1: of each pair the diver's sentence is right. Type 2: all are right, or none.
    write_winobias(tmp_path)
    read: list[tuple[int, int]] = []
    run = evaluate_winobias(ByHand(by_gender), tmp_path, report=lambda *done: read.append(done))
    assert read[-1] == (8, 8)
    assert winobias_run_as_json(run) == {
        "schema": "petra.evaluation/1",
        "model": "by-hand",
        "split": "dev",
        "type1": {"pro": 50.0, "anti": 50.0},
        "type2": {"pro": 100.0, "anti": 0.0},
        "gap": 100.0,
        "sentences": 8,
    }


def test_a_real_tracker_is_a_finder(tmp_path: Path, tiny_tracker: Tracker) -> None:
    write_winobias(tmp_path)
    assert evaluate_winobias(tiny_tracker, tmp_path).sentences == 8
