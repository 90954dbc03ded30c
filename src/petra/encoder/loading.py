"""A transformers model from its folder: frozen, quiet, and checked for what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from torch import nn

from petra.errors import ConfigError, ModelError

_ADVICE = (
    "A whole encoder has config.json, tokenizer.json and model.safetensors; "
    "one of the catalogue is checked and repaired by: petra models get NAME"
)


def load_model(folder: Path, *, top_layer: int, device: str | torch.device) -> Any:
    """The encoder in a folder up to top_layer, in float32, without gradients.

    Weights are read from safetensors files only: other formats can run code.
    """
    from transformers import AutoModel

    try:
        with quiet():
            model, found = AutoModel.from_pretrained(
                str(folder),
                local_files_only=True,
                trust_remote_code=False,
                use_safetensors=True,
                dtype=torch.float32,
                output_loading_info=True,
            )
    except (OSError, ValueError, KeyError, RuntimeError, ImportError, SafetensorError) as error:
        reason = str(error).strip().splitlines() or [type(error).__name__]
        raise ModelError(f"The encoder in {folder} cannot be loaded: {reason[0].rstrip('.')}. {_ADVICE}") from None
    if model.config.is_encoder_decoder:
        raise ModelError(f"The model in {folder} has a decoder as well. Give one that only encodes, as BERT does.")
    # transformers fills in what the file lacks with random numbers; only the pooler is not used here.
    missing = sorted(key for key in found["missing_keys"] if "pooler" not in key)
    if missing:
        raise ModelError(
            f"The weights in {folder} are incomplete: {len(missing)} tensors are missing, the first is {missing[0]}. "
            f"{_ADVICE}"
        )
    _check_finite(folder, model)
    _check_layers(folder, model.config.num_hidden_layers, top_layer)
    _drop_layers_above(model, top_layer)
    model.requires_grad_(False).eval()
    try:
        return model.to(device)
    except (RuntimeError, AssertionError) as error:
        raise ConfigError(f"The device {device} cannot be used: {str(error).splitlines()[0]} Choose cpu.") from None


def max_positions(model: Any) -> int | None:
    """How many tokens the encoder can read at once, special ones included; None if there is no limit."""
    positions = getattr(getattr(model, "embeddings", None), "position_embeddings", None)
    if not isinstance(positions, nn.Embedding):
        limit: int | None = getattr(model.config, "max_position_embeddings", None)
        return limit
    # RoBERTa and its kin count positions from the number after that of padding.
    unused = 0 if positions.padding_idx is None else positions.padding_idx + 1
    return positions.num_embeddings - unused


def padding_id(model: Any) -> int:
    """The token id that fills up a batch; by it RoBERTa and its kin tell padding from text."""
    padding: int | None = model.get_input_embeddings().padding_idx
    return 0 if padding is None else padding


def _check_finite(folder: Path, model: Any) -> None:
    # The extremes of a tensor tell it in one pass: NaN is both of them.
    broken = [name for name, value in model.named_parameters() if not torch.stack(value.aminmax()).isfinite().all()]
    if broken:
        raise ModelError(
            f"The weights in {folder} are damaged: {len(broken)} tensors hold what is no finite number, the first is "
            f"{broken[0]}. {_ADVICE}"
        )


def _check_layers(folder: Path, num_layers: int, top_layer: int) -> None:
    if top_layer > num_layers:
        raise ConfigError(
            f"encoder.layers asks for layer {top_layer}, but the encoder in {folder} has {num_layers}. "
            f"Choose from 1 to {num_layers}, or 0 for the embeddings."
        )


def _drop_layers_above(model: Any, top_layer: int) -> None:
    """Spare the work of layers that nobody reads, where the model keeps them as BERT does."""
    layers = getattr(getattr(model, "encoder", None), "layer", None)
    if isinstance(layers, nn.ModuleList):
        del layers[max(1, top_layer) :]


@contextmanager
def quiet() -> Iterator[None]:
    """Keep transformers from drawing bars and making remarks."""
    from transformers.utils import logging

    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
