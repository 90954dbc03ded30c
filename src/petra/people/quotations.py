"""Quotations: where in a text somebody is quoted."""

from __future__ import annotations

import re
from bisect import bisect_right

_PIECE = re.compile(r"\n|[^\S\n]+|[“”\"„«»‘’]|[^\s“”\"„«»‘’]+")
_CLOSED_BY = {"“": "”", "„": "“”", "«": "»", '"': '"', "‘": "’"}
_BEFORE_CLOSING = frozenset(".,!?;:…—–-")  # what stands before a single mark that is no apostrophe
_LONGEST = 5_000  # characters; a quotation that goes on has lost its closing mark


class Quotations:
    """Tells which quotation a place of a text is in, as the text arrives bit by bit.

    Quotation marks are double ones of any shape, and single curly ones whose neighbours
    show that they are no apostrophes. A blank line ends a quotation: books open it
    again in the next paragraph. A quotation inside another is part of it.
    """

    def __init__(self) -> None:
        self._turns: list[tuple[int, int | None]] = [(0, None)]  # from this place on, in this quotation or in none
        self._count = 0
        self._opener = ""  # the mark of the open quotation
        self._end = 0  # of the text so far
        self._before = " "  # the character before the next
        self._line_is_blank = False

    def feed(self, text: str) -> None:
        """Read on in the text."""
        for found in _PIECE.finditer(text):
            piece, place = found.group(), self._end + found.start()
            if piece == "\n":
                if self._line_is_blank:
                    self._close(place)
                self._line_is_blank = True
            elif not piece.isspace():
                self._line_is_blank = False
                if piece in _CLOSED_BY or piece in "”»’":
                    self._read(piece, place)
            self._before = piece[-1]
        self._end += len(text)

    def at(self, place: int) -> int | None:
        """The number of the quotation that a place is in, counted from 1; None outside of quotations."""
        start, number = self._turns[self._turn(place)]
        return number if place - start < _LONGEST else None

    def forget_before(self, place: int) -> None:
        """Nothing before the place will be asked for."""
        del self._turns[: self._turn(place)]

    def _turn(self, place: int) -> int:
        return bisect_right(self._turns, place, key=lambda turn: turn[0]) - 1

    def _read(self, mark: str, place: int) -> None:
        is_single = mark in "‘’"
        if self._opener and mark in _CLOSED_BY[self._opener]:
            if not is_single or self._before in _BEFORE_CLOSING:
                self._close(place)
        elif mark in _CLOSED_BY and self._opener in ("", mark) and not (is_single and self._before.isalnum()):
            self._opener = mark
            self._count += 1
            self._turns.append((place, self._count))

    def _close(self, place: int) -> None:
        if self._opener:
            self._opener = ""
            self._turns.append((place, None))
