from __future__ import annotations

import pytest

from petra.english.gender import FEMININE_TITLES, MASCULINE_TITLES, gender_of, number_of


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


def test_no_title_is_of_both_genders() -> None:
    assert not MASCULINE_TITLES & FEMININE_TITLES
