from __future__ import annotations

import json
import re
from typing import cast

from petra.domain import Kind, Mention, Person, Quotation
from petra.people.naming import Alias, name_of
from petra.people.profiles import Addressee, Companion, PersonProfile, Profiler

TEXT = """The Boats

CHAPTER I

Miss Vale met Tom. She waved. Ada was glad of
Tom, and Tom of her.

CHAPTER II

Ada slept. A boy ran.

I am Tom. Nobody came.
"""


def person(number: int, **words: str) -> Person:
    mentions: list[Mention] = []
    for kind, pattern in words.items():
        found = re.finditer(rf"\b(?:{pattern})\b", TEXT)
        mentions += (Mention(*each.span(), each[0], cast(Kind, kind), 1.0) for each in found)
    mentions.sort(key=lambda mention: mention.start)
    return Person(number, name_of(mentions), tuple(mentions))


ADA = person(1, name="Miss Vale|Ada", pronoun="She|her")
TOM = person(2, name="Tom", pronoun="I(?= am)")
BOY = person(3, nominal="A boy")
PEOPLE = (ADA, TOM, BOY)


def profile(of: Person, text: str = TEXT) -> PersonProfile:
    return Profiler(PEOPLE, text).profile(of)


def test_names_and_pronouns_as_they_are_used() -> None:
    ada = profile(ADA)
    assert ada.person.name == "Ada"
    assert ada.aliases == (Alias("Miss Vale", 1),)
    assert dict(ada.kinds) == {"name": 3, "pronoun": 2}
    assert dict(ada.pronouns) == {"she": 1, "her": 1}
    assert dict(profile(TOM).pronouns) == {"I": 1}
    assert (ada.first.text, TEXT[ada.last.start :][:9]) == ("Miss Vale", "Ada slept")


def test_presence_by_chapter() -> None:
    assert (profile(ADA).presence_by, profile(ADA).presence) == ("chapter", (4, 1))
    assert profile(BOY).presence == (0, 1)


def test_presence_by_tenth_without_chapters() -> None:
    text = "Tom " * 5
    tom = Person(1, "Tom", tuple(Mention(place, place + 3, "Tom", "name", 1.0) for place in range(0, 20, 4)))
    found = Profiler([tom], text).profile(tom)
    assert (found.presence_by, found.presence) == ("tenth", (1, 0) * 5)


def test_what_stands_before_the_first_chapter_is_in_none() -> None:
    title = Person(1, "Boats", (Mention(4, 9, "Boats", "name", 1.0),))
    assert Profiler([title], TEXT).profile(title).presence == (0, 0)


def test_company_in_sentences_and_paragraphs() -> None:
    # Together in two sentences (met; was glad) of one paragraph. The boy is in passing, and no company.
    assert profile(ADA).companions == (Companion(2, "Tom", sentences=2, paragraphs=1),)
    assert profile(BOY).companions == (Companion(1, "Ada", sentences=0, paragraphs=1),)


def test_what_a_person_says_and_to_whom() -> None:
    quotations = (
        Quotation(0, 9, ((0, 9),), 2, 1, "explicit", 0.9),
        Quotation(22, 41, ((22, 26), (36, 41)), 2, None, "turn", 0.9),
        Quotation(22, 26, ((22, 26),), None, None, "implicit", 0.4),
    )
    tom = Profiler(PEOPLE, TEXT, quotations).profile(TOM)
    assert (tom.quotations, tom.words_spoken, tom.addressees) == (2, 4, (Addressee(1, "Ada", 1),))
    assert (profile(ADA).quotations, profile(ADA).addressees) == (0, ())


def test_plain_values() -> None:
    values = profile(TOM).to_dict()
    assert json.loads(json.dumps(values)) == values
    assert values["presence"] == {"by": "chapter", "mentions": [3, 2]}
    assert values["companions"] == [{"id": 1, "name": "Ada", "sentences": 2, "paragraphs": 1}]
    first = TEXT.index("Tom")
    assert values["first"] == {"start": first, "end": first + 3}
