"""PETRA_HOME, the cache folder: where it is, how an entry is written whole or not at all, and file digests."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import platformdirs
from filelock import FileLock

_BLOCK = 1 << 20  # bytes read at a time


def petra_home() -> Path:
    """The folder that PETRA_HOME names, or the platform's cache folder for PeTra."""
    given = os.environ.get("PETRA_HOME")
    if given:
        return Path(given).expanduser().absolute()
    return platformdirs.user_cache_path("petra", appauthor=False)


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's content, in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """Yield an empty folder to fill; it replaces target if the block succeeds.

    If the block fails the new folder is removed and target stays as it was. The caller
    holds the lock of target, so unfinished folders beside it are left over from a
    process that was killed, and are removed too.
    """
    parts = target.with_name(f".{target.name}.parts")
    shutil.rmtree(parts, ignore_errors=True)
    filling = parts / uuid4().hex
    filling.mkdir(parents=True)
    try:
        yield filling
        if target.exists():
            target.replace(parts / "old")
        filling.replace(target)
    finally:
        shutil.rmtree(parts, ignore_errors=True)


@contextmanager
def locked(target: Path) -> Iterator[None]:
    """Hold the lock file of target, so that one process at a time writes it; a killed process frees its lock."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(target.with_name(f".{target.name}.lock")):
        yield
