from __future__ import annotations

import pytest
from found_people import person

from petra.people.resolving import resolve


def ada(text: str, *pronouns: str, name: str = "Ada Vale") -> str:
    """A text about one person, her name first, resolved."""
    return resolve(text, [person(text, 1, name, (name, "name"), *((word, "pronoun") for word in pronouns))])


def test_personal_and_possessive_pronouns_become_the_name() -> None:
    text = "Ada Vale met Tom King. She knew his dog, and he saw her. The dog was his."
    people = [
        person(text, 1, "Ada Vale", ("Ada Vale", "name"), ("She", "pronoun"), ("her", "pronoun")),
        person(text, 2, "Tom King", ("Tom King", "name"), ("his", "pronoun"), ("he", "pronoun"), ("his", "pronoun")),
    ]
    assert resolve(text, people) == (
        "Ada Vale met Tom King. Ada Vale knew Tom King's dog, and Tom King saw Ada Vale. The dog was Tom King's."
    )


@pytest.mark.parametrize(
    ("sentence", "resolved"),
    [
        ("He kept her letters.", "He kept Ada Vale's letters."),
        ("He kept her two letters.", "He kept Ada Vale's two letters."),
        ("He kept her\nold letters.", "He kept Ada Vale's\nold letters."),
        ("He saw her.", "He saw Ada Vale."),
        ("He saw her again.", "He saw Ada Vale again."),
        ("He told her that.", "He told Ada Vale that."),
        ("He told her he knew.", "He told Ada Vale he knew."),
        ("He gave her 20 letters.", "He gave Ada Vale 20 letters."),
    ],
)
def test_the_next_word_tells_what_her_is(sentence: str, resolved: str) -> None:
    assert ada(f"Ada Vale: {sentence}", "her") == f"Ada Vale: {resolved}"


def test_who_knows_the_grammar_decides() -> None:
    text = "Ada Vale: he heard her sing."
    her = person(text, 1, "Ada Vale", ("Ada Vale", "name"), ("her", "pronoun"))
    assert resolve(text, [her], lambda mention: False) == "Ada Vale: he heard Ada Vale sing."
    assert resolve(text, [her], lambda mention: True) == "Ada Vale: he heard Ada Vale's sing."


@pytest.mark.parametrize("word", ["herself", "who", "whose", "I", "you", "they"])
def test_pronouns_that_a_name_does_not_fit_stay(word: str) -> None:
    text = f"Ada Vale, {word} did."
    assert ada(text, word) == text


def test_people_without_a_name_keep_their_pronouns() -> None:
    text = "The old man slept. He snored."
    assert resolve(text, [person(text, 1, "The old man", ("The old man", "nominal"), ("He", "pronoun"))]) == text


def test_a_pronoun_inside_a_mention_is_replaced_there() -> None:
    text = "Ada Vale and her mother left."
    mother = person(text, 2, "her mother", ("her mother", "nominal"))
    vale = person(text, 1, "Ada Vale", ("Ada Vale", "name"), ("her", "pronoun"))
    assert resolve(text, [vale, mother]) == "Ada Vale and Ada Vale's mother left."


def test_spelling_follows_the_text() -> None:
    assert (
        ada("de Gaulle spoke. His voice broke.", "His", name="de Gaulle") == "de Gaulle spoke. De Gaulle's voice broke."
    )
    assert ada("James wasn’t in. His dog was.", "His", name="James") == "James wasn’t in. James’s dog was."


def test_a_pronoun_of_two_people_is_replaced_once() -> None:
    text = "Ada and Tom sold their house."
    people = [person(text, i, name, (name, "name"), ("their", "pronoun")) for i, name in ((1, "Ada"), (2, "Tom"))]
    assert resolve(text, people) == "Ada and Tom sold Ada's house."


def test_a_text_without_people_stays() -> None:
    assert resolve("It rained.", []) == "It rained."
