"""The encoders that are here: where, from which source, and whether they are what they should be.

Whenever one is used, its files' sizes and times are compared with those of the last full
check; only where these differ are digests compared again.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from petra.encoder.cache import petra_home, sha256_of
from petra.encoder.catalogue import CatalogueEntry
from petra.errors import PetraError
from petra.runtime.files import write_atomically


def folder_of(encoder: CatalogueEntry) -> Path:
    """Where the encoder is, or will be, on this machine."""
    return petra_home() / "encoders" / encoder.name


def is_fetched(encoder: CatalogueEntry, *, thorough: bool = False) -> bool:
    """Whether every file is here as it should be; a thorough look compares digests in any case."""
    return folder_of(encoder).is_dir() and fault(encoder, thorough=thorough) is None


def fault(encoder: CatalogueEntry, *, thorough: bool = False) -> str | None:
    """What is wrong with the files that are here; None if nothing is."""
    folder = folder_of(encoder)
    for file in encoder.files:
        path = folder / file.name
        if not path.is_file():
            return f"{file.name} is missing"
        if (size := path.stat().st_size) != file.size:
            return f"{file.name} has {size:,} bytes where {file.size:,} were expected"
    noted = _noted(encoder)
    if not thorough and noted.get("times") == _times(encoder):
        return None
    for file in encoder.files:
        if (digest := sha256_of(folder / file.name)) != file.sha256:
            return f"{file.name} has the digest {digest} where {file.sha256} was expected"
    note_checked(encoder, source_of(encoder))
    return None


def note_checked(encoder: CatalogueEntry, source: str | None) -> None:
    """Note that all digests are right, and the source that the encoder came from."""
    note = {"source": source, "times": _times(encoder)}
    with suppress(PetraError):  # where nothing can be written, digests are compared every time
        write_atomically(_note(encoder), json.dumps(note).encode())


def source_of(encoder: CatalogueEntry) -> str | None:
    """The source that the encoder here came from, where it is known."""
    source = _noted(encoder).get("source")
    return source if isinstance(source, str) else None


def _note(encoder: CatalogueEntry) -> Path:
    folder = folder_of(encoder)
    return folder.with_name(f".{folder.name}.checked")


def _noted(encoder: CatalogueEntry) -> dict[str, Any]:
    try:
        values = json.loads(_note(encoder).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}


def _times(encoder: CatalogueEntry) -> dict[str, int]:
    """When each file was last changed, in nanoseconds; a file that another took the place of differs too."""
    status = {file.name: (folder_of(encoder) / file.name).stat() for file in encoder.files}
    return {name: each.st_mtime_ns for name, each in status.items()}
