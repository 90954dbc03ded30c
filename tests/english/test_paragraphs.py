from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petra.english.paragraphs import Paragraphs


def numbers(*parts: str) -> list[int]:
    """The paragraph of each capital letter."""
    paragraphs = Paragraphs()
    for part in parts:
        paragraphs.feed(part)
    text = "".join(parts)
    return [paragraphs.number(place) for place, letter in enumerate(text) if letter.isupper()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A b. C\nD", [0, 0, 0]),  # a line that ends amid a sentence is a part of it
        ("A.\nB.\nC", [0, 1, 2]),  # a paragraph a line
        ("A.\n\nB.\nC.\n \t\nD", [0, 1, 1, 2]),  # with blank lines, these alone count
        ("A\n\n\n\nB", [0, 1]),
        ("\n\nA.", [0]),  # nothing stands before
        ("A.\r\n\r\nB.\r\nC", [0, 1, 1]),
        ("“A.”\nB", [0, 1]),
    ],
)
def test_paragraphs_end_at_blank_lines_or_after_sentences(text: str, expected: list[int]) -> None:
    assert numbers(text) == expected


@given(st.lists(st.text("Ab.\n \r", max_size=6), max_size=12))
def test_the_parts_that_a_text_arrives_in_do_not_matter(parts: list[str]) -> None:
    assert numbers(*parts) == numbers("".join(parts))


def test_numbers_stay_when_what_was_read_is_forgotten() -> None:
    text = "A.\n\nB.\n\nC."
    paragraphs = Paragraphs()
    paragraphs.feed(text)
    paragraphs.forget_before(text.index("B"))
    assert [paragraphs.number(text.index(letter)) for letter in "BC"] == [1, 2]
