"""Digests of files, by which a download is trusted and features are told apart."""

from __future__ import annotations

import hashlib
from pathlib import Path

_BLOCK = 1 << 20  # bytes read at a time


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's content, in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
