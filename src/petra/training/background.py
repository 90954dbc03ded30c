"""Writes tensors to a file in the background while training continues."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor

import torch
from torch import Tensor


class Background:
    """Writes one file at a time; the next write, and the exit, wait for it and raise its error."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1)
        self._writing: Future[None] | None = None
        self._copies: dict[str, Tensor] = {}

    def __enter__(self) -> Background:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()
        self.wait()

    def write(self, tensors: Mapping[str, Tensor], writer: Callable[[Mapping[str, Tensor]], None]) -> None:
        """Copy the tensors as they are now, and call the writer with the copies in a thread."""
        self.wait()
        kept, self._copies = self._copies, {}
        for name, value in tensors.items():
            copy = kept.get(name)
            if copy is None or copy.shape != value.shape:
                # To pinned memory a GPU copies at full speed. It is kept for the next time, because
                # memory of this kind must not come and go while a graph is being captured.
                copy = torch.empty(value.shape, dtype=value.dtype, pin_memory=value.is_cuda)
            self._copies[name] = copy.copy_(value, non_blocking=value.is_cuda)
        if any(value.is_cuda for value in tensors.values()):
            torch.cuda.synchronize()
        self._writing = self._pool.submit(writer, self._copies)

    def wait(self) -> None:
        """Return when nothing is being written."""
        writing, self._writing = self._writing, None
        if writing is not None:
            writing.result()
