from __future__ import annotations

import pytest

from petra.domain import Kind, Mention
from petra.people.naming import Alias, aliases_of, name_of


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
        (["Amelia Vale", "Vale", "Vale"], "Amelia Vale"),
        (["Only old Benjamin", "Benjamin"], "Benjamin"),
        (["the very William Walter Elm"], "William Walter Elm"),
        (["Mrs. James Vale", "Mrs. Vale"], "Mrs. James Vale"),
        (["J. R. Vale", "Vale"], "J. R. Vale"),
        (["Martin Vale, Jr.", "Vale"], "Martin Vale, Jr."),
        (["_Miss_ Vale"], "Miss Vale"),
        (["II Ada", "Ada"], "Ada"),
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


def often(uses: dict[str, int], kind: Kind = "name") -> list[Mention]:
    return [mention(text, kind) for text, count in uses.items() for _ in range(count)]


@pytest.mark.parametrize(
    ("uses", "best"),
    [
        # The surname is used with the title, and the two together now and then.
        ({"Ada": 800, "Miss Vale": 160, "Ada Vale": 5, "Miss V": 3, "dearest Ada": 2, "Mr. A": 1}, "Ada Vale"),
        # One use of a longer name among many is none.
        ({"Frank King": 100, "Frank": 50, "Mr. Frank King": 45, "F. C. Vale King": 1}, "Frank King"),
        ({"Lucy": 416, "Miss Lucy": 4, "Miss Lucy Vale": 1}, "Lucy"),
        # Words count wherever they stand: Vale is in two names.
        ({"Tom": 42, "Tom C. Vale": 1, "little Tom Vale": 1}, "Tom Vale"),
        # A title belongs to the name if the text uses it.
        ({"Vale": 260, "Mr. Vale": 14}, "Vale"),
        ({"Vale": 26, "Mr. Vale": 33}, "Mr. Vale"),
        # Somebody else's name, by the title or the given name.
        ({"Mr. Vale": 74, "Old Madame Vale": 3, "Elizabeth Vale": 3}, "Mr. Vale"),
        # Written as it mostly is.
        ({"lady Anne": 5, "Lady Anne": 94, "LADY ANNE": 1}, "Lady Anne"),
        # An adjective or an article that nearly always goes with the name is part of it.
        ({"Little Dorrit": 30, "little Dorrit": 2}, "Little Dorrit"),
        ({"Old Tom": 2, "old Tom": 5, "Tom": 6}, "Tom"),
        ({"the Vales": 7, "The Vales": 3}, "the Vales"),
    ],
)
def test_the_name_used_throughout_a_book(uses: dict[str, int], best: str) -> None:
    assert name_of(often(uses)) == best


@pytest.mark.parametrize(
    ("uses", "best"),
    [
        ({"the Hatter": 20, "the Hatter, who turned pale": 1, "The Hatter": 9}, "the Hatter"),
        ({"the king": 20, "the King of Hearts": 3, "the king of hearts": 2}, "the King of Hearts"),
        ({"that savage cook": 1, "the cook": 12}, "the cook"),
        ({"my mother": 5, "the widow": 4}, "the widow"),
        ({"the man": 8, "the doctor": 4}, "the doctor"),
    ],
)
def test_what_somebody_without_a_name_is_called(uses: dict[str, int], best: str) -> None:
    assert name_of(often(uses, "nominal")) == best


def test_a_name_that_is_hardly_used_beside_a_nominal_does_not_count() -> None:
    captain = often({"the captain": 30}, "nominal")
    assert name_of([*captain, mention("Ned")]) == "the captain"
    assert name_of([*captain, *often({"Ned": 3})]) == "Ned"
    assert name_of([*often({"my mother": 30}, "nominal"), mention("Mrs. Vale")]) == "Mrs. Vale"  # the speaker's word
    assert name_of([mention("cabman"), mention("the driver", "nominal")]) == "the driver"  # no name by its letters


def test_the_other_names_by_use() -> None:
    mentions = often({"Mr. Vale": 2, "Vale": 5, "poor Vale": 1, "VALE": 1, "Tom Vale": 1})
    assert aliases_of(mentions, "Tom Vale") == (Alias("Vale", 7), Alias("Mr. Vale", 2))
    assert aliases_of([mention("he", "pronoun")], "he") == ()
