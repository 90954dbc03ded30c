from __future__ import annotations

import pytest

from petra.english.sentences import parse
from petra.training.data.instances.runs import find_runs


def names(text: str) -> list[str]:
    return [" ".join(run.name) for run in find_runs(parse(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("In Kew, Ada Vale met J. R. Pym.", ["Kew", "Ada Vale", "J R Pym"]),
        ("Ada's boat and Ruth van Pym's", ["Ada", "Ruth van Pym"]),
        ("The Vale and They left", ["Vale"]),
        ("Tom Ash Jr. left. Ben came.", ["Tom Ash", "Ben"]),
        ("He sailed on HMS Ada Vale.", []),
        ("Ada Vale (born Ada Stone) came from St. Ruth.", ["Ada Vale"]),
        ("Ash FC won at Kew First.", []),
    ],
)
def test_runs_are_what_may_be_a_name(text: str, expected: list[str]) -> None:
    assert names(text) == expected


def test_titles_and_neighbours_are_told_apart() -> None:
    [run] = find_runs(parse("then Mr. Tom Ash sailed"))
    assert (run.titles, run.name, run.before, run.after) == (("mr",), ("Tom", "Ash"), "then", "sailed")
    assert list(run.words) == [2, 3]
