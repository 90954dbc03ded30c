from __future__ import annotations

import pytest

from petra.english.address import is_address, is_greeting


def test_a_name_between_punctuation_is_an_address() -> None:
    assert is_address("Come, ", ", and sit")
    assert is_address("", ", sit", opens=True)
    assert not is_address("I saw ", ", and sat")


@pytest.mark.parametrize(
    ("before", "after"),
    [("Dear ", ","), ("My dear ", ","), ("x\n\nHello ", ",\n"), ("Hi ", "! "), ("Good morning, ", ","), ("hey ", "\n")],
)
def test_a_greeting_opens_a_line(before: str, after: str) -> None:
    assert is_greeting(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [("He was dear to ", ","), ("Oh dear ", ","), ("Dear ", " is"), ("Dear old ", ","), ("Dear\n", ","), ("", ",")],
)
def test_these_are_no_greetings(before: str, after: str) -> None:
    assert not is_greeting(before, after)
