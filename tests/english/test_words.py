from __future__ import annotations

import re

from hypothesis import given
from strategies import texts

from petra.english.words import LETTER, BareWord, bare_words, tokens, undivided, without_possessive, word_pattern


def test_tokens_are_words_possessive_endings_and_marks() -> None:
    text = "Jean-Luc O'Neil’s wife, (aged 40)."
    assert [token.group() for token in tokens(text)] == [
        "Jean-Luc",
        "O'Neil",
        "’s",
        "wife",
        ",",
        "(",
        "aged",
        "40",
        ")",
        ".",
    ]


def test_bare_words_have_no_possessive_ending() -> None:
    assert list(bare_words("the boys' AT&T, Emma’s")) == [
        BareWord(0, "the", 3),
        BareWord(4, "boys", 9),
        BareWord(10, "AT&T", 14),
        BareWord(16, "Emma", 22),
    ]


def test_only_a_last_s_is_a_possessive_ending() -> None:
    assert [without_possessive(word) for word in ("Jane's", "JANE’S", "O'Neil", "don't")] == [
        "Jane",
        "JANE",
        "O'Neil",
        "don't",
    ]


def test_a_pattern_takes_the_characters_it_is_given() -> None:
    assert re.findall(word_pattern(), "B-52 R&D") == ["B-52", "R", "D"]
    assert re.findall(word_pattern(LETTER), "B-52 Jean-Luc") == ["B", "Jean-Luc"]


@given(texts())
def test_tokens_leave_out_white_space_alone(text: str) -> None:
    assert "".join(token.group() for token in tokens(text)) == "".join(text.split())


def test_an_accent_that_stands_by_itself_belongs_to_its_letter() -> None:
    text = "Zoe\u0308 Pe\u0301rez"
    assert [token.group() for token in tokens(text)] == text.split()
    assert [word.text for word in bare_words(text)] == text.split()
    assert re.findall(word_pattern(LETTER), text) == text.split()


def test_words_divided_at_the_end_of_a_line_are_whole() -> None:
    assert undivided("Bath-\nsheba's fore-\r\n  man, Jean-\nLuc, said - \nfirst well-known") == (
        "Bathsheba's foreman, Jean-Luc, said - \nfirst well-known"
    )
