"""The cast of a text: the people who have a name or come again, apart from those mentioned in passing."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from petra.domain import Person
from petra.english.gender import number_of
from petra.english.name_forms import name_form
from petra.english.sentences import paragraph_starts

_PLACES = 3  # paragraphs in which somebody without a name comes again; chosen by looking at the people of novels


def find_cast(people: Sequence[Person], text: str) -> tuple[Person, ...]:
    """Those of the people who are named, or mentioned in three paragraphs or more, in the same order.

    Whoever is mentioned by pronouns alone belongs to them if most of these are of one
    person: a narrator without a name does, and "they" do not.
    """
    starts = paragraph_starts(text)
    return tuple(person for person in people if _is_named(person) or _comes_again(person, starts))


def _is_named(person: Person) -> bool:
    return any(mention.kind == "name" and name_form(mention.text) is not None for mention in person.mentions)


def _comes_again(person: Person, starts: Sequence[int]) -> bool:
    if len({bisect_right(starts, mention.start) for mention in person.mentions}) < _PLACES:
        return False
    if any(mention.kind != "pronoun" for mention in person.mentions):
        return True
    of_one = sum(number_of(mention.text) == "one" for mention in person.mentions)
    return 2 * of_one > len(person.mentions)
