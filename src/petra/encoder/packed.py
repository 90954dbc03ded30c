"""Batches of texts of different lengths through one pass of an encoder that is being trained.

Linear layers, norms and dropout see the tokens of all batches one after the other, and only
attention goes batch by batch. The updates of all layers of one shape are made by one
product. So a pass has a few hundred launches of a GPU however the texts differ in length,
and little of it is padding.

Letters: B texts of a batch, L tokens of its longest, P tokens of all batches, padding
counted, H hidden size.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel

from petra.encoder.adapter import LowRankLinear, updated_weights

Linear: TypeAlias = nn.Linear | LowRankLinear

# Not cuDNN's, which plans anew, for milliseconds, whenever the shape of a batch is another.
_ATTENTION = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]


class PaddedBatch(NamedTuple):
    """The tokens of B texts."""

    token_ids: Tensor  # (B, L)
    is_real: Tensor  # (B, L) false where a row is filled up


@dataclass(frozen=True, slots=True, eq=False)
class _EncoderBlock:
    """A block of an encoder whose norms follow its sums, as those of BERT do."""

    query: Linear
    key: Linear
    value: Linear
    attended: Linear
    attention_dropout: float
    attention_norm: nn.LayerNorm
    inner: Linear
    activation: Any
    outer: Linear
    dropout: float
    norm: nn.LayerNorm

    @property
    def linear(self) -> tuple[Linear, ...]:
        return self.query, self.key, self.value, self.attended, self.inner, self.outer


class PackedEncoder:
    """Computes a transformers model of the BERT or the MPNet kind."""

    def __init__(self, model: Any, layers: Sequence[int]) -> None:
        self._model, self._layers = model, tuple(layers)
        self._blocks = [_block(layer) for layer in model.encoder.layer]
        self._heads: int = model.config.num_attention_heads

    @classmethod
    def fits(cls, model: Any) -> bool:
        """Whether it computes a model of this kind."""
        return model.config.model_type in ("bert", "mpnet") and not getattr(model.config, "is_decoder", False)

    def features(self, batches: Sequence[PaddedBatch]) -> Tensor:
        """The outputs of the configured layers, side by side, for the tokens of all batches: (P, D)."""
        with sdpa_kernel(_ATTENTION):
            return self._outputs(batches)

    def _outputs(self, batches: Sequence[PaddedBatch]) -> Tensor:
        weights = iter(updated_weights([layer for block in self._blocks for layer in block.linear]))
        embedded = [self._model.embeddings(input_ids=batch.token_ids) for batch in batches]
        hidden = torch.cat([each.flatten(0, 1) for each in embedded])  # (P, H)
        biases = [self._bias(batch, hidden) for batch in batches]
        outputs = {0: hidden}
        for number, block in enumerate(self._blocks, start=1):
            own = [next(weights) for _ in block.linear]
            hidden = self._apply(block, own, hidden, batches, biases)
            if number in self._layers:
                outputs[number] = hidden
        return torch.cat([outputs[layer] for layer in self._layers], dim=-1)

    def _bias(self, batch: PaddedBatch, like: Tensor) -> Tensor:
        """What is added to the scores of attention (B, heads or 1, L or 1, L): nothing to see in padding."""
        unseen = torch.zeros_like(batch.is_real, dtype=like.dtype).masked_fill_(~batch.is_real, -math.inf)
        bias = unseen[:, None, None]  # (B, 1, 1, L)
        if self._model.config.model_type == "mpnet":
            with torch.no_grad():  # by the distance of two tokens
                of_distance = self._model.encoder.compute_position_bias(like.new_empty(1, batch.is_real.shape[1]))
            bias = bias + of_distance
        return bias

    def _apply(
        self,
        block: _EncoderBlock,
        weights: Sequence[Tensor],
        hidden: Tensor,
        batches: Sequence[PaddedBatch],
        biases: Sequence[Tensor],
    ) -> Tensor:
        query, key, value, attended, inner, outer = weights
        training = self._model.training
        projected = F.linear(
            hidden,
            torch.cat([query, key, value]),
            torch.cat([block.query.bias, block.key.bias, block.value.bias]),
        )  # (P, 3H)
        seen = []
        for batch, bias, own in zip(
            batches, biases, projected.split([each.token_ids.numel() for each in batches]), strict=True
        ):
            rows, length = batch.token_ids.shape
            parts = own.view(rows, length, 3, self._heads, -1).permute(2, 0, 3, 1, 4)  # (3, B, heads, L, H / heads)
            asked, offered, carried = parts.unbind()
            dropout = block.attention_dropout if training else 0.0
            found = F.scaled_dot_product_attention(asked, offered, carried, attn_mask=bias, dropout_p=dropout)
            seen.append(found.transpose(1, 2).reshape(rows * length, -1))
        summed = F.dropout(F.linear(torch.cat(seen), attended, block.attended.bias), block.dropout, training)
        hidden = block.attention_norm(summed + hidden)
        wide = block.activation(F.linear(hidden, inner, block.inner.bias))
        summed = F.dropout(F.linear(wide, outer, block.outer.bias), block.dropout, training)
        normed: Tensor = block.norm(summed + hidden)
        return normed


def _block(layer: Any) -> _EncoderBlock:
    attention = layer.attention
    if hasattr(attention, "attn"):  # MPNet
        own = attention.attn
        parts = own.q, own.k, own.v, own.o
        norm = attention.LayerNorm
    else:
        own = attention.self
        parts = own.query, own.key, own.value, attention.output.dense
        norm = attention.output.LayerNorm
    return _EncoderBlock(
        *parts,
        attention_dropout=own.dropout.p,
        attention_norm=norm,
        inner=layer.intermediate.dense,
        activation=layer.intermediate.intermediate_act_fn,
        outer=layer.output.dense,
        dropout=layer.output.dropout.p,
        norm=layer.output.LayerNorm,
    )
