"""What a test does when something it needs is not on this machine."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest

from petra.encoder.catalogue import entry
from petra.encoder.fetch import is_fetched


def absent(reason: str) -> NoReturn:
    """Skip the test; where PETRA_REQUIRE_DATA=1 says that everything must be here, fail it."""
    if os.environ.get("PETRA_REQUIRE_DATA") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def need_encoder(name: str) -> None:
    """Go on only if the encoder is in PETRA_HOME: tests fetch nothing."""
    if not is_fetched(entry(name)):
        absent(f"needs an encoder: petra models get {name}")
