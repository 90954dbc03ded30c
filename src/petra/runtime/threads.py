"""The number of threads that PyTorch and the encoder's back ends compute with.

It is PyTorch's own number (the cores, or OMP_NUM_THREADS) unless ``use_threads`` or
PETRA_THREADS says otherwise. A process that was forked computes with one thread:
OpenMP's others stay behind in the parent, and a computation would wait for them for ever.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import torch

from petra.errors import ConfigError
from petra.runtime.blas import one_blas_thread

_lock = threading.Lock()
_inside = 0  # Python threads within ``one_thread``
_before = 1  # what the first of them found
_is_forked = False


def use_threads(number: int | None = None) -> None:
    """Compute with so many threads from now on; None is what PETRA_THREADS says, and if it says nothing no change."""
    if number is None:
        given = os.environ.get("PETRA_THREADS", "").strip()
        if not given:
            return
        number = int(given) if given.isdecimal() else 0
        if not number:
            raise ConfigError(f"PETRA_THREADS is {given!r}; it is a number of threads, 1 or more.")
    if number < 1:
        raise ConfigError(f"The number of threads is {number}; choose 1 or more.")
    if not _is_forked:
        torch.set_num_threads(number)


def num_threads() -> int:
    """With how many threads the encoder computes."""
    with _lock:
        return _before if _inside else torch.get_num_threads()


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


def _after_fork() -> None:
    global _lock, _inside, _before, _is_forked
    _lock, _inside, _before, _is_forked = threading.Lock(), 0, 1, True
    torch.set_num_threads(1)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
