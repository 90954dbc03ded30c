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
    initial_weights,
    learned_weights,
    ranked_kind,
)
from petra.linking.features import FeatureRow

TEXT = "Tom met Ada. “He is late,” said Tom. Bob came."
MARKS: list[Mark] = [
    ("Tom", "name", 1),
    ("Ada", "name", 2),
    ("He", "pronoun", 1, {1: 0.9, 3: 0.05}),
    ("Tom", "name", 1),
    ("Bob", "name", 3),
]


def candidates(text: str, *marks: Mark) -> dict[str, tuple[RankedKind, dict[int, FeatureRow]]]:
    """The features of the candidates at each mention that is ranked, by its words."""
    events, records = recorded(text, *marks)
    decided = join(text, events, records)
    return {
        events[choice.mentions[0]].mention.text: (choice.kind, dict(zip(choice.people, choice.rows, strict=True)))
        for choice in Ranking(text, events, decided).choices(list(decided.people))
    }


def values(found: dict[int, FeatureRow], feature: str) -> dict[int, float]:
    assert feature in RANK_FEATURES
    return {person: row.get(feature, 0.0) for person, row in found.items()}


def test_every_kind_has_weights_of_known_features() -> None:
    assert learned_weights().keys() == set(RANKED_KINDS) == initial_weights().keys()
    assert all(weights.keys() <= RANK_FEATURES.keys() for weights in learned_weights().values())


def test_candidates_are_those_of_linking_and_the_people_around() -> None:
    kind, found = candidates(TEXT, *MARKS)["He"]
    assert kind == "quoted_third_person"
    assert found.keys() == {1, 2, 3}  # Ada, whose gender nothing tells but her name, is one who was named


def test_who_says_a_quotation_is_known_before_it_ends() -> None:
    _, found = candidates(TEXT, *MARKS)["He"]
    assert values(found, "speaks") == {1: 1.0, 2: 0.0, 3: 0.0}
    assert found[1]["share"] == pytest.approx(math.log(0.91))


def test_the_last_named_is_neither_speaker_nor_addressee() -> None:
    _, found = candidates(TEXT, *MARKS)["He"]
    assert values(found, "named_last") == {1: 0.0, 2: 1.0, 3: 0.0}


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
    assert found[1]["other_gender"] == pytest.approx(1 / 2)
    assert found[2]["agreeing_gender"] == pytest.approx(2 / 3)


def test_whoever_acts_is_not_whom_it_is_done_to() -> None:
    text = "Tom met Bob. Tom saw him. Bob saw himself."
    marks: list[Mark] = [
        ("Tom", "name", 1),
        ("Bob", "name", 2),
        ("Tom", "name", 1),
        ("him", "pronoun", 1, {1: 0.5, 2: 0.5}),
        ("Bob", "name", 2),
        ("himself", "pronoun", 1, {1: 0.5, 2: 0.5}),
    ]
    found = candidates(text, *marks)
    assert values(found["him"][1], "acted_on") == {1: 1.0, 2: 0.0}
    assert values(found["himself"][1], "acted_on_self") == {1: 0.0, 2: 1.0}


def test_the_share_of_somebody_goes_with_the_last_mention() -> None:
    text = "Tom met Bob. He ran. He ate."
    marks: list[Mark] = [
        ("Tom", "name", 1),
        ("Bob", "name", 2),
        ("He", "pronoun", 1, {1: 0.6, 2: 0.4}),
        ("He", "pronoun", 1, {1: 0.9, 2: 0.1}),
    ]
    events, records = recorded(text, *marks)
    ranking = Ranking(text, events, join(text, events, records))
    people = [1, 2, 2, 1]  # the first He was given to Bob, and linking took the second for the same person
    *_, last = ranking.choices(people)
    rows = dict(zip(last.people, last.rows, strict=True))
    assert rows[1]["share"] == pytest.approx(math.log(0.91))
    assert rows[2]["share_now"] == pytest.approx(math.log(1.01))
    assert rows[2]["follows"] == 1.0


def test_all_you_of_a_paragraph_of_a_quotation_are_one_choice() -> None:
    text = "Tom met Ada and Eve. “You know that you are late, Ada,” said Tom."
    marks: list[Mark] = [
        ("Tom", "name", 1),
        ("Ada", "name", 2),
        ("Eve", "name", 3),
        ("You", "pronoun", 3, {3: 0.6, 2: 0.4}),
        ("you", "pronoun", 3, {3: 0.6, 2: 0.4}),
        ("Ada", "name", 2),
        ("Tom", "name", 1),
    ]
    events, records = recorded(text, *marks)
    ranking = Ranking(text, events, join(text, events, records))
    [choice] = [it for it in ranking.choices([record.person for record in records]) if it.kind == "addressee"]
    assert [events[mention].mention.text for mention in choice.mentions] == ["You", "you"]
    assert values(dict(zip(choice.people, choice.rows, strict=True)), "is_called") == {3: 0.0, 2: 1.0, 1: 0.0}
    assert ["Ada", "You", "you", "Ada"] in consolidated(text, *marks)


def test_a_pronoun_of_an_attribution_is_told_by_the_conversation() -> None:
    text = "Tom met Bob.\n\n“Come, Bob,” said Tom.\n\n“I come,” said he."
    marks: list[Mark] = [
        ("Tom", "name", 1),
        ("Bob", "name", 2),
        ("Bob", "name", 2),
        ("Tom", "name", 1),
        ("I", "pronoun", 2),
        ("he", "pronoun", 1, {1: 0.6, 2: 0.4}),
    ]
    kind, found = candidates(text, *marks)["he"]
    assert kind == "saying"
    assert values(found, "is_answered") == {1: 1.0, 2: 0.0}  # nobody replies to their own words
    assert consolidated(text, *marks) == [["Tom", "Tom"], ["Bob", "Bob", "I", "he"]]


def test_an_address_is_of_whom_the_quotation_is_said_to() -> None:
    text = "Tom met Bob.\n\n“Come, Bob,” said Tom.\n\n“Yes, sir,” said Bob."
    marks: list[Mark] = [
        ("Tom", "name", 1),
        ("Bob", "name", 2),
        ("Bob", "name", 2),
        ("Tom", "name", 1),
        ("sir", "nominal", 2, {2: 0.6, 1: 0.4}),
        ("Bob", "name", 2),
    ]
    kind, found = candidates(text, *marks)["sir"]
    assert kind == "quoted_nominal"
    assert values(found, "addresses") == {2: 1.0, 1: 0.0}


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
