from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petra.text.windows import Window, windows


@st.composite
def layouts(draw: st.DrawFn) -> tuple[int, int, int]:
    margin = draw(st.integers(0, 6))
    size = draw(st.integers(2 * margin + 1, 2 * margin + 12))
    return draw(st.integers(0, 80)), size, margin


def test_a_short_text_is_one_window() -> None:
    assert list(windows(10, 10, 3)) == [Window(0, 10, 0, 10)]
    assert list(windows(0, 10, 3)) == []


def test_windows_of_ten_with_margins_of_three_advance_by_four() -> None:
    assert list(windows(15, 10, 3)) == [Window(0, 10, 0, 7), Window(4, 14, 7, 11), Window(8, 15, 11, 15)]


def test_one_token_more_than_a_window_makes_two() -> None:
    assert list(windows(11, 10, 3)) == [Window(0, 10, 0, 7), Window(4, 11, 7, 11)]


@given(layouts())
def test_every_token_is_kept_once_in_order(layout: tuple[int, int, int]) -> None:
    kept = [token for window in windows(*layout) for token in range(window.keep_start, window.keep_end)]
    assert kept == list(range(layout[0]))


@given(layouts())
def test_kept_tokens_have_their_margins_and_windows_their_size(layout: tuple[int, int, int]) -> None:
    num_tokens, size, margin = layout
    for window in windows(*layout):
        assert 0 <= window.start <= window.keep_start < window.keep_end <= window.end <= num_tokens
        assert window.end - window.start <= size
        assert window.start == 0 or window.keep_start - window.start >= margin
        assert window.end == num_tokens or window.end - window.keep_end >= margin


@given(layouts(), st.integers(1, 40))
def test_windows_before_the_last_do_not_depend_on_what_follows(layout: tuple[int, int, int], more: int) -> None:
    num_tokens, size, margin = layout
    longer = list(windows(num_tokens + more, size, margin))
    assert list(windows(num_tokens, size, margin))[:-1] == longer[: max(0, len(list(windows(*layout))) - 1)]


@pytest.mark.parametrize("num_tokens", [1, 5, 383, 384, 385, 100_000])
def test_the_default_layout_keeps_all(num_tokens: int) -> None:
    assert sum(window.keep_end - window.keep_start for window in windows(num_tokens, 384, 64)) == num_tokens
