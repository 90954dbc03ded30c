from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from web_samples import STORY, person

from petra.domain import Mention, Person
from petra.report.values.differences import compare, comparison_json

JANE = person(1, STORY, "Jane", "She")
TOM = person(2, STORY, "Tom", "him")


def test_a_reading_agrees_with_itself() -> None:
    comparison = compare((JANE, TOM), (JANE, TOM))
    assert (comparison.same_people, comparison.agreeing, comparison.differences) == ({1: 1, 2: 2}, 4, ())


def test_people_go_together_by_what_they_share_not_by_their_numbers() -> None:
    swapped = (Person(1, "Tom", TOM.mentions), Person(2, "Jane", JANE.mentions))
    comparison = compare((JANE, TOM), swapped)
    assert (comparison.same_people, comparison.differences) == ({1: 2, 2: 1}, ())


def test_of_people_who_share_as_much_those_of_one_name_go_together() -> None:
    # One person of the first reading has a mention of each of two people of the second.
    both = Person(1, "Tom", (*JANE.mentions[:1], *TOM.mentions[:1]))
    comparison = compare((both,), (Person(1, "Jane", JANE.mentions), Person(2, "Tom", TOM.mentions)))
    assert comparison.same_people == {1: 2}


def test_what_only_one_reading_has() -> None:
    comparison = compare((JANE,), (TOM,))
    assert comparison.same_people == {}
    assert [(difference.kind, difference.span) for difference in comparison.differences] == [
        ("only_first", (0, 4)),
        ("only_second", (9, 12)),
        ("only_first", (14, 17)),
        ("only_second", (23, 26)),
    ]


def test_a_mention_given_to_another_person() -> None:
    one = (person(1, STORY, "Jane", "She", "her"), TOM)
    other = (JANE, person(2, STORY, "Tom", "him", "her"))
    (difference,) = compare(one, other).differences
    assert difference.kind == "person"
    assert difference.first is not None
    assert difference.second is not None
    assert (difference.first.person.name, difference.second.person.name) == ("Jane", "Tom")


def test_other_words_for_the_same_mention() -> None:
    one, other = person(1, STORY, "Jane", "Tom smiled"), person(1, STORY, "Jane", "smiled")
    (difference,) = compare((one,), (other,)).differences
    assert (difference.kind, STORY[slice(*difference.span)]) == ("boundaries", "Tom smiled")


def test_as_json() -> None:
    values = comparison_json(compare((JANE,), ()), ("a", "b"))
    assert values["schema"] == "petra.comparison/1"
    assert values["differences"][0] == {
        "kind": "only_first",
        "first": {"start": 0, "end": 4, "text": "Jane", "person": 1, "name": "Jane"},
        "second": None,
    }


@st.composite
def readings(draw: st.DrawFn) -> tuple[Person, ...]:
    """People whose mentions lie anywhere, also in each other."""
    spans = draw(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 6), st.integers(1, 4)), max_size=12))
    by_person: dict[int, dict[tuple[int, int], Mention]] = {}
    for start, length, number in spans:
        mention = Mention(start, start + length, "x" * length, "name", 0.9)
        by_person.setdefault(number, {})[start, start + length] = mention
    return tuple(
        Person(number, "x", tuple(sorted(mentions.values(), key=lambda mention: (mention.start, mention.end))))
        for number, mentions in sorted(by_person.items())
    )


@given(readings(), readings())
def test_every_mention_is_told_once(one: tuple[Person, ...], other: tuple[Person, ...]) -> None:
    comparison = compare(one, other)
    for side, people in (("first", one), ("second", other)):
        differing = sum(getattr(difference, side) is not None for difference in comparison.differences)
        assert comparison.agreeing + differing == sum(len(person.mentions) for person in people)
    assert len(set(comparison.same_people.values())) == len(comparison.same_people)


@given(readings())
def test_any_reading_agrees_with_itself(people: tuple[Person, ...]) -> None:
    comparison = compare(people, people)
    assert comparison.differences == ()
    assert comparison.same_people == {person.id: person.id for person in people}
