"""Encoders exported for another runtime, made at first use and kept in PETRA_HOME.

A folder ``exports/KEY`` holds the runtime's files and ``shape.json``. The key is a digest
of the weights, the adapter, the layers and the runtime's version, so that an export is
never used for another encoder; it is written whole or not at all.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor

from petra.encoder.backends.contract import EncoderShape, EncoderSource
from petra.encoder.backends.pytorch import LayerFeatures
from petra.encoder.cache import locked, new_folder, petra_home
from petra.encoder.loading import max_positions, padding_id, quiet
from petra.errors import PetraError

_SHAPE = "shape.json"
Export = Callable[[LayerFeatures, tuple[Tensor, Tensor], Path], None]  # writes the runtime's files into a folder


def exported(source: EncoderSource, backend: str, version: str, export: Export) -> tuple[Path, EncoderShape]:
    """The folder of an export, made now if it is not there, and the encoder's shape."""
    target = petra_home() / "exports" / source.key(backend, version)
    try:
        if not (target / _SHAPE).is_file():
            with locked(target):
                if not (target / _SHAPE).is_file():  # another process may have been first
                    with new_folder(target) as filling:
                        _export(source, filling, export)
        return target, EncoderShape(*json.loads((target / _SHAPE).read_text(encoding="utf-8")))
    except OSError as error:
        raise PetraError(
            f"The encoder cannot be kept for the back end {backend} in {target.parent}: {error.strerror or error}. "
            "Make the folder writable or set PETRA_HOME to another, or choose --backend torch."
        ) from None


def _export(source: EncoderSource, folder: Path, export: Export) -> None:
    model = source.load()
    # Two rows of which one is filled up: tracing must see neither a batch of one nor an empty mask.
    token_ids = torch.full((2, 12), padding_id(model))
    token_ids[:, :8] = 5
    attention_mask = torch.ones_like(token_ids)
    attention_mask[:, 8:] = 0
    with warnings.catch_warnings(), quiet(), torch.no_grad():
        warnings.simplefilter("ignore")  # of tracing, about what does not change
        export(LayerFeatures(model, source.layers).eval(), (token_ids, attention_mask), folder)
    shape = EncoderShape(model.config.hidden_size * len(source.layers), padding_id(model), max_positions(model))
    (folder / _SHAPE).write_text(json.dumps(shape), encoding="utf-8")
