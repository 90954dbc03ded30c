"""The state of a training run on disk: one safetensors file, written after each epoch.

Tensors: parameters, their best values so far, Adam's moments and the generators'
states. The rest is JSON in the file's header: the configuration, each model's
schedule, the epoch, and which models the learner still holds. A file is complete or
absent, never half-written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from petra.config import TrainingConfig
from petra.errors import ModelError
from petra.runtime.files import write_atomically
from petra.training.background import Background
from petra.training.learner import Learner
from petra.training.schedule import Schedule

SCHEMA = "petra.checkpoint/2"
_KINDS = {torch.float32: "F32", torch.float64: "F64", torch.uint8: "U8"}  # as safetensors calls them
_AGAIN = "Start again in another --out folder."


class Recipe(Protocol):
    """What is trained and how: one configuration and its seeds, or a group of runs."""

    @property
    def training(self) -> TrainingConfig: ...

    def to_toml(self) -> str:
        """All that makes it what it is."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Checkpoint:
    """The state of a run after an epoch, from which it resumes exactly."""

    epoch: int  # epochs done
    seconds: float  # spent training so far
    schedules: tuple[Schedule, ...]
    best: Mapping[str, Tensor]  # the parameters of each model's best epoch


def save_checkpoint(
    path: Path, recipe: Recipe, learner: Learner, checkpoint: Checkpoint, background: Background | None = None
) -> None:
    """Write the present state of a run; with ``background`` the file is written in a thread."""
    tensors = {f"parameter.{name}": value.detach() for name, value in learner.network.named_parameters()}
    tensors |= {f"best.{name}": value for name, value in checkpoint.best.items()}
    tensors |= {f"adam.{name}": value for name, value in learner.optimizer.state.items()}
    tensors |= {f"generator.{index}": each.get_state() for index, each in enumerate(learner.generators)}
    header = {
        "schema": SCHEMA,
        "config": recipe.to_toml(),
        "device": learner.device.type,
        "progress": json.dumps(
            {
                "epoch": checkpoint.epoch,
                "seconds": checkpoint.seconds,
                "schedules": [asdict(schedule) for schedule in checkpoint.schedules],
                "models": learner.models,
            }
        ),
    }
    if background is None:
        _write(path, header, {name: value.cpu().contiguous() for name, value in tensors.items()})
    else:
        background.write(tensors, partial(_write, path, header))


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
        yield value.numpy().reshape(-1).view(np.uint8).data


def load_checkpoint(path: Path, recipe: Recipe, learner: Learner) -> Checkpoint:
    """Restore a new learner from a checkpoint of the same recipe and kind of device; returns the checkpoint."""
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
    if header.get("device") != learner.device.type:  # each kind draws other random numbers
        raise ModelError(
            f"{path} was made on another kind of device. Give --device {header.get('device')} to --resume, "
            "or another --out folder."
        )
    try:
        return _restore(learner, tensors, json.loads(header["progress"]))
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise ModelError(
            f"{path} is damaged, or the encoder is not the one it was made with ({error!r:.100}). {_AGAIN}"
        ) from None


def _restore(learner: Learner, tensors: Mapping[str, Tensor], progress: Mapping[str, Any]) -> Checkpoint:
    learner.keep_only(progress["models"])
    parameters = dict(learner.network.named_parameters())
    with torch.no_grad():
        for name, parameter in parameters.items():
            _copy(parameter, tensors[f"parameter.{name}"])
    for name, moment in learner.optimizer.state.items():
        _copy(moment, tensors[f"adam.{name}"])
    for index, generator in enumerate(learner.generators):
        generator.set_state(tensors[f"generator.{index}"])
    return Checkpoint(
        epoch=progress["epoch"],
        seconds=progress["seconds"],
        schedules=tuple(Schedule(**schedule) for schedule in progress["schedules"]),
        # Copies, because what was read may still be a view of the file, which the next epoch replaces.
        best={name: tensors[f"best.{name}"].to(learner.device, copy=True) for name in parameters},
    )


def _copy(place: Tensor, value: Tensor) -> None:
    if place.shape != value.shape:  # copy_ would stretch what is too small
        raise ValueError(f"expected the shape {tuple(place.shape)}, found {tuple(value.shape)}")
    place.copy_(value)
