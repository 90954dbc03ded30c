"""Which people of a whole text are one."""

from __future__ import annotations

from collections import Counter

import pytest
from recorded_people import Mark, consolidated, recorded

from petra.consolidation.cast import Cast, Character, FullNames, make_cast
from petra.consolidation.joining import JOIN_FEATURES, WEIGHTS, JoinPair, join_people


def joined(text: str, *marks: Mark) -> set[frozenset[int]]:
    """The people that are one, by the numbers of linking."""
    events, records = recorded(text, *marks)
    groups: dict[int, set[int]] = {}
    for person, root in join_people(make_cast(text, events, records)).items():
        groups.setdefault(root, set()).add(person)
    return {frozenset(group) for group in groups.values()}


def test_every_feature_has_a_weight() -> None:
    assert WEIGHTS.keys() == JOIN_FEATURES.keys()


def test_one_name_is_of_one_person() -> None:
    text = "Ada sat down. She read. Then Ada rose. She left."
    marks: list[Mark] = [("Ada", "name", 1), ("She", "pronoun", 1), ("Ada", "name", 2), ("She", "pronoun", 2)]
    assert joined(text, *marks) == {frozenset({1, 2})}


def test_a_title_with_a_given_name_is_of_whoever_has_both_before_a_surname() -> None:
    text = "Sir Piers sat down. He read. Sir Piers Vale rose. He left. "
    marks: list[Mark] = [("Sir Piers", "name", 1), ("He", "pronoun", 1), ("Sir Piers Vale", "name", 2)]
    assert joined(text, *marks, ("He", "pronoun", 2)) == {frozenset({1, 2})}
    lady = text.replace("Sir Piers Vale rose. He", "Lady Vale rose. She")
    assert joined(lady, *marks[:2], ("Lady Vale", "name", 2), ("She", "pronoun", 2)) == {frozenset({1}), frozenset({2})}


def test_pronouns_of_two_genders_keep_namesakes_apart() -> None:
    text = "Sam sat down. She read, and she sang. Then Sam rose. He left, and he ran."
    assert joined(
        text,
        ("Sam", "name", 1),
        ("She", "pronoun", 1),
        ("she", "pronoun", 1),
        ("Sam", "name", 2),
        ("He", "pronoun", 2),
        ("he", "pronoun", 2),
    ) == {frozenset({1}), frozenset({2})}


OFTEN = 8  # times that a name is used, so that it could have been told apart
VALES = "Ada sat down. She read. {last} rose. She left. It was {full} of Kew. Tom Vale came. He sat. "


def vales(last: str, full: str, times: int = OFTEN) -> tuple[str, list[Mark]]:
    """Ada by her first name, somebody by title and surname, Ada by her full name, and a Tom Vale."""
    marks: list[Mark] = [
        ("Ada", "name", 1),
        ("She", "pronoun", 1),
        (last, "name", 2),
        ("She", "pronoun", 2),
        (full, "name", 1),
        ("Tom Vale", "name", 3),
        ("He", "pronoun", 3),
    ]
    return VALES.format(last=last, full=full) * times, marks * times


def test_a_full_name_makes_one_of_given_name_and_surname() -> None:
    text, marks = vales("Miss Vale", "Ada Vale")
    assert joined(text, *marks) == {frozenset({1, 2}), frozenset({3})}


def test_a_few_uses_are_not_enough() -> None:
    text, marks = vales("Miss Vale", "Ada Vale", times=1)
    assert joined(text, *marks) == {frozenset({1}), frozenset({2}), frozenset({3})}


def test_a_title_that_the_given_name_does_not_go_with_keeps_mother_and_daughter_apart() -> None:
    text, marks = vales("Mrs. Vale", "Miss Ada Vale")
    assert frozenset({1, 2}) not in joined(text, *marks)


def test_a_surname_of_two_sisters_is_of_neither_for_sure() -> None:
    text, marks = vales("Miss Vale", "Ada Vale")
    sister: list[Mark] = [("Jane Vale", "name", 4), ("She", "pronoun", 4)]
    assert joined(text + "Jane Vale came. She sat. " * OFTEN, *marks, *(sister * OFTEN)) == {
        frozenset({number}) for number in (1, 2, 3, 4)
    }


def test_a_full_name_with_the_title_is_told_from_the_title_and_surname() -> None:
    text = "Mr. Vale sat. He read. Tom rose. He left. {full} sang. "
    for full, people in (("Mr. Tom Vale", {frozenset({1}), frozenset({2})}), ("Tom Vale", {frozenset({1, 2})})):
        marks: list[Mark] = [
            ("Mr. Vale", "name", 1),
            ("He", "pronoun", 1),
            ("Tom", "name", 2),
            ("He", "pronoun", 2),
            (full, "name", 2),
        ]
        assert joined(text.format(full=full) * OFTEN, *(marks * OFTEN)) == people


