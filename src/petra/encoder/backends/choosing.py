"""Which back end computes an encoder."""

from __future__ import annotations

from collections.abc import Callable, Collection
from importlib.util import find_spec
from typing import NamedTuple, get_args

import torch

from petra.config import BackendName
from petra.encoder.backends.contract import Backend, EncoderSource
from petra.errors import ConfigError

AUTO = "auto"
REFERENCE: BackendName = "torch"


class _Kind(NamedTuple):
    package: str | None  # to be installed
    on_gpu: bool = False


# The fastest first, on CPUs that compute in their precision (docs/speed.md).
_KINDS: dict[BackendName, _Kind] = {
    "openvino-bf16": _Kind("openvino"),
    "torch-bf16": _Kind(None, on_gpu=True),
    "openvino-int8": _Kind("openvino"),
    "openvino": _Kind("openvino"),
    "onnx": _Kind("onnxruntime"),
    "torch": _Kind(None, on_gpu=True),
}


def choose_backend(asked: str, recorded: Collection[str], device: torch.device) -> BackendName:
    """The back end of that name; for ``auto`` the fastest that can be used here and is recorded as safe for the model.

    On a GPU, ``auto`` is PyTorch in float32.
    """
    if asked == AUTO:
        if device.type != "cpu":
            return REFERENCE
        return next(
            name for name in _KINDS if name == REFERENCE or (name in recorded and _obstacle(name, device) is None)
        )
    for name in _KINDS:
        if name == asked:
            if obstacle := _obstacle(name, device):
                raise ConfigError(obstacle)
            return name
    raise ConfigError(f"No back end named {asked!r}. Choose {AUTO}, {', '.join(get_args(BackendName))}.")


def usable_backends(device: torch.device) -> tuple[BackendName, ...]:
    """Those that can be used here, the fastest first."""
    return tuple(name for name in _KINDS if _obstacle(name, device) is None)


def open_backend(name: BackendName, source: EncoderSource) -> Backend:
    """The back end of an encoder, ready to compute."""
    openers: dict[BackendName, Callable[[EncoderSource], Backend]]
    if name.startswith("torch"):
        from petra.encoder.backends.pytorch import TorchBackend

        openers = {"torch": TorchBackend.open, "torch-bf16": TorchBackend.open_bf16}
    elif name.startswith("openvino"):
        from petra.encoder.backends.openvino import OpenVinoBackend

        openers = {
            "openvino": OpenVinoBackend.open,
            "openvino-bf16": OpenVinoBackend.open_bf16,
            "openvino-int8": OpenVinoBackend.open_int8,
        }
    else:
        from petra.encoder.backends.onnx import OnnxBackend

        openers = {"onnx": OnnxBackend.open}
    return openers[name](source)


def _obstacle(name: BackendName, device: torch.device) -> str | None:
    """Why a back end cannot be used here."""
    kind = _KINDS[name]
    if device.type != "cpu" and not kind.on_gpu:
        return f"The back end {name} computes on the CPU, not on {device}. Choose --device cpu, or --backend torch."
    if kind.package is not None and find_spec(kind.package) is None:
        extra = _without_precision(name)
        install = f"Install it with: pip install 'petra[{extra}]'"
        return f"The back end {name} needs {kind.package}, which is not installed. {install}"
    if device.type == "cpu":
        for ending, precision, has_it in (("-bf16", "bfloat16", cpu_has_bf16), ("-int8", "int8", cpu_has_int8)):
            if name.endswith(ending) and not has_it():
                return (
                    f"The back end {name} computes in {precision}, which this CPU does not. "
                    f"Choose {_without_precision(name)}."
                )
    return None


def _without_precision(name: BackendName) -> str:
    return name.removesuffix("-bf16").removesuffix("-int8")


def cpu_has_bf16() -> bool:
    """Whether the CPU itself multiplies in bfloat16; emulated, it would be slower than float32."""
    known = (getattr(torch.cpu, name, None) for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported"))
    return any(ask is not None and ask() for ask in known)


def cpu_has_int8() -> bool:
    """Whether the CPU has products of 8-bit integers (VNNI); without them int8 is no faster than float32."""
    known: dict[str, object] = getattr(torch.cpu, "get_capabilities", dict)()  # older versions of PyTorch do not tell
    return bool(known.get("avx512_vnni") or known.get("avx_vnni"))
