from __future__ import annotations

from petra.domain import Mention, Person
from petra.report.values.agreement import compare


def person(number: int, *spans: tuple[int, int]) -> Person:
    return Person(number, f"P{number}", tuple(mention(*span) for span in spans))


def mention(start: int, end: int) -> Mention:
    return Mention(start, end, "x" * (end - start), "name", 1.0)


def test_people_are_matched_by_the_spans_they_share() -> None:
    people = [person(1, (0, 1), (2, 3), (4, 5)), person(2, (6, 7))]
    gold = [person(1, (6, 7), (8, 9)), person(2, (0, 1), (2, 3)), person(3, (4, 5))]
    # Gold 2 shares two spans with person 1, so that gold 3, who shares one, is left alone.
    assert compare(people, gold).partners == {2: 1, 1: 2}


def test_each_mention_is_judged() -> None:
    people = [person(1, (0, 1), (2, 3), (4, 5)), person(2, (6, 7))]
    gold = [person(1, (6, 7), (8, 9)), person(2, (0, 1), (2, 3)), person(3, (4, 5))]
    agreement = compare(people, gold)
    assert agreement.of_found(1, mention(0, 1)) == "agreed"
    assert agreement.of_found(1, mention(4, 5)) == "other"
    assert agreement.of_found(2, mention(6, 8)) == "extra"  # another span is another mention
    assert agreement.of_gold(2, mention(2, 3)) == "agreed"
    assert agreement.of_gold(3, mention(4, 5)) == "other"
    assert agreement.of_gold(1, mention(8, 9)) == "missed"


def test_of_equal_pairs_the_first_are_matched() -> None:
    people = [person(1, (0, 1)), person(2, (2, 3))]
    gold = [person(1, (0, 1), (2, 3)), person(2, (4, 5))]
    assert compare(people, gold).partners == {1: 1}


def test_nobody() -> None:
    agreement = compare([], [person(1, (0, 1))])
    assert agreement.partners == {}
    assert agreement.of_gold(1, mention(0, 1)) == "missed"
