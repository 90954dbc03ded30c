from __future__ import annotations

import pytest
from hypothesis import given
from strategies import texts

from petra.english.names import Name, Relation, parse_name, relation, titles_conflict


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Mr. Fitzwilliam Darcy", Name(("fitzwilliam", "darcy"), title="mr")),
        ("Jane", Name(("jane",))),
        ("Lady Catherine de Bourgh", Name(("catherine", "bourgh"), title="lady")),
        ("the Right Honourable Lady Catherine de Bourgh", Name(("catherine", "bourgh"), title="lady")),
        ("Ben Nicholson", Name(("ben", "nicholson"))),
        ("Old Ben", Name(("old", "ben"))),
        ("Cap’n Flint", Name(("flint",), title="cap'n")),
        ("the widow Douglas", Name(("douglas",))),
        ("Yusuf ben Ali", Name(("yusuf", "ali"))),
        ("Van Gogh", Name(("gogh",))),
        ("Mistress Mary", Name(("mary",), title="mistress")),
        ("the Hon. Ada Vale", Name(("ada", "vale"))),
        ("The Most Reverend John Orr", Name(("john", "orr"), title="reverend")),
        ("Hon", Name(("hon",))),
        ("J.R.R. Tolkien", Name(("j", "r", "r", "tolkien"))),
        ("Jean-Luc O’Neil’s", Name(("jean-luc", "o'neil"))),
        ("Martin Luther King, Jr.", Name(("martin", "luther", "king"), suffix="jr")),
        ("Joan of Arc", Name(("joan", "arc"))),
        ("poor Lydia", Name(("lydia",))),
        ("good-natured Miss Jemima Pinkerton", Name(("jemima", "pinkerton"), title="miss")),
        ("Captain", Name(("captain",))),  # a title alone tells by itself
        ("the Queen", Name(("queen",))),
        ("Mr. and Mrs. Bennet", Name(("bennet",), title="mr", is_group=True)),
        ("the Bennets", Name(("bennets",), is_group=True)),
        ("the Marquis", Name(("marquis",))),
        ("the", Name(("the",))),
        ("张三", Name(("张三",))),
        ("bell hooks", Name(("bell", "hooks"))),  # with no capital, every word counts
    ],
)
def test_the_parts_of_a_name(text: str, name: Name) -> None:
    assert parse_name(text) == name


@pytest.mark.parametrize(
    ("mention", "known", "expected"),
    [
        ("Darcy", "Mr. Darcy", Relation.EXACT),
        ("Mr. Darcy", "Fitzwilliam Darcy", Relation.FAMILY),
        ("Georgiana Darcy", "Mr. Darcy", Relation.FAMILY),
        ("Dr. Darcy", "Miss Darcy", Relation.FAMILY),
        ("Mrs. Joe Gargery", "Joe Gargery", Relation.FAMILY),
        ("Amory", "Beatrice Amory Blaine", Relation.FAMILY),
        ("J. Smith", "John Smith", Relation.EXACT),
        ("J. R.", "John Ross", Relation.EXACT),
        ("J. R.", "John Ross Ewing", Relation.SHORTER),
        ("H.", "Godfrey Hall", Relation.UNRELATED),
        ("Fripp", "Robert Fripp", Relation.SHORTER),
        ("Robert Fripp", "Fripp", Relation.LONGER),
        ("Jane Bennet", "Elizabeth Bennet", Relation.CLASH),
        ("Jane", "Mr. Darcy", Relation.UNRELATED),
        ("Lizzy", "Elizabeth Bennet", Relation.NICKNAME),
        ("Eliza", "Lizzy", Relation.NICKNAME),
        ("Kitty", "Lady Catherine", Relation.UNRELATED),
        ("Lady Catherine", "Catherine", Relation.UNRELATED),
        ("the Right Honourable Lady Catherine de Bourgh", "Catherine", Relation.UNRELATED),
        ("Catherine", "Lady Catherine", Relation.EXACT),
        ("Lizzy Bennet", "Elizabeth Bennet", Relation.NICKNAME),
        ("Lizzy Bennet", "Elizabeth Darcy", Relation.UNRELATED),
        ("Colonel Fitzwilliam", "Fitzwilliam Darcy", Relation.CLASH),  # a colonel goes by his surname
        ("Fitzwilliam Darcy", "Colonel Fitzwilliam", Relation.CLASH),
        ("Sir William", "William Lucas", Relation.SHORTER),
        ("Lady Catherine", "Lady Catherine de Bourgh", Relation.SHORTER),
        ("Ben", "Ben Nicholson", Relation.SHORTER),
        ("Mr. and Mrs. Bennet", "Mr. Bennet", Relation.CLASH),
        ("Charles II", "Charles III", Relation.CLASH),
        ("Charles", "Charles III", Relation.EXACT),
    ],
)
def test_how_two_names_go_together(mention: str, known: str, expected: Relation) -> None:
    assert relation(parse_name(mention), parse_name(known)) is expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("mr", "mrs", True),
        ("mr", "miss", True),
        ("miss", "mrs", True),
        ("lady", "miss", True),
        ("mr", "sir", False),
        ("mr", "dr", False),
        ("dr", "mrs", False),
        ("mr", "mr", False),
        ("mr", None, False),
    ],
)
def test_titles_that_make_two_people(one: str | None, other: str | None, expected: bool) -> None:
    assert titles_conflict(one, other) is expected
    assert titles_conflict(other, one) is expected


def test_a_title_says_the_gender_of_one_person() -> None:
    assert parse_name("Mr. Darcy").gender == "masculine"
    assert parse_name("Miss Darcy").gender == "feminine"
    assert parse_name("Dr. Darcy").gender is None
    assert parse_name("Mr. and Mrs. Darcy").gender is None


def test_accents_may_be_written_either_way() -> None:
    assert parse_name("Zoe\u0308 Pe\u0301rez") == parse_name("Zo\u00eb P\u00e9rez")


@given(text=texts(), other=texts())
def test_any_text_is_a_name_of_some_kind(text: str, other: str) -> None:
    name, known = parse_name(text), parse_name(other)
    assert bool(name.words) == any(letter.isalnum() for letter in text)
    if name.words and known.words:
        assert relation(name, known) in Relation
        assert relation(name, name) in (Relation.EXACT, Relation.SHORTER)
