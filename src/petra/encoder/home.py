"""Where PeTra keeps what it has fetched or worked out."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def petra_home() -> Path:
    """The folder PETRA_HOME names, or the platform's cache folder for PeTra."""
    given = os.environ.get("PETRA_HOME")
    if given:
        return Path(given).expanduser().absolute()
    return platformdirs.user_cache_path("petra", appauthor=False)
