from __future__ import annotations

import pytest

from petra.english.gender import gender_of, given_name_gender, number_of
from petra.english.names import parse_name


def test_what_words_say_of_gender() -> None:
    assert [gender_of(word) for word in ("He", "himself", "gentleman")] == ["masculine"] * 3
    assert [gender_of(word) for word in ("hers", "mother", "Lady")] == ["feminine"] * 3
    assert [gender_of(word) for word in ("they", "I", "doctor", "friend")] == [None] * 4


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("she", "one"),
        ("man", "one"),
        ("They", "many"),
        ("people", "many"),
        ("servants", "many"),
        ("princess", None),
        ("Marquis", None),
        ("friend", None),
        ("you", None),
    ],
)
def test_what_words_say_of_number(word: str, number: str | None) -> None:
    assert number_of(word) == number


@pytest.mark.parametrize(
    ("name", "gender"),
    [
        ("Jane Bennet", "feminine"),
        ("Tom", "masculine"),
        ("Mr. Jane", "masculine"),  # the title goes before the given name
        ("Dr. Jane Grey", "feminine"),
        ("Bennet", None),
        ("Tom and Jane", None),
    ],
)
def test_the_gender_of_a_name(name: str, gender: str | None) -> None:
    assert parse_name(name).gender == gender


def test_a_surname_tells_no_gender() -> None:
    assert given_name_gender("jane") == "feminine"
    assert given_name_gender("bennet") is None


@pytest.mark.parametrize(
    ("noun", "gender"),
    [
        ("stepmother", "feminine"),
        ("brother-in-law", "masculine"),
        ("great-grandmother", "feminine"),
        ("ex-husband", "masculine"),
        ("policewoman", "feminine"),
        ("boatman", "masculine"),
        ("landlady", "feminine"),
        ("human", None),
        ("chairman", None),  # the title of women too
        ("midwife", None),
        ("step", None),
        ("grand", None),
    ],
)
def test_nouns_made_of_others_have_their_gender(noun: str, gender: str | None) -> None:
    assert gender_of(noun) == gender
