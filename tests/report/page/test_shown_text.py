from __future__ import annotations

import pytest
from hypothesis import given
from strategies import texts

from petra.report.page.shown import show_text


@pytest.mark.parametrize(
    ("text", "shown", "places", "units"),
    [
        ("", "", [0], [0]),
        ("ab", "ab", [0, 1, 2], [0, 1, 2]),
        ("a\r\nb\rc\n", "a\nb\nc\n", [0, 1, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6]),
        ("🐕é", "🐕é", [0, 1, 2], [0, 2, 3]),  # a dog is two units of UTF-16
        ("\x00\ud83d", "\ufffd\ufffd", [0, 1, 2], [0, 1, 2]),
    ],
)
def test_places_of_what_is_shown(text: str, shown: str, places: list[int], units: list[int]) -> None:
    found = show_text(text)
    assert found.text == shown
    assert found.places.tolist() == places
    assert found.units.tolist() == units


@given(texts())
def test_scripts_find_every_place(text: str) -> None:
    found = show_text(text)
    encoded = found.text.encode("utf-16-le")
    for place in range(len(found.text) + 1):
        assert encoded[: 2 * int(found.units[place])].decode("utf-16-le") == found.text[:place]
    assert found.places[-1] == len(found.text)
