"""Locks between processes that work in one folder, or on one file."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

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
    with _opened(path) as file:
        yield _locked(file.fileno(), wait=wait)


@contextmanager
def owned(path: Path) -> Iterator[None]:
    """Be the only one who writes a file, within the context; whoever else tries is told who does.

    The owner is named in a hidden lock file beside it, which goes at the end. The lock
    file that a killed process leaves keeps nobody from the file.
    """
    place = path.with_name(f".{path.name}.lock")
    while True:
        with _opened(place) as file:
            if not _locked(file.fileno(), wait=False):
                file.seek(0)
                raise PetraError(
                    f"{path} is being written by {file.read().strip() or 'another process'}. Nothing was changed. "
                    "Wait until that is done, or give another file."
                )
            if not _is_at(file, place):  # its owner ended and removed it meanwhile
                continue
            file.truncate(0)
            file.write(f"process {os.getpid()} of {platform.node()} since {time.strftime('%Y-%m-%d %H:%M:%S')}")
            file.flush()
            try:
                yield
            finally:
                with suppress(OSError):  # some systems remove no file that is open
                    place.unlink()
            return


def _opened(path: Path) -> IO[str]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("a+", encoding="utf-8")
    except OSError as error:
        raise PetraError(f"{path} cannot be written: {error.strerror or error}.") from None


def _is_at(file: IO[str], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _locked(descriptor: int, *, wait: bool) -> bool:
    if fcntl is None:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True
