"""PyTorch, in float32 or in bfloat16; the back end of training.

Letters: B windows encoded together, L tokens of the longest, P tokens of several batches, D
features of a token.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import torch
from torch import Tensor, nn

from petra.encoder.backends.contract import EncoderShape, EncoderSource
from petra.encoder.loading import max_positions, padding_id
from petra.encoder.packed import PackedEncoder, PaddedBatch


class TorchBackend:
    """A transformers model, computed as it is. Differentiable."""

    def __init__(self, model: Any, layers: Sequence[int], name: str = "torch") -> None:
        self.name = name
        self.model = model
        self.shape = EncoderShape(model.config.hidden_size * len(layers), padding_id(model), max_positions(model))
        self.overlaps = model.device.type == "cuda"  # on the CPU its threads and a reader's wait for each other
        self._layers = tuple(layers)

    @classmethod
    def open(cls, source: EncoderSource) -> TorchBackend:
        return cls(source.load(), source.layers)

    @classmethod
    def open_bf16(cls, source: EncoderSource) -> TorchBackend:
        """The model with its weights and outputs in bfloat16; sums are float32 inside of products."""
        return cls(source.load().to(torch.bfloat16), source.layers, "torch-bf16")

    @property
    def device(self) -> torch.device:
        device: torch.device = self.model.device
        return device

    def features(self, token_ids: Tensor, attention_mask: Tensor) -> Tensor:
        return layer_features(self.model, self._layers, token_ids, attention_mask).float()

    @cached_property
    def _packed(self) -> PackedEncoder:
        return PackedEncoder(self.model, self._layers)

    def packed_features(self, batches: Sequence[PaddedBatch]) -> Tensor:
        """The features of the tokens of several batches, padding among them, one after the other: (P, D)."""
        placed = [PaddedBatch(*(each.to(self.device, non_blocking=True) for each in batch)) for batch in batches]
        if PackedEncoder.fits(self.model):
            return self._packed.features(placed).float()
        alone = (self.features(batch.token_ids, batch.is_real.long()).flatten(0, 1) for batch in placed)
        return torch.cat(list(alone))


class LayerFeatures(nn.Module):
    """The features as the output of a module, for back ends that are made from its graph."""

    def __init__(self, model: Any, layers: Sequence[int]) -> None:
        super().__init__()
        self.model = model
        self.layers = tuple(layers)

    def forward(self, token_ids: Tensor, attention_mask: Tensor) -> Tensor:
        return layer_features(self.model, self.layers, token_ids, attention_mask)


def layer_features(model: Any, layers: Sequence[int], token_ids: Tensor, attention_mask: Tensor) -> Tensor:
    """The outputs of some layers, concatenated: (B, L, D)."""
    output = model(input_ids=token_ids, attention_mask=attention_mask, output_hidden_states=True)
    return torch.cat([output.hidden_states[layer] for layer in layers], dim=-1)
