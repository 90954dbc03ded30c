"""Where a long text is cut, so that a browser need not lay out all of it at once."""

from __future__ import annotations

import re
from collections.abc import Iterable

_LENGTH = 4_000  # characters of a section, about two screens
_BLANK_LINES = re.compile(r"\n(?:[^\S\n]*\n)+")
_LINE_END = re.compile(r"\n+")
_SPACE = re.compile(r"\s+")


def cut(text: str, spans: Iterable[tuple[int, int]], length: int = _LENGTH) -> list[range]:
    """The sections of a text: all of it, in order, and none ending within a span.

    Each has about so many characters, at most twice as many, and ends after a blank line if
    it can, or else after a line's end.
    """
    joined = _joined(spans)
    sections: list[range] = []
    start = 0
    while start < len(text):
        end = _end(text, start, length, joined)
        sections.append(range(start, end))
        start = end
    return sections


def _end(text: str, start: int, length: int, joined: dict[int, int]) -> int:
    for sign in (_BLANK_LINES, _LINE_END, _SPACE):
        for found in sign.finditer(text, start + length, start + 2 * length):
            if found.end() not in joined:
                return found.end()
    end = min(start + 2 * length, len(text))
    return joined.get(end, end)


def _joined(spans: Iterable[tuple[int, int]]) -> dict[int, int]:
    """The places where the text must not be cut, each with the next one where it may."""
    places: dict[int, int] = {}
    runs: list[tuple[int, int]] = []  # spans that share characters, together
    for start, end in sorted(spans):
        if runs and start < runs[-1][1]:
            start, end = runs[-1][0], max(runs.pop()[1], end)
        runs.append((start, end))
    for start, end in runs:
        places.update(dict.fromkeys(range(start + 1, end), end))
    return places
