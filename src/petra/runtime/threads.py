"""The number of threads that PyTorch computes with, set for a block of code."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import torch

from petra.runtime.blas import one_blas_thread

_lock = threading.Lock()
_inside = 0  # Python threads within ``one_thread``
_before = 1  # what the first of them found


@contextmanager
def one_thread() -> Iterator[None]:
    """Let PyTorch compute with one thread, and as before afterwards.

    For loops of small products. Threads that share them wait for each other at every
    one: there is next to nothing to win, and where other programs keep the cores busy
    a loop can become a hundred times slower.
    """
    global _inside, _before
    with _lock:
        if not _inside:
            _before = torch.get_num_threads()
        _inside += 1
    torch.set_num_threads(1)
    try:
        with one_blas_thread():  # NumPy's threads too
            yield
    finally:
        with _lock:
            _inside -= 1
        torch.set_num_threads(_before)
