from __future__ import annotations

import pytest
from found_people import person, tracking_of
from hypothesis import given
from hypothesis import strategies as st

from petra import DataError
from petra.domain import Mention, Person
from petra.integrations.placed_people import PlacedPeople, people_of

TEXT = "Tom's mother saw him."
PEOPLE = (
    person(TEXT, 1, "Tom", ("Tom", "name"), ("him", "pronoun")),
    person(TEXT, 2, "Tom's mother", ("Tom's mother", "nominal")),
)


def words_at(start: int, end: int) -> list[str]:
    return [place.mention.text for place in PlacedPeople.of(PEOPLE).sharing(start, end)]


def test_mentions_are_found_by_their_characters() -> None:
    assert words_at(0, 3) == ["Tom's mother", "Tom"]  # nested: the longer one first
    assert words_at(3, 5) == ["Tom's mother"]
    assert words_at(12, 17) == []
    assert words_at(0, 21) == ["Tom's mother", "Tom", "him"]
    assert PlacedPeople.of(()).sharing(0, 9) == ()


spans = st.tuples(st.integers(0, 30), st.integers(1, 9)).map(lambda pair: (pair[0], sum(pair)))


@given(st.lists(spans, max_size=12), spans)
def test_nothing_is_missed_and_nothing_added(mentions: list[tuple[int, int]], asked: tuple[int, int]) -> None:
    people = tuple(Person(i, "X", (Mention(start, end, "", "name", 1.0),)) for i, (start, end) in enumerate(mentions))
    found = [(place.mention.start, place.mention.end) for place in PlacedPeople.of(people).sharing(*asked)]
    expected = [(start, end) for start, end in mentions if max(start, asked[0]) < min(end, asked[1])]
    assert sorted(found) == sorted(expected)


def test_people_come_back_from_plain_values_as_they_were() -> None:
    assert people_of(tracking_of(TEXT, *PEOPLE), TEXT) == PEOPLE


def test_people_of_another_text_are_refused() -> None:
    with pytest.raises(DataError, match=r"'Tom' is expected at 0\.\.3, and the text has 'Sue' there"):
        people_of(tracking_of(TEXT, *PEOPLE), "Sue's mother saw him.")


@pytest.mark.parametrize("values", [{}, {"schema": "petra.tracking/2"}, {"schema": "petra.tracking/1", "people": [1]}])
def test_values_of_another_schema_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(DataError, match=r"petra\.tracking/1"):
        people_of(values, TEXT)
