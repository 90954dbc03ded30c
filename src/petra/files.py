"""Writing files so that they are complete or absent."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from petra.errors import PetraError


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file beside its place, then move it there; on a failure the old file stays as it was."""
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        raise PetraError(f"{path} cannot be written: {error.strerror or error}. Nothing was changed.") from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
