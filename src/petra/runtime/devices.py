"""Which device to compute on."""

from __future__ import annotations

import torch

from petra.errors import ConfigError


def choose_device(name: str | None) -> torch.device:
    """The device of that name, or the best there is: a GPU, else the CPU."""
    if name is None:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError:
        device = None
    if device is None or device.type not in ("cpu", "cuda"):
        raise ConfigError(f"No device named {name!r}. Choose cpu, cuda, or cuda:1 for a second GPU.")
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise ConfigError(f"{name} is not there: PyTorch sees {torch.cuda.device_count()} GPUs. Choose --device cpu.")
    return device
