from __future__ import annotations

import pytest

from petra.english.vocabulary import takes_dot


@pytest.mark.parametrize(("word", "takes"), [("Mr", True), ("J", True), ("U.S", True), ("I", False), ("house", False)])
def test_words_that_take_a_dot(word: str, takes: bool) -> None:
    assert takes_dot(word) == takes


def test_no_word_takes_no_dot() -> None:
    assert not takes_dot("")