def test_a_full_name_with_the_title_now_and_then_is_for_formality() -> None:
    text = "Mr. Vale sat. He read. " + "Tom rose. He left. " * 5 + "Mr. Tom Vale sang. "
    marks: list[Mark] = [("Mr. Vale", "name", 1), ("He", "pronoun", 1)]
    marks += [("Tom", "name", 2), ("He", "pronoun", 2)] * 5 + [("Mr. Tom Vale", "name", 2)]
    assert joined(text * OFTEN, *(marks * OFTEN)) == {frozenset({1, 2})}


def test_a_title_alone_is_of_whoever_bears_it() -> None:
    text = "Doctor Vale came. He sat. The Doctor rose. He left. Dr. Vale sang. "
    marks: list[Mark] = [
        ("Doctor Vale", "name", 1),
        ("He", "pronoun", 1),
        ("The Doctor", "nominal", 2),
        ("He", "pronoun", 2),
        ("Dr. Vale", "name", 1),
    ]
    assert joined(text * OFTEN, *(marks * OFTEN)) == {frozenset({1, 2})}
    two = text.replace("Dr. Vale", "Dr. Moss")
    marks[-1] = ("Dr. Moss", "name", 3)
    assert joined(two * OFTEN, *(marks * OFTEN)) == {frozenset({1}), frozenset({2}), frozenset({3})}


def test_a_foreign_title_alone_is_of_whoever_bears_it() -> None:
    text = "Mademoiselle Vale came. She sat. Mademoiselle rose. "
    marks: list[Mark] = [
        ("Mademoiselle Vale", "name", 1),
        ("She", "pronoun", 1),
        ("Mademoiselle", "name", 2),
    ]
    assert joined(text * OFTEN, *(marks * OFTEN)) == {frozenset({1, 2})}


def test_a_title_before_a_given_name_gives_no_other_surname() -> None:
    text = "Mr. Thaddeus Vale came. He sat. Thaddeus read. Mr. Thaddeus rose. He left. "
    marks: list[Mark] = [
        ("Mr. Thaddeus Vale", "name", 1),
        ("He", "pronoun", 1),
        ("Thaddeus", "name", 1),
        ("Mr. Thaddeus", "name", 2),
        ("He", "pronoun", 2),
    ]
    assert joined(text * OFTEN, *(marks * OFTEN)) == {frozenset({1, 2})}


def test_nicknames_are_of_one_person_unless_both_are_named_together() -> None:
    apart: list[Mark] = [("Elizabeth", "name", 1), ("She", "pronoun", 1), ("Lizzy", "name", 2), ("She", "pronoun", 2)]
    assert joined("Elizabeth sat. She read. Lizzy rose. She left.", *apart) == {frozenset({1, 2})}
    together: list[Mark] = [*apart, ("Elizabeth", "name", 1), ("Lizzy", "name", 2)]
    text = "Elizabeth sat. She read. Lizzy rose. She left. Elizabeth and Lizzy sang."
    assert joined(text, *together) == {frozenset({1}), frozenset({2})}


def test_a_nominal_written_like_a_name_is_one() -> None:
    text = "The Hatter sat. “Well,” said the Hatter. Later the Hatter came. The Hatter sang, and the old man left."
    marks: list[Mark] = [
        ("The Hatter", "nominal", 1),
        ("the Hatter", "nominal", 1),
        ("the Hatter", "nominal", 2),
        ("The Hatter", "nominal", 2),
        ("the old man", "nominal", 3),
    ]
    assert consolidated(text, *marks) == [["The Hatter", "the Hatter", "the Hatter", "The Hatter"], ["the old man"]]


def test_names_near_each_other_speak_for_two_people_where_one_sentence_has_both() -> None:
    # Of names near each other 15.6 % stand in one sentence where they are of two people, 5.4 % where they are of one:
    # ln(0.156 / 0.054) = 1.061 for each that does, ln(0.844 / 0.946) = -0.114 for each that does not, but -1 at most.
    def found(together: int, nearby: int) -> float:
        nobody = Cast(
            characters={},
            together=Counter(),
            nearby=Counter(),
            excluded=Counter(),
            converse=Counter(),
            full_names=FullNames([], {}),
        )
        return JOIN_FEATURES["named_together"](JoinPair(Character(), Character(), nobody, together, nearby, 0, 0))

    assert found(2, 2) == pytest.approx(2 * 1.061, abs=1e-3)
    assert found(2, 12) == pytest.approx(2 * 1.061 - 10 * 0.114, abs=2e-3)
    assert found(0, 3) == pytest.approx(-3 * 0.114, abs=1e-3)
    assert found(0, 100) == -1.0
