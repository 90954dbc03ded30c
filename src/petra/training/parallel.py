"""Work on many independent items, shared among the cores of the machine."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

_METHOD = "forkserver"
_FEW = 200  # items that are not worth starting processes for


def in_parallel(function: Callable[[T], R], items: Sequence[T]) -> list[R]:
    """The results of a function for each item, in order, computed by a process per core.

    The processes are forked from a fresh one: a fork of this process could wait for ever for
    a lock that one of its threads held.
    """
    workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
    if len(items) < _FEW or workers < 2 or _METHOD not in multiprocessing.get_all_start_methods():
        return [function(item) for item in items]
    with multiprocessing.get_context(_METHOD).Pool(workers) as pool:
        return pool.map(function, items, chunksize=max(1, len(items) // (8 * workers)))
