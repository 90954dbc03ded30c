"""The state of a training on disk: one safetensors file, written after each epoch.

Tensors: parameters, their best values so far, Adam's moments and the generators'
states. The rest is JSON in the file's header: the configuration and how far the training
has come. A file is complete or absent, never half-written, and nothing in it is unpickled.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from petra.errors import ModelError
from petra.runtime.files import write_atomically
from petra.training.background import Background
from petra.training.objective import Training

SCHEMA = "petra.checkpoint/2"
_KINDS = {  # as safetensors calls them
    torch.float32: "F32",
    torch.float64: "F64",
    torch.bfloat16: "BF16",
    torch.int64: "I64",
    torch.uint8: "U8",
}
_AGAIN = "Start again in another --out folder."


class Checkpointed(Protocol):
    """What is trained and how: one configuration and its seeds, or a group of runs."""

    def to_toml(self) -> str:
        """All that makes it what it is."""


def save_checkpoint(path: Path, recipe: Checkpointed, training: Training, background: Background | None = None) -> None:
    """Write the present state of a training; with ``background`` the file is written in a thread."""
    header = {
        "schema": SCHEMA,
        "config": recipe.to_toml(),
        "device": training.device.type,
        "progress": json.dumps(training.progress),
    }
    if background is None:
        _write(path, header, {name: value.cpu().contiguous() for name, value in training.tensors.items()})
    else:
        background.write(training.tensors, partial(_write, path, header))


def _write(path: Path, metadata: Mapping[str, str], tensors: Mapping[str, Tensor]) -> None:
    write_atomically(path, *_file_parts(metadata, tensors))


def _file_parts(metadata: Mapping[str, str], tensors: Mapping[str, Tensor]) -> Iterator[bytes | memoryview]:
    """The content of a safetensors file.

    The library's own function makes a copy of everything, and nothing else in the
    process can go on meanwhile: for many models that is seconds of every epoch.
    """
    header: dict[str, Any] = {"__metadata__": dict(metadata)}
    end = 0
    for name, value in tensors.items():
        begin, end = end, end + value.nbytes
        header[name] = {"dtype": _KINDS[value.dtype], "shape": list(value.shape), "data_offsets": [begin, end]}
    words = json.dumps(header).encode()
    words += b" " * (-len(words) % 8)  # so that the numbers are aligned
    yield len(words).to_bytes(8, "little")
    yield words
    for value in tensors.values():
        yield value.reshape(-1).view(torch.uint8).numpy().data


def load_checkpoint(path: Path, recipe: Checkpointed, training: Training) -> None:
    """Set a new training to the state in a checkpoint of the same recipe and kind of device."""
    try:
        with safe_open(path, framework="pt") as file:
            header: dict[str, str] = file.metadata() or {}
            tensors: dict[str, Tensor] = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise ModelError(f"{path} cannot be read as a checkpoint ({error}). {_AGAIN}") from None
    if header.get("schema") != SCHEMA:
        raise ModelError(f"{path} is no checkpoint of this version ({SCHEMA}). {_AGAIN}")
    if header.get("config") != recipe.to_toml():
        raise ModelError(
            f"{path} was made by another recipe. Give the same recipe and seeds to --resume, or another --out folder."
        )
    if header.get("device") != training.device.type:  # each kind draws other random numbers
        raise ModelError(
            f"{path} was made on another kind of device. Give --device {header.get('device')} to --resume, "
            "or another --out folder."
        )
    try:
        training.restore(tensors, json.loads(header["progress"]))
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise ModelError(
            f"{path} is damaged, or the encoder is not the one it was made with ({error!r:.100}). {_AGAIN}"
        ) from None


def copy_exactly(place: Tensor, value: Tensor) -> None:
    """Copy a tensor of a checkpoint to its place, which must have its shape."""
    if place.shape != value.shape:  # copy_ would stretch what is too small
        raise ValueError(f"expected the shape {tuple(place.shape)}, found {tuple(value.shape)}")
    place.copy_(value)
