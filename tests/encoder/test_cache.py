from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from petra.encoder.cache import locked, new_folder, petra_home


def test_a_new_folder_takes_the_place_of_the_old(tmp_path: Path) -> None:
    target = tmp_path / "thing"
    for content in ("old", "new"):
        with locked(target), new_folder(target) as filling:
            (filling / content).touch()
            assert not (target / content).exists()
    assert [path.name for path in target.iterdir()] == ["new"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [".thing.lock", "thing"]


@pytest.mark.parametrize("failure", [OSError, KeyboardInterrupt])
def test_a_failure_keeps_the_old(tmp_path: Path, failure: type[BaseException]) -> None:
    target = tmp_path / "thing"
    target.mkdir()
    (target / "old").touch()

    def fail() -> None:
        with locked(target), new_folder(target) as filling:
            (filling / "new").touch()
            raise failure

    with pytest.raises(failure):
        fail()
    assert [path.name for path in target.iterdir()] == ["old"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [".thing.lock", "thing"]


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
