from __future__ import annotations

import pytest

from petra.domain import Kind, Mention
from petra.people.naming import name_of


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
        (["ADA VALE", "Ada Vale", "Ada"], "Ada Vale"),
        (["EDM. VALE", "Mr. Vale", "Mr. Vale"], "Mr. Vale"),
        (["VALE", "EDM. VALE"], "EDM. VALE"),
        (["Addison\r\n  Montgomery"], "Addison Montgomery"),
    ],
)
def test_the_name_that_tells_most(names: list[str], best: str) -> None:
    assert name_of([mention(name) for name in names]) == best


def test_a_slip_does_not_name_a_person() -> None:
    darcy = [mention("Mr. Darcy")] * 250 + [mention("Darcy")] * 150
    assert name_of([*darcy, mention("Fitzwilliam Darcy")]) == "Mr. Darcy"
    assert name_of([*darcy, *[mention("Fitzwilliam Darcy")] * 4]) == "Fitzwilliam Darcy"
    assert name_of([mention("Mr. Darcy"), mention("Fitzwilliam Darcy")]) == "Fitzwilliam Darcy"
    # However often, another's name is none.
    assert name_of([*darcy, *[mention("Charles Bingley")] * 30]) == "Mr. Darcy"
    assert name_of([mention("Mr. Bennet")] * 3 + [mention("Mrs. Bennet")] + [mention("Bennet")]) == "Mr. Bennet"


def test_words_without_a_capital_do_not_make_a_name_fuller() -> None:
    assert name_of([mention("poor Lydia"), mention("Lydia"), mention("Lydia")]) == "Lydia"


def test_a_name_before_a_nominal_before_a_pronoun() -> None:
    he, him = mention("He", "pronoun"), mention("himself", "pronoun")
    man, jo = mention("the very old man", "nominal"), mention("Jo")
    assert name_of([he, man, jo, him]) == "Jo"
    assert name_of([he, man, mention("man", "nominal"), him]) == "the very old man"
    assert name_of([he, him]) == "He"
    assert name_of([mention("everybody", "nominal"), mention("guests", "nominal")]) == "guests"
