"""An encoder's adapter: low-rank updates of its linear layers (LoRA), trained through peft.

A model holds, for each linear layer, the two factors of the update of its weight,

    W' = W + (alpha / rank) B A,

as ``adapter.LAYER.a`` (rank, inputs) and ``adapter.LAYER.b`` (outputs, rank). Reading
needs no peft: the update is added to the weights once, when the encoder is loaded.

With ``neutral_pronouns`` an adapted encoder reads he and she alike (``neutralise_pronouns``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from petra.config import AdapterConfig
from petra.english.gender import PRONOUNS_BY_CASE
from petra.errors import ConfigError, ModelError
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


def add_trainable(model: nn.Module, config: AdapterConfig, seed: int) -> nn.Module:
    """The encoder with a trainable adapter in the linear layers of its blocks; all else is frozen."""
    try:
        from peft import LoraConfig, inject_adapter_in_model
    except ImportError:
        raise ConfigError(
            "To train an adapter peft is needed, which is not installed. Install it with: pip install 'petra[train]'"
        ) from None

    lora = LoraConfig(
        r=config.rank,
        lora_alpha=config.alpha,  # type: ignore[arg-type]
        lora_dropout=config.dropout,
        target_modules=adapted_layers(model),
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)  # peft draws A from the global generator
        injected = inject_adapter_in_model(lora, model)
    for name, parameter in injected.named_parameters():
        parameter.requires_grad_("lora_" in name)
        if "lora_" in name:
            parameter.data = parameter.data.float()  # in bfloat16 the small steps at the end would be lost
    return injected


def trained_weights(model: nn.Module) -> dict[str, Tensor]:
    """The weights of the adapter that ``add_trainable`` added, by their names in a model's file."""
    weights = {}
    for name, parameter in model.named_parameters():
        if "lora_" in name:
            layer, _, factor = name.removesuffix(".default.weight").rpartition(".lora_")
            weights[f"{PREFIX}{layer}.{factor.lower()}"] = parameter.detach()
    return weights
