"""Relatives of one person are one person."""

from __future__ import annotations

from recorded_people import Mark, consolidated, recorded

from petra.consolidation.consolidate import join
from petra.consolidation.relatives import elect, join_relatives, relatives_of

TEXT = "Ada sat. She saw her mother. " + "Mrs. Vale, her mother, came. " * 3 + "“Mamma is late,” said Ada. "
MARKS: list[Mark] = [
    ("Ada", "name", 1),
    ("She", "pronoun", 1),
    ("her mother", "nominal", 3),
    (">her", "pronoun", 1),
    *(
        mark
        for _ in range(3)
        for mark in (("Mrs. Vale", "name", 2), ("her mother", "nominal", 2), (">her", "pronoun", 1))
    ),  # type: ignore[list-item]
    ("Mamma", "nominal", 4),
    ("Ada", "name", 1),
]


def test_the_mention_at_the_beginning_or_the_speaker_tells_whose_relative_it_is() -> None:
    events, records = recorded(TEXT, *MARKS)
    decided = join(TEXT, events, records)
    found = relatives_of(events, decided.records, decided.people, lambda _: 1)
    words = {events[place].mention.text: relative for place, relative in found.items()}
    assert words == {"her mother": ("mother", 1), "Mamma": ("mother", 1)}
    assert len(found) == 5


def test_somebody_with_a_name_is_elected_and_the_others_join() -> None:
    events, records = recorded(TEXT, *MARKS)
    decided = join(TEXT, events, records)
    found = relatives_of(events, decided.records, decided.people, lambda _: 1)
    assert elect(found, decided.people, decided.characters) == {("mother", 1): 2}
    assert join_relatives(found, decided.people, decided.characters) == {3: 2, 4: 2}
    mother = ["her mother", *["Mrs. Vale", "her mother"] * 3, "Mamma"]
    assert mother in consolidated(TEXT, *MARKS)


def test_a_relative_that_one_may_have_many_of_joins_nobody() -> None:
    text = TEXT.replace("mother", "sister").replace("Mamma", "Sister")
    marks: list[Mark] = [
        (words.replace("mother", "sister").replace("Mamma", "Sister"), *rest)  # type: ignore[misc]
        for words, *rest in MARKS
    ]
    events, records = recorded(text, *marks)
    decided = join(text, events, records)
    assert relatives_of(events, decided.records, decided.people, lambda _: 1) == {}
