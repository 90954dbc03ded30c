"""Folders that are there whole or not at all, whatever interrupts their making."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from filelock import FileLock


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """An empty folder to fill, which takes the place of target when all went well.

    Otherwise it is removed and target stays as it was. The lock of target must be
    held: what lies beside it unfinished was left by a process that was killed.
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
    """Keep other processes from making target; the lock of a killed process is free again."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(target.with_name(f".{target.name}.lock")):
        yield
