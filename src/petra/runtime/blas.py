"""The number of threads that NumPy's products are computed with, where NumPy was built with OpenBLAS."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

import numpy as np

_NAMES = ("scipy_openblas_{}_num_threads64_", "openblas_{}_num_threads64_", "openblas_{}_num_threads")
_lock = threading.Lock()
_inside = 0  # Python threads within ``one_blas_thread``
_before: int | None = None  # what the first of them found


def blas_threads() -> int | None:
    """How many threads OpenBLAS uses; None where NumPy has another library."""
    found = _functions()
    return None if found is None else found[0]()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let OpenBLAS compute with one thread, and as before afterwards; other libraries are left alone."""
    global _inside, _before
    with _lock:
        if not _inside:
            _before = blas_threads()
            _set_threads(1)
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                _set_threads(_before)


def _set_threads(count: int | None) -> None:
    found = _functions()
    if found is not None and count is not None:
        found[1](count)


def _after_fork() -> None:
    """Another thread may have held the lock, and there is only this one now."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


@cache
def _functions() -> tuple[Callable[[], int], Callable[[int], object]] | None:
    """OpenBLAS's own functions that tell and set the number of threads."""
    core = getattr(np, "_core", None) or np.core
    try:
        library = ctypes.CDLL(core._multiarray_umath.__file__)  # a search in it looks through what it is linked with
    except OSError:
        return None
    for name in _NAMES:
        try:
            return library[name.format("get")], library[name.format("set")]
        except AttributeError:
            continue
    return None
