"""A disk without room, for tests of what must not be lost."""

from __future__ import annotations

import errno
import io
from typing import Any

import pytest


class _FullFile(io.FileIO):
    def write(self, content: Any, /) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def fill_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on, a file that is written as a whole takes no content."""
    monkeypatch.setattr("petra.runtime.files.os.fdopen", _FullFile)
