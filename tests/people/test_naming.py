from __future__ import annotations

import pytest

from petra.people.mentions import Mention
from petra.people.naming import name_of
from petra.people.stretches import Kind


def mention(text: str, kind: Kind = "name") -> Mention:
    return Mention(start=0, end=len(text), text=text, kind=kind, probability=1.0)


@pytest.mark.parametrize(
    ("names", "best"),
    [
        (["Elizabeth", "Elizabeth Bennet", "Miss Bennet"], "Elizabeth Bennet"),
        (["Darcy", "Mr. Darcy"], "Mr. Darcy"),
        (["Miss Elizabeth Bennet", "Elizabeth Bennet"], "Miss Elizabeth Bennet"),
        (["Mr. Martin", "Martin King"], "Martin King"),
        (["van Gogh", "Vincent van Gogh"], "Vincent van Gogh"),
        (["Beethoven", "Ludwig"], "Beethoven"),
        (["Jane", "Anne"], "Jane"),  # the earliest of equals
        (["Addison\r\n  Montgomery"], "Addison Montgomery"),
    ],
)
def test_the_name_that_tells_most(names: list[str], best: str) -> None:
    assert name_of([mention(name) for name in names]) == best


def test_a_name_before_a_nominal_before_a_pronoun() -> None:
    he, him = mention("He", "pronoun"), mention("himself", "pronoun")
    man, jo = mention("the very old man", "nominal"), mention("Jo")
    assert name_of([he, man, jo, him]) == "Jo"
    assert name_of([he, man, mention("man", "nominal"), him]) == "the very old man"
    assert name_of([he, him]) == "He"
