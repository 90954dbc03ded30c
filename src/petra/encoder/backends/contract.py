"""The contract of back ends: padded batches of tokens in, features out.

A back end knows nothing of texts, windows or batches. All give the features of
PyTorch in float32, up to the precision that they compute in.

Letters: B windows encoded together, L tokens of the longest with its special tokens,
D features of a token.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import torch
from torch import Tensor


class EncoderShape(NamedTuple):
    """What must be known of an encoder to give it tokens."""

    size: int  # D
    padding: int  # the token id that fills up a batch
    positions: int | None  # tokens that can be read at once, special ones included; None if there is no limit


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class EncoderSource:
    """An encoder to be computed: its weights, read only by the back ends that need them, and what identifies them."""

    load: Callable[[], Any]  # the transformers model in float32, adapter merged, on the device
    layers: tuple[int, ...]  # whose outputs are the features, side by side
    digests: Callable[[], dict[str, Any]]  # of everything that determines the weights

    def key(self, backend: str, version: str) -> str:
        """A name for what a back end makes of the encoder and keeps on disk."""
        parts = {**self.digests(), "layers": self.layers, "backend": backend, "version": version}
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


class Backend(Protocol):
    """Computes an encoder. Safe to call from several threads of Python."""

    @property
    def name(self) -> str: ...

    @property
    def shape(self) -> EncoderShape: ...

    @property
    def device(self) -> torch.device:
        """Of tokens and features."""
        ...

    @property
    def overlaps(self) -> bool:
        """Whether it computes well beside another thread that reads."""
        ...

    def features(self, token_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """The features (B, L, D) in float32 of token ids (B, L); the mask (B, L) is 0 where a row is filled up."""
        ...
