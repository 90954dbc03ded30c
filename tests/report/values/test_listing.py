from __future__ import annotations

import pytest

from petra.domain import Mention, Person
from petra.errors import ConfigError
from petra.report.values.listing import Listing, Order


def person(number: int, name: str, mentions: int) -> Person:
    found = (Mention(10 * number + place, 10 * number + place + 1, "x", "name", 1.0) for place in range(mentions))
    return Person(number, name, tuple(found))


PEOPLE = (person(1, "Zoë", 2), person(2, "ada", 5), person(3, "Bruno", 2), person(4, "Ada", 1))


def ids(listing: Listing) -> list[int]:
    return [person.id for person in listing.of(PEOPLE, "")]


def test_everybody_in_order_of_first_mention() -> None:
    assert ids(Listing()) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("order", "expected"), [("first", [1, 2, 3, 4]), ("mentions", [2, 1, 3, 4]), ("name", [2, 4, 3, 1])]
)
def test_orders(order: Order, expected: list[int]) -> None:
    assert ids(Listing(order=order)) == expected


def test_the_top_are_those_mentioned_most_often() -> None:
    assert ids(Listing(top=2)) == [2, 1]  # of Zoë and Bruno the earlier
    assert ids(Listing(top=3, order="first")) == [1, 2, 3]
    assert ids(Listing(top=9)) == [2, 1, 3, 4]


def test_the_least_number_of_mentions() -> None:
    assert ids(Listing(min_mentions=2)) == [1, 2, 3]
    assert ids(Listing(min_mentions=2, top=1)) == [2]
    assert ids(Listing(min_mentions=6)) == []


def test_wrong_numbers_are_told() -> None:
    with pytest.raises(ConfigError, match="top is 0; choose 1 or more"):
        Listing(top=0)
    with pytest.raises(ConfigError, match="min_mentions is 0"):
        Listing(min_mentions=0)


def test_of_many_people_the_cast_is_listed() -> None:
    crowd = (Person(5 + place, "a boy", (Mention(0, 5, "a boy", "nominal", 1.0),)) for place in range(60))
    people = (*(Person(each.id, each.name, each.mentions) for each in NAMED), *crowd)
    assert [person.id for person in Listing().of(people, "")] == [2, 1]  # those mentioned most often first
    assert [person.id for person in Listing(order="first").of(people, "")] == [1, 2]
    assert len(Listing(whom="everybody").of(people, "")) == len(people)
    assert len(Listing(min_mentions=1, top=20).of(people, "")) == 20
    assert Listing().is_cast(people)
    assert not Listing().is_cast(NAMED)
    assert [person.id for person in Listing(whom="cast").of(people[1:4], "")] == [2]


NAMED = (
    Person(1, "Ada", (Mention(0, 3, "Ada", "name", 1.0),)),
    Person(2, "Tom", (Mention(4, 7, "Tom", "name", 1.0), Mention(8, 10, "he", "pronoun", 1.0))),
)
