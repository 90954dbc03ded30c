from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from petra.encoder.home import petra_home


def test_petra_home_is_where_the_user_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PETRA_HOME", "~/kept")
    assert petra_home() == Path.home() / "kept"


@pytest.mark.parametrize("unset", [True, False])
def test_else_it_is_in_the_cache_of_the_platform(monkeypatch: pytest.MonkeyPatch, unset: bool) -> None:
    if unset:
        monkeypatch.delenv("PETRA_HOME", raising=False)
    else:
        monkeypatch.setenv("PETRA_HOME", "")
    assert petra_home() == Path(platformdirs.user_cache_dir("petra", appauthor=False))
