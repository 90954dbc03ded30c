"""Features of a text whose tokens arrive bit by bit.

Letters: t tokens finished, D features of a token.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from petra.encoder.pretrained import PretrainedEncoder, WindowTokens
from petra.text.windows import stride, window_at


class FeatureStream:
    """Encodes tokens as they come, in the windows that the whole document would have.

    A window is encoded once a token after it is known. What is held back are the
    tokens of the next window, and none of their features.
    """

    def __init__(self, encoder: PretrainedEncoder) -> None:
        self._encoder = encoder
        self._start = 0  # of the next window
        self._held = np.zeros(0, dtype=np.int64)  # the tokens known from there

    def feed(self, token_ids: NDArray[np.int64]) -> Tensor:
        """The features (t, D) that these tokens finish, next in text order."""
        self._held = np.concatenate([self._held, token_ids])
        return self._encode(self._full_windows())

    def finish(self) -> Tensor:
        """The features (t, D) of the tokens that are left."""
        return self._encode(iter([self._next_window()] if len(self._held) else []))

    def _full_windows(self) -> Iterator[WindowTokens]:
        """The windows that do not reach the end of what is known."""
        size, margin = self._encoder.config.window, self._encoder.config.margin
        while len(self._held) > size:
            yield self._next_window()
            self._start += stride(size, margin)
            self._held = self._held[stride(size, margin) :]

    def _next_window(self) -> WindowTokens:
        size, margin = self._encoder.config.window, self._encoder.config.margin
        window = window_at(self._start, self._start + len(self._held), size, margin)
        return WindowTokens(self._held[: window.end - window.start], window)

    def _encode(self, windows: Iterator[WindowTokens]) -> Tensor:
        nothing = torch.zeros(0, self._encoder.size, device=self._encoder.device)
        return torch.cat([nothing, *self._encoder.encode_in_order(windows)])
