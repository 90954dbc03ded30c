from __future__ import annotations

import pytest

from petra.english.grammar import is_verb
from petra.english.not_people import NOT_ALONE, NOT_GIVEN_NAMES, NOT_PERSON_ENDINGS, SHIP_PREFIXES


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("sailed", True),
        ("wins", True),
        ("was", True),
        ("wrote", True),
        ("glass", False),
        ("news", False),
        ("always", False),
    ],
)
def test_verbs_are_told_by_their_form_and_by_lists(word: str, expected: bool) -> None:
    assert is_verb(word) is expected


def test_names_of_places_and_things_are_spelled_as_in_a_text() -> None:
    assert "River" in NOT_PERSON_ENDINGS
    assert "Virginia" in NOT_GIVEN_NAMES
    assert "Grace" in NOT_ALONE
    assert "HMS" in SHIP_PREFIXES
    assert not NOT_GIVEN_NAMES & NOT_ALONE
