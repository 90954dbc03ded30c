"""OpenVINO on the CPU, in float32, in bfloat16 or, for the products with weights, in int8.

int8 is dynamic: weights are rounded once, in groups of a row that share a scale, and what
they are multiplied with is rounded as it comes, token by token in the same groups. Nothing
is calibrated, and what a token becomes does not depend on the others of its batch.

Letters: B windows encoded together, L tokens of the longest, D features of a token, O rows
and K columns of a weight, G = K / GROUP groups of a row.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from petra.encoder.backends.contract import EncoderSource
from petra.encoder.backends.exported import exported
from petra.encoder.backends.pytorch import LayerFeatures
from petra.runtime.processes import PerProcess
from petra.runtime.threads import num_threads

GROUP = 64  # numbers that share a scale in int8; fewer are slower and no closer to float32

_MODEL = "encoder.xml"
_LARGEST = 127  # of int8, so that -x is rounded like x


class OpenVinoBackend:
    """An encoder compiled by OpenVINO, in each process on first use: compiled models do not survive a fork."""

    overlaps = True

    def __init__(self, source: EncoderSource, name: str, *, precision: str = "f32") -> None:
        self.name = name
        self.device = torch.device("cpu")
        self._settings = {"INFERENCE_PRECISION_HINT": precision}
        kept, export = "openvino", _export
        if name.endswith("int8"):
            self._settings["DYNAMIC_QUANTIZATION_GROUP_SIZE"] = str(GROUP)
            kept, export = name, _export_int8
        self._folder, self.shape = exported(source, kept, _openvino().__version__, export)
        self._compiled = PerProcess(self._compile)
        self._requests = threading.local()

    @classmethod
    def open(cls, source: EncoderSource) -> OpenVinoBackend:
        return cls(source, "openvino")

    @classmethod
    def open_bf16(cls, source: EncoderSource) -> OpenVinoBackend:
        return cls(source, "openvino-bf16", precision="bf16")

    @classmethod
    def open_int8(cls, source: EncoderSource) -> OpenVinoBackend:
        return cls(source, "openvino-int8")

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
            **self._settings,
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
    _save(_graph(module, example), folder)


def _export_int8(module: LayerFeatures, example: tuple[Tensor, Tensor], folder: Path) -> None:
    graph = _graph(module, example)
    round_weights(graph)
    _save(graph, folder)


def _graph(module: LayerFeatures, example: tuple[Tensor, Tensor]) -> Any:
    return _openvino().convert_model(module, example_input=example)


def _save(graph: Any, folder: Path) -> None:
    _openvino().save_model(graph, folder / _MODEL, compress_to_fp16=False)


def round_weights(graph: Any) -> int:
    """Keep the weights of a graph's products as int8 with a scale for each group; returns how many there are.

    Only weights whose rows are whole groups are rounded. OpenVINO takes the pattern, int8 times
    scale, for compressed weights and multiplies in int8.
    """
    _openvino()
    from openvino import opset13

    found = 0
    for product in graph.get_ops():
        if product.get_type_name() != "MatMul" or not product.get_attributes().get("transpose_b"):
            continue
        constant = product.input_value(1).get_node()
        if constant.get_type_name() != "Constant" or len(constant.shape) != 2 or constant.shape[1] % GROUP:
            continue
        rounded, scale = int8_weights(constant.get_data())
        groups = opset13.multiply(opset13.convert(opset13.constant(rounded), np.float32), opset13.constant(scale))
        shape = opset13.constant(np.array(constant.shape, dtype=np.int64))
        product.input(1).replace_source_output(opset13.reshape(groups, shape, False).output(0))
        found += 1
    return found


def int8_weights(weights: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Weights (O, K) as int8 (O, G, GROUP), and the scales (O, G, 1) that they are multiplied by."""
    groups = weights.reshape(len(weights), -1, GROUP)
    largest = np.abs(groups).max(axis=-1, keepdims=True)
    scale = (np.where(largest == 0, 1, largest) / _LARGEST).astype(np.float32)
    return np.rint(groups / scale).astype(np.int8), scale
