"""Items made ahead of their use, by a thread beside the one that uses them."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Generic, TypeVar

T = TypeVar("T")


class _Made(Generic[T]):
    """The next item, or with none the end of them and what went wrong if anything did."""

    def __init__(self, items: tuple[T, ...] = (), error: BaseException | None = None) -> None:
        self.items = items
        self.error = error


def ahead(items: Iterable[T], most: int = 2) -> Iterator[T]:
    """The same items in the same order, made in another thread while earlier ones are in use.

    At most ``most`` finished items wait. What the other thread raises is raised here. It
    ends with its items, or soon after this iterator is closed.
    """
    made: queue.Queue[_Made[T]] = queue.Queue(maxsize=most)
    is_closed = threading.Event()

    def make() -> None:
        try:
            for item in items:
                made.put(_Made((item,)))
                if is_closed.is_set():
                    return
            made.put(_Made())
        except BaseException as error:
            made.put(_Made(error=error))

    worker = threading.Thread(target=make, name="petra-ahead", daemon=True)
    worker.start()
    try:
        while (found := made.get()).items:
            yield from found.items
        if found.error is not None:
            raise found.error
    finally:
        is_closed.set()
        while worker.is_alive():  # it may be waiting for room
            try:
                made.get(timeout=0.05)
            except queue.Empty:
                continue


class Beside:
    """A thread that makes lists of items, one list after the other, while the one that asked for them goes on.

    Leaving the context ends it, after the item that is being made.
    """

    def __init__(self) -> None:
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="petra-beside")
        self._is_closed = threading.Event()

    def start(self, items: Iterable[T]) -> Callable[[], list[T]]:
        """Begin to make the items; what is returned waits for them, and raises what went wrong."""
        return self._worker.submit(self._made, items).result

    def __enter__(self) -> Beside:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._is_closed.set()
        self._worker.shutdown(cancel_futures=True)

    def _made(self, items: Iterable[T]) -> list[T]:
        made = []
        for item in items:
            made.append(item)
            if self._is_closed.is_set():
                break
        return made
