"""PeTra tracks the people of a text in a few memory cells, reading it once from left to right.

``petra.load()`` gives a tracker, and ``tracker.track(text).people`` the people of a text.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from petra.errors import ConfigError, DataError, LogError, ModelError, PetraError, StudyError, TextError

if TYPE_CHECKING:
    from petra.domain import Event, Mention, Person, Quotation
    from petra.log.memory_log import MemoryLog
    from petra.reading.stream import Stream
    from petra.text.document import Document
    from petra.tracker import Tracker, Tracking, load

    __version__: str

__all__ = [
    "ConfigError",
    "DataError",
    "Document",
    "Event",
    "LogError",
    "MemoryLog",
    "Mention",
    "ModelError",
    "Person",
    "PetraError",
    "Quotation",
    "Stream",
    "StudyError",
    "TextError",
    "Tracker",
    "Tracking",
    "__version__",
    "load",
]

# Imported on first use: these need PyTorch or NumPy, which `petra --help` should not wait for.
_PLACES = {
    "Document": "petra.text.document",
    "Event": "petra.domain",
    "MemoryLog": "petra.log.memory_log",
    "Mention": "petra.domain",
    "Person": "petra.domain",
    "Quotation": "petra.domain",
    "Stream": "petra.reading.stream",
    "Tracker": "petra.tracker",
    "Tracking": "petra.tracker",
    "load": "petra.tracker",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("petra")
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
