from __future__ import annotations

import pytest

from petra.errors import ConfigError
from petra.report.picture.passages import find_passage

TEXT = "Helena saw Tom. He left,\nand Tom Reed saw Helena. 張三来了。"


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        (None, None, TEXT),
        ("7", "10", "saw"),
        ("He", None, TEXT[16:]),  # a word, not the beginning of Helena
        ("Tom Reed", "Helena", "Tom Reed saw Helena"),
        ("left, and", "Tom", "left,\nand Tom"),  # over a line's end, and the next Tom
        ("三来", "了", "三来了"),  # where words have no spaces
        ("11", "5000", TEXT[11:]),
    ],
)
def test_a_passage(first: str | None, last: str | None, words: str) -> None:
    start, end = find_passage(TEXT, first, last)
    assert TEXT[start:end] == words


@pytest.mark.parametrize(
    ("first", "last", "message"),
    [
        ("Jonas", None, "'Jonas' does not stand in the text"),
        ("He", "Tom.", "'Tom.' does not stand after character 16"),
        (" ", None, "' ' does not stand in the text"),
        ("500", None, f"from {len(TEXT)} to {len(TEXT)} is empty"),
        ("9", "5", "from 9 to 5 is empty"),
    ],
)
def test_no_passage(first: str, last: str | None, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        find_passage(TEXT, first, last)


def test_an_empty_text_is_a_passage() -> None:
    assert find_passage("", None, None) == (0, 0)
    assert find_passage("", "3", "7") == (0, 0)
