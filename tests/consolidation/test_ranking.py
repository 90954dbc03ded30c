"""Who pronouns and nominals are of, with everybody and every speaker known."""

from __future__ import annotations

import math

import pytest
from recorded_people import Mark, consolidated, recorded

from petra.consolidation.consolidate import join
from petra.consolidation.ranking import (
    RANK_FEATURES,
    RANKED_KINDS,
    RankedKind,
    Ranking,
    RankPair,
    learned_weights,
    ranked_kind,
)

TEXT = "Tom met Ada. “He is late,” said Tom. Bob came."
MARKS: list[Mark] = [
    ("Tom", "name", 1),
    ("Ada", "name", 2),
    ("He", "pronoun", 1, {1: 0.9, 3: 0.05}),
    ("Tom", "name", 1),
    ("Bob", "name", 3),
]


def candidates(text: str, *marks: Mark) -> dict[str, tuple[RankedKind, dict[int, RankPair]]]:
    """The candidates at each mention that is ranked, by its words."""
    events, records = recorded(text, *marks)
    decided = join(text, events, records)
    return {
        events[number].mention.text: (kind, {it.person: it for it in pairs})
        for number, kind, pairs in Ranking(text, events, decided).candidates(decided.people)
    }


def test_every_kind_has_weights_of_known_features() -> None:
    assert learned_weights().keys() == set(RANKED_KINDS)
    assert all(weights.keys() <= RANK_FEATURES.keys() for weights in learned_weights().values())


def test_candidates_are_those_of_linking_and_the_people_around() -> None:
    kind, found = candidates(TEXT, *MARKS)["He"]
    assert kind == "third_person"
    assert found.keys() == {1, 2, 3}  # Ada, whose gender nothing tells but her name, is one who was named


def test_who_says_a_quotation_is_known_before_it_ends() -> None:
    _, found = candidates(TEXT, *MARKS)["He"]
    assert {person: RANK_FEATURES["speaks"](it) for person, it in found.items()} == {1: 1.0, 2: 0.0, 3: 0.0}
    assert RANK_FEATURES["share"](found[1]) == pytest.approx(math.log(0.91))


def test_the_last_named_is_neither_speaker_nor_addressee() -> None:
    _, found = candidates(TEXT, *MARKS)["He"]
    assert {person: RANK_FEATURES["named_last"](it) for person, it in found.items()} == {1: 0.0, 2: 1.0, 3: 0.0}


def test_gender_is_that_of_the_whole_text() -> None:
    text = "Sam met Kim. She sat. He saw her."
    marks: list[Mark] = [
        ("Sam", "name", 1),
        ("Kim", "name", 2),
        ("She", "pronoun", 2),
        ("He", "pronoun", 1),
        ("her", "pronoun", 2, {2: 0.6, 1: 0.4}),
    ]
    _, found = candidates(text, *marks)["her"]
    # One "he" of Sam and two "she" of Kim: certainties of 1/2 and 2/3.
    assert RANK_FEATURES["other_gender"](found[1]) == pytest.approx(1 / 2)
    assert RANK_FEATURES["agreeing_gender"](found[2]) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("words", "kind", "expected"),
    [
        ("He", "pronoun", "third_person"),
        ("It", "pronoun", None),
        ("the man", "nominal", "nominal"),
        ("Tom", "name", None),
    ],
)
def test_what_is_ranked(words: str, kind: str, expected: RankedKind | None) -> None:
    _, records = recorded(f"{words} sat.", (words, kind, 1))  # type: ignore[arg-type]
    assert ranked_kind(records[0]) == expected


def test_whoever_says_it_is_not_he() -> None:
    text = "Bob sat. He ate. Tom met Bob. He ran. “He is late,” said Tom. " * 3
    marks: list[Mark] = [
        ("Bob", "name", 2),
        ("He", "pronoun", 2),
        ("Tom", "name", 1),
        ("Bob", "name", 2),
        ("He", "pronoun", 1),
        ("He", "pronoun", 1, {1: 0.5, 2: 0.45}),
        ("Tom", "name", 1),
    ]
    assert consolidated(text, *marks * 3) == [["Bob", "He", "Bob", "He"] * 3, ["Tom", "He", "Tom"] * 3]
