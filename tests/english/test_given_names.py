from __future__ import annotations

import pytest

from petra.english.given_names import _FEMININE, _MASCULINE, given_name_gender
from petra.english.names import parse_name


def test_no_name_is_of_both_genders() -> None:
    assert not _FEMININE & _MASCULINE


@pytest.mark.parametrize(
    ("name", "gender"),
    [
        ("Jane Bennet", "feminine"),
        ("Tom", "masculine"),
        ("Mr. Jane", "masculine"),  # the title knows better
        ("Dr. Jane Grey", "feminine"),
        ("Bennet", None),
        ("Tom and Jane", None),
    ],
)
def test_the_gender_of_a_name(name: str, gender: str | None) -> None:
    assert parse_name(name).gender == gender
    assert given_name_gender("bennet") is None
