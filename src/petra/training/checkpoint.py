"""The state of a training run on disk: one safetensors file, written after each epoch.

Tensors: parameters, their best values so far, Adam's moments and the generators'
states. The rest is JSON in the file's header: the configuration, each model's
schedule, the epoch. A file is complete or absent, never half-written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from petra.config import RunConfig
from petra.errors import ModelError
from petra.files import write_atomically
from petra.training.learner import Learner
from petra.training.schedule import Schedule

SCHEMA = "petra.checkpoint/1"
_AGAIN = "Start again in another --out folder."


@dataclass(frozen=True, kw_only=True, slots=True)
class Checkpoint:
    """Everything needed to go on after an epoch as if nothing had happened."""

    epoch: int  # epochs done
    seconds: float  # spent training so far
    schedules: tuple[Schedule, ...]
    best: Mapping[str, Tensor]  # the parameters of each model's best epoch


def save_checkpoint(path: Path, config: RunConfig, learner: Learner, checkpoint: Checkpoint) -> None:
    tensors = {f"parameter.{name}": value.detach() for name, value in learner.network.named_parameters()}
    tensors |= {f"best.{name}": value for name, value in checkpoint.best.items()}
    tensors |= {f"adam.{name}": value for name, value in learner.optimizer.state.items()}
    tensors |= {f"generator.{index}": each.get_state() for index, each in enumerate(learner.generators)}
    header = {
        "schema": SCHEMA,
        "config": config.to_toml(),
        "device": learner.device.type,
        "progress": json.dumps(
            {
                "epoch": checkpoint.epoch,
                "seconds": checkpoint.seconds,
                "schedules": [asdict(schedule) for schedule in checkpoint.schedules],
            }
        ),
    }
    contiguous = {name: value.cpu().contiguous() for name, value in tensors.items()}
    write_atomically(path, save(contiguous, metadata=header))


def load_checkpoint(path: Path, config: RunConfig, learner: Learner) -> Checkpoint:
    """Put the learner back where it was; the checkpoint must be of the same recipe and kind of device."""
    try:
        with safe_open(path, framework="pt") as file:
            header: dict[str, str] = file.metadata() or {}
            tensors: dict[str, Tensor] = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise ModelError(f"{path} cannot be read as a checkpoint ({error}). {_AGAIN}") from None
    if header.get("schema") != SCHEMA:
        raise ModelError(f"{path} is no checkpoint of this version ({SCHEMA}). {_AGAIN}")
    if header.get("config") != config.to_toml():
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
