"""Writing files so that they are complete or absent."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from petra.errors import PetraError


def write_atomically(path: Path, *parts: bytes | memoryview) -> None:
    """Write a file beside its place, then move it there; on a failure the old file stays as it was.

    The content is given whole, or in parts that stand one after the other. A link is
    followed, and what is no regular file, such as a device or a pipe, is written to.
    """
    temporary: Path | None = None
    try:
        place = path.resolve()
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.exists() and not place.is_file():
            with place.open("wb") as file:
                file.writelines(parts)
            return
        descriptor, name = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
        temporary = Path(name)
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(parts)
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(place)
    except OSError as error:
        raise PetraError(f"{path} cannot be written: {error.strerror or error}. Nothing was changed.") from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
