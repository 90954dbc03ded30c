"""Paragraphs of a text that arrives bit by bit.

A paragraph ends at a blank line. Until the first blank line of a text it also ends at a line
end after the end of a sentence, since some texts have a paragraph a line.
"""

from __future__ import annotations

import re
from bisect import bisect_right

_LINE_ENDS = re.compile(r"(\S)[^\S\n]*\n\s*")
_SENTENCE_END = frozenset(".!?…:\"'”’»)]")


class Paragraphs:
    """Numbers the paragraphs of a text; those before a place that is not asked for any more are forgotten."""

    def __init__(self) -> None:
        self._starts: list[int] = []  # of the paragraphs after the first one that are kept
        self._forgotten = 0  # paragraphs whose starts are not kept
        self._end = 0  # of the text so far
        self._before = ""  # the last character that is no white space, and up to two line ends since
        self._has_blank_lines = False

    def feed(self, text: str) -> None:
        """Read on in the text."""
        begin = self._end - len(self._before)
        self._end += len(text)
        text = self._before + text
        solid = len(text.rstrip())
        for found in _LINE_ENDS.finditer(text):
            if found.end() > solid:
                break
            is_blank = found.group().count("\n") > 1
            if is_blank or (not self._has_blank_lines and found.group(1) in _SENTENCE_END):
                self._starts.append(begin + found.end())
            self._has_blank_lines |= is_blank
        self._before = text[solid - 1 : solid] + "\n" * min(2, text.count("\n", solid)) if solid else ""

    def number(self, place: int) -> int:
        """The number of the paragraph that a place is in, counted from 0."""
        return self._forgotten + bisect_right(self._starts, place)

    def forget_before(self, place: int) -> None:
        """Drop what only places before this one would need."""
        passed = bisect_right(self._starts, place)
        self._forgotten += passed
        del self._starts[:passed]
