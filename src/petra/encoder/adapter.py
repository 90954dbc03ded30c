"""An encoder's adapter: low-rank updates of its linear layers (LoRA).

A model holds, for each linear layer, the two factors of the update of its weight,

    W' = W + (alpha / rank) B A,

as ``adapter.LAYER.a`` (rank, inputs) and ``adapter.LAYER.b`` (outputs, rank). For
reading the update is added to the weights once, when the encoder is loaded.

With ``neutral_pronouns`` an adapted encoder reads he and she alike (``neutralise_pronouns``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from petra.config import AdapterConfig
from petra.english.gender import PRONOUNS_BY_CASE
from petra.errors import ModelError
from petra.text.tokenize import Tokenizer

PREFIX = "adapter."


class Adapter(NamedTuple):
    """A trained adapter."""

    config: AdapterConfig
    weights: Mapping[str, Tensor]  # by layer and factor

    @property
    def digest(self) -> str:
        """Of everything that it changes in an encoder."""
        digest = hashlib.sha256(repr((self.config.rank, self.config.alpha)).encode())
        for name, value in sorted(self.weights.items()):
            digest.update(f"{name} {tuple(value.shape)}".encode())
            digest.update(value.float().contiguous().numpy().data)
        return digest.hexdigest()


def adapter_of(config: AdapterConfig, weights: Mapping[str, Tensor]) -> Adapter | None:
    """The adapter among a model's weights, if it has one."""
    own = {name.removeprefix(PREFIX): value for name, value in weights.items() if name.startswith(PREFIX)}
    sizes = {value.shape[0] if name.endswith(".a") else value.shape[-1] for name, value in own.items() if value.dim()}
    if sizes - {config.rank}:
        raise ModelError(
            f"The model's adapter is of rank {max(sizes)}; its configuration says adapter.rank = {config.rank}. "
            "Restore config.toml, or install PeTra or train the model again."
        )
    return Adapter(config, own) if config.rank else None


@torch.no_grad()
def apply_adapter(model: Any, adapter: Adapter) -> None:
    """Add the adapter's updates to the encoder's linear layers."""
    layers, (config, weights) = dict(model.named_modules()), adapter
    for name in sorted({name.rpartition(".")[0] for name in weights}):
        layer = layers.get(name)
        try:
            update = (weights[f"{name}.b"] @ weights[f"{name}.a"]) * (config.alpha / config.rank)
            fits = isinstance(layer, nn.Linear) and layer.weight.shape == update.shape
        except (KeyError, RuntimeError, ZeroDivisionError):
            fits = False
        if not fits:
            raise ModelError(
                f"The adapter's part for the layer {name} does not fit the encoder. "
                "Give the encoder that the model was trained with, or install PeTra again."
            )
        assert isinstance(layer, nn.Linear)
        layer.weight += update.to(layer.weight)


@torch.no_grad()
def neutralise_pronouns(model: Any, tokenizer: Tokenizer) -> None:
    """Give pronouns that differ in gender alone, as he and she, one embedding: the mean of theirs.

    What the encoder knows about pronouns and occupations, or any other words, then cannot
    depend on gender.
    """
    embeddings = model.get_input_embeddings().weight
    for words in neutralised_words():
        tokens = [tokenizer.tokenize(word).token_ids.tolist() for word in words]
        single = [token for (token, *rest) in tokens if not rest]
        embeddings[single] = embeddings[single].mean(dim=0)


def neutralised_words() -> list[list[str]]:
    """The pronouns that ``neutralise_pronouns`` gives one embedding, case by case."""
    return [sorted(words) for words in PRONOUNS_BY_CASE]


def adapted_layers(model: nn.Module) -> list[str]:
    """The names of the linear layers inside the encoder's blocks: attention and feed-forward."""
    return [name for name, layer in model.named_modules() if isinstance(layer, nn.Linear) and "layer." in name]


class LowRankLinear(nn.Module):
    """A linear layer with a low-rank update that learns: the updated weight is made first, then applied once.

    Next to applying both factors to every token this saves most of the launches of a GPU.
    """

    def __init__(self, layer: nn.Linear, config: AdapterConfig, generator: torch.Generator) -> None:
        super().__init__()
        self.weight, self.bias = layer.weight, layer.bias
        self._scale, self._dropout = config.alpha / config.rank, config.dropout
        outputs, inputs = layer.weight.shape
        # In float32: in bfloat16 the small steps at the end would be lost.
        bound = inputs**-0.5
        drawn = torch.empty(config.rank, inputs).uniform_(-bound, bound, generator=generator)
        self.lora_a = nn.Parameter(drawn.to(layer.weight.device))  # A
        self.lora_b = nn.Parameter(torch.zeros(outputs, config.rank, device=layer.weight.device))  # B

    def forward(self, inputs: Tensor) -> Tensor:
        """The outputs; in training some of the ranks are dropped."""
        (weight,) = updated_weights([self])
        return F.linear(inputs, weight, self.bias)

    @staticmethod
    def updated(layers: Sequence[LowRankLinear]) -> Sequence[Tensor]:
        """The updated weights of layers of one shape, by one product."""
        first = layers[0]
        low, high = torch.stack([each.lora_a for each in layers]), torch.stack([each.lora_b for each in layers])
        kept = F.dropout(low.new_ones(len(layers), low.shape[1], 1), first._dropout, first.training)
        update = first._scale * (high @ (kept * low))
        return (torch.stack([each.weight for each in layers]) + update.to(first.weight.dtype)).unbind()


def updated_weights(layers: Sequence[nn.Linear | LowRankLinear]) -> list[Tensor]:
    """The weights of linear layers, those of ``LowRankLinear`` with their updates."""
    weights = [layer.weight for layer in layers]
    by_shape: dict[torch.Size, list[int]] = {}
    for place, layer in enumerate(layers):
        if isinstance(layer, LowRankLinear):
            by_shape.setdefault(layer.weight.shape, []).append(place)
    for places in by_shape.values():
        updated = LowRankLinear.updated([cast(LowRankLinear, layers[place]) for place in places])
        for place, weight in zip(places, updated, strict=True):
            weights[place] = weight
    return weights


def add_trainable(model: nn.Module, config: AdapterConfig, seed: int) -> nn.Module:
    """The encoder with a trainable adapter in the linear layers of its blocks; all else is frozen."""
    model.requires_grad_(False)
    generator = torch.Generator().manual_seed(seed)
    for name in adapted_layers(model):
        parent, _, own = name.rpartition(".")
        layer = model.get_submodule(name)
        assert isinstance(layer, nn.Linear)
        setattr(model.get_submodule(parent), own, LowRankLinear(layer, config, generator))
    return model


def trained_weights(model: nn.Module) -> dict[str, Tensor]:
    """The weights of the adapter that ``add_trainable`` added, by their names in a model's file."""
    weights = {}
    for name, parameter in model.named_parameters():
        layer, _, factor = name.rpartition(".lora_")
        if layer:
            weights[f"{PREFIX}{layer}.{factor}"] = parameter.detach()
    return weights
