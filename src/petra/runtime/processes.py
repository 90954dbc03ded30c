"""Values that belong to one process, as thread pools and compiled models do."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class PerProcess(Generic[T]):
    """A value made on first use, and made anew in a process that was forked from one that had made it."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: dict[int, T] = {}  # by process; a parent's is kept, since to destroy it could wait for its threads
        self._lock = os.getpid(), threading.Lock()

    def get(self) -> T:
        process = os.getpid()
        if self._lock[0] != process:
            self._lock = process, threading.Lock()  # whoever held the other is not in this process
        with self._lock[1]:
            if process not in self._made:
                self._made[process] = self._make()
            return self._made[process]
