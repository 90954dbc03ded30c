"""The files of the lexicon: their form, and the words they give."""

from __future__ import annotations

from importlib.resources import files

import pytest

from petra.english import lexicon

FILES = sorted(
    path.name.removesuffix(".txt") for path in (files("petra.english") / "lexicon").iterdir() if path.is_file()
)
WORDS_AS_FIELDS = {
    "nicknames",
    "noun_counterparts",
    "relatives",
    "speech_verbs",
    "title_abbreviations",
    "title_counterparts",
}


def lines(name: str) -> list[str]:
    return (files("petra.english") / "lexicon" / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def entry_lines(name: str) -> list[str]:
    return [line for line in lines(name) if not line.startswith("#")]


def test_the_lexicon_has_files() -> None:
    assert {"given_names", "nicknames", "person_nouns", "pronouns", "speech_verbs", "titles"} <= set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_a_file_says_first_what_it_lists(name: str) -> None:
    is_comment = [line.startswith("# ") for line in lines(name)]
    assert is_comment[0]
    assert is_comment == sorted(is_comment, reverse=True)


@pytest.mark.parametrize("name", FILES)
def test_words_are_in_lower_case_and_alphabetical_order_and_each_once(name: str) -> None:
    words = [line.split()[0] for line in entry_lines(name)]
    assert words == sorted(set(words))
    assert all(line == line.lower() == line.strip() for line in entry_lines(name))
    assert list(lexicon.entries(name)) == words


@pytest.mark.parametrize("name", FILES)
def test_no_field_of_a_word_stands_twice(name: str) -> None:
    assert all(len(set(fields)) == len(fields) for fields in lexicon.entries(name).values())


@pytest.mark.parametrize("name", sorted(set(FILES) - WORDS_AS_FIELDS))
def test_the_comment_explains_every_mark(name: str) -> None:
    comment = " ".join(line for line in lines(name) if line.startswith("#"))
    explained = set(comment.replace(",", " ").replace(":", " ").split())
    assert set().union(*lexicon.entries(name).values()) <= explained


@pytest.mark.parametrize("name", ["given_names", "gendered_nouns", "person_nouns", "pronouns", "titles"])
def test_no_word_is_of_both_genders_or_numbers(name: str) -> None:
    for fields in lexicon.entries(name).values():
        assert not {"masculine", "feminine"} <= set(fields)
        assert not {"one", "many"} <= set(fields)


@pytest.mark.parametrize("name", ["noun_counterparts", "title_abbreviations", "title_counterparts"])
def test_a_word_is_the_counterpart_of_one_other(name: str) -> None:
    feminine = [word for words in lexicon.entries(name).values() for word in words]
    assert len(set(feminine)) == len(feminine)
    assert not lexicon.words(name) & set(feminine)


def test_words_by_their_marks() -> None:
    assert lexicon.entries("titles")["mrs"] == ("feminine", "dotted", "exclusive", "person")
    assert {"mrs", "captain"} <= lexicon.words("titles")
    assert lexicon.words("titles", "exclusive") == {"miss", "mrs", "lady"}
    assert lexicon.words("function_words", "article", "demonstrative") >= {"a", "the", "this", "those"}
    assert lexicon.alternatives("name_suffixes", "dotted") == "esq|jr|sr"


def test_a_mark_that_no_word_has_is_a_mistake() -> None:
    with pytest.raises(ValueError, match=r"titles.txt is marked royal"):
        lexicon.words("titles", "noble", "royal")
