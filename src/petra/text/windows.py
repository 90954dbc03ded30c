"""Overlapping windows: how a text longer than the encoder's input is divided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Window:
    """Tokens encoded together, and those among them whose encoding is kept."""

    start: int  # half-open token ranges
    end: int
    keep_start: int
    keep_end: int


def windows(num_tokens: int, size: int, margin: int) -> Iterator[Window]:
    """The windows of a text, which keep every token once, in order.

    A kept token has at least margin tokens of the text on either side in its window,
    or all there are. A text of at most size tokens is one window.
    """
    start = 0
    while start < num_tokens:
        window = window_at(start, num_tokens, size, margin)
        yield window
        if window.end == num_tokens:
            return
        start += stride(size, margin)


def window_at(start: int, num_tokens: int, size: int, margin: int) -> Window:
    """The window that begins at start. It depends on the length of the text only where the text ends in it."""
    end = min(start + size, num_tokens)
    return Window(
        start=start,
        end=end,
        keep_start=start + margin if start else 0,
        keep_end=end if end == num_tokens else end - margin,
    )


def stride(size: int, margin: int) -> int:
    """From the start of a window to that of the next."""
    return size - 2 * margin
