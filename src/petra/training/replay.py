"""CUDA graphs: a function called often with inputs of the same shapes is captured once, then replayed."""

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
    next call. Thousands of small kernels then cost one launch. All graphs share one
    memory, as large as the largest of them needs if it is captured first.
    """

    def __init__(self, function: Function, device: torch.device) -> None:
        self._function = function
        self._on_gpu = device.type == "cuda"
        self._recordings: dict[tuple[torch.Size, ...], _Recording] = {}
        self._pool = torch.cuda.graph_pool_handle() if self._on_gpu else None

    @property
    def awaits_recording(self) -> bool:
        """Whether the first graph is still to be captured."""
        return self._on_gpu and not self._recordings

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
        if self.awaits_recording:
            self._warm_up(kept)
        graph = torch.cuda.CUDAGraph()
        # Relaxed: a kernel that other shapes had no use for may still be loaded.
        with torch.cuda.graph(graph, pool=self._pool, capture_error_mode="relaxed"):
            outputs = self._function(*kept)
        return _Recording(graph, kept, outputs)

    def _warm_up(self, inputs: tuple[Tensor, ...]) -> None:
        """Run once outside a recording, which compiles what is to be compiled.

        Once is enough, and more would need the memory of a recording a second time.
        """
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            self._function(*inputs)
        torch.cuda.current_stream().wait_stream(side)
        torch.cuda.empty_cache()  # a recording has memory of its own
