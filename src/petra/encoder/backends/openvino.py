"""OpenVINO on the CPU, in float32 or in bfloat16.

Letters: B windows encoded together, L tokens of the longest, D features of a token.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from petra.encoder.backends.contract import EncoderSource
from petra.encoder.backends.exported import exported
from petra.encoder.backends.pytorch import LayerFeatures
from petra.runtime.processes import PerProcess
from petra.runtime.threads import num_threads

_MODEL = "encoder.xml"


class OpenVinoBackend:
    """An encoder compiled by OpenVINO, in each process on first use: compiled models do not survive a fork."""

    overlaps = True

    def __init__(self, source: EncoderSource, precision: str, name: str) -> None:
        self.name = name
        self.device = torch.device("cpu")
        self._precision = precision
        self._folder, self.shape = exported(source, "openvino", _openvino().__version__, _export)
        self._compiled = PerProcess(self._compile)
        self._requests = threading.local()

    @classmethod
    def open(cls, source: EncoderSource) -> OpenVinoBackend:
        return cls(source, "f32", "openvino")

    @classmethod
    def open_bf16(cls, source: EncoderSource) -> OpenVinoBackend:
        return cls(source, "bf16", "openvino-bf16")

    def features(self, token_ids: Tensor, attention_mask: Tensor) -> Tensor:
        result = self._request().infer([token_ids.numpy(), attention_mask.long().numpy()], share_inputs=True)
        return torch.from_numpy(result[0])

    def _request(self) -> Any:
        """What this thread infers with."""
        if getattr(self._requests, "process", None) != os.getpid():
            self._requests.request = self._compiled.get().create_infer_request()
            self._requests.process = os.getpid()
        return self._requests.request

    def _compile(self) -> Any:
        settings = {
            "INFERENCE_PRECISION_HINT": self._precision,
            "INFERENCE_NUM_THREADS": num_threads(),
            "PERFORMANCE_HINT": "LATENCY",
        }
        return _openvino().Core().compile_model(self._folder / _MODEL, "CPU", settings)


def _openvino() -> Any:
    """OpenVINO, without what would send statistics of use when a model is converted."""
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]
    import openvino

    return openvino


def _export(module: LayerFeatures, example: tuple[Tensor, Tensor], folder: Path) -> None:
    openvino = _openvino()
    graph = openvino.convert_model(module, example_input=example)
    openvino.save_model(graph, folder / _MODEL, compress_to_fp16=False)
