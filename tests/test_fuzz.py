"""The long attack of `make fuzz`, a moment of it."""

from __future__ import annotations

from fuzz import fuzz


def test_a_few_rounds_find_nothing() -> None:
    assert fuzz(1, rounds=8, only=("text", "files")) == []
