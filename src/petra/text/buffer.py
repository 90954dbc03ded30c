"""Buffers of the last characters and tokens of a text that arrives in parts.

Letters: T tokens, H hidden size.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class TextBuffer:
    """The last characters of a text that arrives in parts, addressed by places in the whole text."""

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


class TokenBuffer:
    """The last tokens of such a text, addressed by their numbers in the whole text."""

    def __init__(self) -> None:
        self._offsets = np.zeros((2, 0), dtype=np.int64)  # starts and ends  (2, T)
        self._hidden: NDArray[np.float32] | None = None  # h_t  (T, H)
        self.first = 0  # number of the first token

    @property
    def end(self) -> int:
        return self.first + self._offsets.shape[1]

    def append(self, starts: NDArray[np.int64], ends: NDArray[np.int64], hidden: NDArray[np.float32]) -> None:
        self._offsets = np.concatenate([self._offsets, [starts, ends]], axis=1)
        self._hidden = hidden if self._hidden is None else np.concatenate([self._hidden, hidden])

    def start_of(self, token: int) -> int:
        return int(self._offsets[0, token - self.first])

    def end_of(self, token: int) -> int:
        return int(self._offsets[1, token - self.first])

    def hidden_of(self, token: int) -> NDArray[np.float32]:
        assert self._hidden is not None
        hidden: NDArray[np.float32] = self._hidden[token - self.first]
        return hidden

    def token_before(self, place: int) -> int:
        """The last token that begins before a place of the text."""
        return self.first + int(np.searchsorted(self._offsets[0], place)) - 1

    def forget_before(self, token: int) -> None:
        self._offsets = self._offsets[:, token - self.first :].copy()
        self._hidden = None if self._hidden is None else self._hidden[token - self.first :].copy()
        self.first = token
