"""The end of a text that is still arriving."""

from __future__ import annotations


class Tail:
    """The last part of a text that arrives bit by bit, addressed by places in the whole text."""

    def __init__(self) -> None:
        self._text = ""
        self.start = 0

    @property
    def end(self) -> int:
        return self.start + len(self._text)

    def append(self, text: str) -> None:
        self._text += text

    def slice(self, start: int, end: int) -> str:
        return self._text[start - self.start : end - self.start]

    def forget_before(self, place: int) -> None:
        self._text = self._text[place - self.start :]
        self.start = place
