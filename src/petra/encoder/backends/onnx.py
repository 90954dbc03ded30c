"""ONNX Runtime on the CPU, in float32.

Letters: B windows encoded together, L tokens of the longest, D features of a token.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from petra.encoder.backends.contract import EncoderSource
from petra.encoder.backends.exported import exported
from petra.encoder.backends.pytorch import LayerFeatures
from petra.runtime.processes import PerProcess
from petra.runtime.threads import num_threads

_MODEL = "encoder.onnx"
_OPSET = 17


class OnnxBackend:
    """An encoder run by ONNX Runtime; a session is opened in each process on first use, since none survives a fork."""

    name = "onnx"
    overlaps = True

    def __init__(self, source: EncoderSource) -> None:
        self.device = torch.device("cpu")
        self._folder, self.shape = exported(source, "onnx", f"opset {_OPSET}, torch {torch.__version__}", _export)
        self._session = PerProcess(self._open_session)

    @classmethod
    def open(cls, source: EncoderSource) -> OnnxBackend:
        return cls(source)

    def features(self, token_ids: Tensor, attention_mask: Tensor) -> Tensor:
        given = {"token_ids": token_ids.numpy(), "attention_mask": attention_mask.long().numpy()}
        return torch.from_numpy(self._session.get().run(None, given)[0])

    def _open_session(self) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = num_threads()
        options.log_severity_level = 3  # errors only
        return onnxruntime.InferenceSession(str(self._folder / _MODEL), options, ["CPUExecutionProvider"])


def _export(module: LayerFeatures, example: tuple[Tensor, Tensor], folder: Path) -> None:
    names = ["token_ids", "attention_mask"]
    torch.onnx.export(
        module,
        example,
        str(folder / _MODEL),
        input_names=names,
        output_names=["features"],
        dynamic_axes={name: {0: "windows", 1: "tokens"} for name in [*names, "features"]},
        opset_version=_OPSET,
        dynamo=False,
    )
