from __future__ import annotations

import pytest

from petra import Tracker
from petra.text.many import checked


@pytest.mark.parametrize("missing", [None, float("nan"), 3, b"Lena"])
def test_what_is_no_text_is_named_by_its_row(tiny_tracker: Tracker, missing: object) -> None:
    texts = ["Paul met Lena.", "", missing, "He left."]
    with pytest.raises(TypeError, match=r"^Row 2 of the texts, counted from 0, is .* and a str was expected"):
        tiny_tracker.track_many(texts)  # type: ignore[arg-type]  # at once, before anything is read
    with pytest.raises(TypeError, match=r"^Row 2 of the texts"):
        list(tiny_tracker.track_many(iter(texts)))  # type: ignore[arg-type]


def test_texts_that_are_read_as_needed_are_not_read_twice() -> None:
    given = iter(["a", "b"])
    texts = checked(given)
    assert next(texts) == "a"
    assert list(given) == ["b"]


def test_one_text_is_not_many() -> None:
    with pytest.raises(TypeError, match="Give a list of texts"):
        checked("Paul met Lena.")


def test_tokens_are_counted_as_texts_are_taken_and_read(tiny_tracker: Tracker) -> None:
    told: list[tuple[int, int]] = []
    texts = ["Paul met Lena.", "", "She told him that his sister saw the king. " * 20]
    tokens = [tracking.log.num_tokens for tracking in tiny_tracker.track_many(texts)]
    for _ in tiny_tracker.track_many(texts, report=lambda *counts: told.append(counts)):
        pass
    assert told[0] == (0, tokens[0])  # before anything is encoded
    assert told == sorted(told)
    assert told[-1] == (sum(tokens), sum(tokens))
