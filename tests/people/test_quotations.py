from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petra.people.quotations import Quotations


def numbers(*pieces: str) -> list[int | None]:
    """The quotation of every character."""
    quotations = Quotations()
    for piece in pieces:
        quotations.feed(piece)
    return [quotations.at(place) for place in range(len("".join(pieces)))]


def quoted(text: str) -> list[str]:
    """The text of each quotation, with its opening mark."""
    found: dict[int, str] = {}
    for character, number in zip(text, numbers(text), strict=True):
        if number is not None:
            found[number] = found.get(number, "") + character
    return list(found.values())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("“Yes,” said she. “No.”", ["“Yes,", "“No."]),
        ('"Yes," said she. "No."', ['"Yes,', '"No.']),
        ("«Yes», said she.", ["«Yes"]),
        ("‘I don’t know,’ said she.", ["‘I don’t know,"]),
        ("“He said ‘No.’ to me.”", ["“He said ‘No.’ to me."]),  # a quotation inside is part of it
        ("She doesn’t, and Jane’s ‘cat’ too", ["‘cat’ too"]),  # taken for an apostrophe, until a blank line
        ("“First paragraph.\n\n“Second.” Out.", ["“First paragraph.\n", "“Second."]),
        ('"Lost.\n \nOut. "In."', ['"Lost.\n ', '"In.']),
        ("“One “Two” out", ["“One ", "“Two"]),  # the first has lost its end
        ("nothing", []),
    ],
)
def test_where_somebody_is_quoted(text: str, expected: list[str]) -> None:
    assert quoted(text) == expected


def test_a_quotation_without_end_is_given_up() -> None:
    assert quoted("“" + "a" * 10_000) == ["“" + "a" * 4_999]


def test_what_is_behind_is_forgotten() -> None:
    quotations = Quotations()
    for turn in range(1000):
        quotations.feed("“Yes,” she said. ")
        quotations.forget_before(17 * turn)
        assert quotations.at(17 * turn + 3) == turn + 1
    assert len(quotations._turns) < 5


@given(text=st.text('“”"«»‘’ \na.,', max_size=40), cuts=st.lists(st.integers(0, 40), max_size=5))
def test_portions_do_not_matter(text: str, cuts: list[int]) -> None:
    places = [0, *sorted(cut for cut in cuts if cut < len(text)), len(text)]
    pieces = [text[begin:end] for begin, end in pairwise(places)]
    assert numbers(*pieces) == numbers(text)
