"""The encoder of a model that learns, on a GPU recorded once for each shape of its input.

An encoder with an adapter is some thousands of small operations each way, and starting
them takes longer than carrying them out. Recorded, forward and backward are two launches.

Letters: B windows, L tokens of a window with its special tokens, D features of a token.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import torch
from torch import Tensor, nn

from petra.encoder.pretrained import PretrainedEncoder


class RecordedEncoder:
    """Features of framed windows, differentiable with respect to the adapter.

    All recordings share one memory: the gradient of a call must be asked for before
    the next call.
    """

    def __init__(self, encoder: PretrainedEncoder) -> None:
        self._encoder = encoder
        self._recordings: dict[torch.Size, Callable[[Tensor, Tensor], Tensor]] = {}
        self._pool = torch.cuda.graph_pool_handle() if encoder.device.type == "cuda" else None

    def __call__(self, token_ids: Tensor, is_text: Tensor) -> Tensor:
        """The features (B, L, D) of windows (B, L) in training."""
        device = self._encoder.device
        token_ids, is_text = token_ids.to(device), is_text.to(device)
        if device.type != "cuda":
            return self._encoder.features(token_ids, is_text.long())
        mask = _additive(is_text, self._encoder.model.dtype)
        if token_ids.shape not in self._recordings:
            self._recordings[token_ids.shape] = cast(
                Callable[[Tensor, Tensor], Tensor],
                torch.cuda.make_graphed_callables(
                    _Features(self._encoder),
                    (token_ids, mask),
                    num_warmup_iters=1,
                    allow_unused_input=True,
                    pool=self._pool,
                ),
            )
        return self._recordings[token_ids.shape](token_ids, mask)


class _Features(nn.Module):
    """The encoder as a module of tensors alone."""

    def __init__(self, encoder: PretrainedEncoder) -> None:
        super().__init__()
        self.model = encoder.model  # whose parameters are the module's
        self._encoder = encoder

    def forward(self, token_ids: Tensor, mask: Tensor) -> Tensor:
        return self._encoder.features(token_ids, mask)


def _additive(is_text: Tensor, dtype: torch.dtype) -> Tensor:
    """What is added to scores of attention, (B, 1, 1, L). Encoders take it as it is, and look at nothing to make it."""
    return torch.where(is_text, 0.0, torch.finfo(dtype).min).to(dtype)[:, None, None]
