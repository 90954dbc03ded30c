from __future__ import annotations

import re

from petra.domain import Kind, Mention, Person
from petra.people.cast import find_cast

TEXT = """Ada Vale saw a man. The man waved.

He was old. They came. I saw it.

The man left, and they left. I stayed.

They slept. I woke. A boy ran.
"""


def person(number: int, words: str, kind: Kind) -> Person:
    found = [found.span() for found in re.finditer(rf"\b(?:{words})\b", TEXT)]
    return Person(number, words, tuple(Mention(*span, TEXT[slice(*span)], kind, 1.0) for span in found))


ADA = person(1, "Ada Vale", "name")
MAN = person(2, "a man|The man", "nominal")
THEY = person(3, "They|they", "pronoun")
NARRATOR = person(4, "I", "pronoun")
BOY = person(5, "A boy", "nominal")


def test_who_is_named_or_comes_again() -> None:
    he = Mention(56, 58, "He", "pronoun", 1.0)
    met = Person(2, "the man", tuple(sorted((*MAN.mentions, he), key=lambda mention: mention.start)))
    assert find_cast((ADA, met, THEY, NARRATOR, BOY), TEXT) == (ADA, met, NARRATOR)


def test_two_paragraphs_are_not_enough() -> None:
    assert find_cast((MAN,), TEXT) == ()


def test_a_name_without_a_capital_is_none() -> None:
    assert find_cast((Person(1, "boy", (Mention(0, 3, "boy", "name", 1.0),)),), "boy") == ()


def test_a_text_without_blank_lines_has_a_paragraph_on_each_line() -> None:
    text = "a man came\nthe man sat\nthe man left"
    mentions = tuple(Mention(found.start(), found.end(), "man", "nominal", 1.0) for found in re.finditer("man", text))
    assert find_cast((Person(1, "a man", mentions),), text) != ()
    assert find_cast((Person(1, "a man", mentions),), text.replace("\n", " ")) == ()
