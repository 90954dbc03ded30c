from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from petra.corpora.bracketed import read_bracketed
from petra.domain import Mention, Person
from petra.evaluation.plain.judging import judge, spurious

Errors = Callable[..., list[tuple[str, str]]]


def predicted(text: str, *people: str) -> tuple[Person, ...]:
    """People given as words with where they stand: "Ada, her#2" is the first "Ada" and the second "her"."""
    return tuple(
        Person(number, written, tuple(mention(text, *it.split("#")) for it in written.split(", ")))
        for number, written in enumerate(people, start=1)
    )


def mention(text: str, words: str, which: str = "1") -> Mention:
    start, end = list(re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", text))[int(which) - 1].span()
    return Mention(start, end, words, "name", 1.0)


@pytest.fixture
def errors(tmp_path: Path) -> Errors:
    """What is wrong with which mention of a bracketed text, given the people predicted."""

    def of(bracketed: str, *people: str, tags: str = "gender") -> list[tuple[str, str]]:
        path = tmp_path / "plain.txt"
        path.write_text(f"@ 1: {tags}\n{bracketed}\n")
        [text] = read_bracketed(path)
        judged = judge(text, predicted(text.document.text, *people))
        assert [it.mention for it in judged] == list(text.document.mentions)
        return [(it.words, it.error) for it in judged if it.error is not None]

    return of


def test_everything_right(errors: Errors) -> None:
    text = "[Ada]1 met [[her]1 brother]2, [Bo]2. [He]2 hugged [her]1."
    assert errors(text, "Ada, her, her#2", "her brother, Bo, He") == []


def test_a_pronoun_with_the_wrong_person(errors: Errors) -> None:
    text = "[Ada]1 met [Bo]2. [He]2 saw [her]1, and [she]1 saw [him]2."
    # The annotation calls Ada "she", so that "He" went to somebody of the other gender.
    assert errors(text, "Ada, He, her, she", "Bo, him") == [("He", "other gender")]
    assert errors("[Ada]1 met [Eve]2. [She]2 ran.", "Ada, She", "Eve") == [("She", "other person")]
    # A woman by the noun alone.
    assert errors("[The woman]1 met [Bo]2. [He]2 ran.", "The woman, He", "Bo") == [("He", "other gender")]
    assert errors("[Ada]1 met [Eve]2. [She]2 ran.", "Ada", "Eve", "She") == [("She", "detached")]
    assert errors("[Ada]1 met [Eve]2. [She]2 ran.", "Ada", "Eve") == [("She", "not found")]


def test_the_person_is_that_of_most_names_and_nominals(errors: Errors) -> None:
    text = "[Ada]1 met [Eve]2. [Ada]1 ran. [She]2 fell, and [she]1 stopped."
    # Two mentions of Ada and one of Eve: the person is Ada, though Eve is in it.
    assert errors(text, "Ada, Eve, Ada#2, She, she") == [
        ("Eve", "name of somebody else"),
        ("Ada", "name of somebody else"),
        ("She", "merged person"),
    ]
    # One of each: the first.
    assert errors("[Ada]1 met [Eve]2. [She]1 ran.", "Ada, Eve, She") == [("Eve", "name of somebody else")]


def test_a_split_person_costs_the_name_and_not_its_pronouns(errors: Errors) -> None:
    text = "[Ada Vale]1 ran. [She]1 fell. [Vale]1 rose. [She]1 ran. [The runner]1 won."
    assert errors(text, "Ada Vale, She", "Vale#2, She#2", "The runner") == [
        ("Vale", "name not linked"),
        ("The runner", "nominal not linked"),
    ]


def test_other_boundaries_cost_the_mention_alone(errors: Errors) -> None:
    text = "[[My]1 sister Parisa]2 ran. [She]2 fell. [Parisa]2 rose."
    assert errors(text, "My", "My sister, Parisa, She, Parisa#2") == [("My sister Parisa", "other boundaries")]
    assert errors(text, "My", "Parisa, She", "Parisa#2") == [
        ("My sister Parisa", "other boundaries"),
        ("Parisa", "name not linked"),
    ]
    # "Ada" is a mention of its own, and stands for nobody else.
    text = "[[Ada]1's brother]2 ran. [He]2 fell."
    assert errors(text, "Ada, He") == [("Ada's brother", "not found"), ("He", "other person")]


def test_a_narrator_without_a_name(errors: Errors) -> None:
    text = "[I]1 saw [Ada]2. [I]1 told [her]2 of [my]1 car. [You]3 know it."
    assert errors(text, "I, I#2, my", "Ada, her", "You") == []
    # The smaller piece of the narrator is nobody, and so is the addressee in the person of the narrator.
    assert errors(text, "I, I#2, You", "my", "Ada, her") == [
        ("my", "speaker or addressee"),
        ("You", "speaker or addressee"),
    ]
    assert errors(text, "I, I#2, Ada, her, my", "You") == [("I", "speaker or addressee")] * 2 + [
        ("my", "speaker or addressee")
    ]


def test_people_named_together(errors: Errors) -> None:
    text = "[[Ada]1 and [Bo]2]3 ran. [They]3 fell."
    assert errors(text, "Ada", "Bo", "Ada and Bo, They") == []
    assert errors(text, "Ada", "Bo", "They") == [("Ada and Bo", "not found")]
    assert errors(text, "Ada, They", "Bo") == [("Ada and Bo", "not found"), ("They", "group")]


def test_they_of_one_or_of_several(errors: Errors) -> None:
    assert errors("[Sam]1 saw [Ada]2. [They]1 ran.", "Sam", "Ada, They") == [("They", "singular they")]
    text = "[The caller]1 rang [Ada]2. [They]1 hung up."
    assert errors(text, "The caller", "Ada, They", tags="they") == [("They", "singular they")]
    assert errors(text, "The caller", "Ada, They", tags="plural") == [("They", "group")]
    assert errors("[Sam]1 saw [Ada]2. [Ze]1 ran.", "Sam", "Ada, Ze") == [("Ze", "neopronoun")]


def test_spurious_mentions(tmp_path: Path) -> None:
    path = tmp_path / "plain.txt"
    path.write_text("@ 1\n[Ada]1 ran to Kew.\n")
    [text] = read_bracketed(path)
    people = predicted(text.document.text, "Ada, Kew")
    assert [it.text for it in spurious(text.document, people)] == ["Kew"]
