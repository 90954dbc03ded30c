"""A function run again and again on inputs of the same shapes: recorded once on a GPU, then replayed."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

Function = Callable[..., tuple[Tensor, ...]]


class _Recording(NamedTuple):
    graph: torch.cuda.CUDAGraph
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]


class Replay:
    """Calls a function of tensors; on a GPU through one captured graph per set of input shapes.

    The function must have no effect but its outputs, which stay valid until the
    next call. Thousands of small kernels then cost one launch.
    """

    def __init__(self, function: Function, device: torch.device) -> None:
        self._function = function
        self._on_gpu = device.type == "cuda"
        self._recordings: dict[tuple[torch.Size, ...], _Recording] = {}
        self._pool = torch.cuda.graph_pool_handle() if self._on_gpu else None

    def __call__(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        if not self._on_gpu:
            return self._function(*inputs)
        shapes = tuple(tensor.shape for tensor in inputs)
        if shapes not in self._recordings:
            self._recordings[shapes] = self._record(inputs)
        recording = self._recordings[shapes]
        for kept, given in zip(recording.inputs, inputs, strict=True):
            kept.copy_(given, non_blocking=True)
        recording.graph.replay()
        return recording.outputs

    def _record(self, inputs: tuple[Tensor, ...]) -> _Recording:
        kept = tuple(tensor.clone() for tensor in inputs)
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):  # compiles and warms up outside the recording
            self._function(*kept)
        torch.cuda.current_stream().wait_stream(side)
        torch.cuda.empty_cache()  # the recording has memory of its own
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self._pool):
            outputs = self._function(*kept)
        return _Recording(graph, kept, outputs)
