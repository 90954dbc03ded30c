"""Locks between processes that work in one folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from petra.errors import PetraError

try:
    import fcntl
except ImportError:  # a system without such locks: processes have to be kept apart by hand
    fcntl = None  # type: ignore[assignment]


@contextmanager
def lock(path: Path, *, wait: bool) -> Iterator[bool]:
    """Hold a lock file within the context; yields False if another process holds it and this one does not wait.

    The system releases the lock of a process that ends, however it ends.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a")
    except OSError as error:
        raise PetraError(f"{path} cannot be written: {error.strerror or error}.") from None
    with file:
        yield _locked(file.fileno(), wait=wait)


def _locked(descriptor: int, *, wait: bool) -> bool:
    if fcntl is None:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True
