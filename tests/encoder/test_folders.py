from __future__ import annotations

from pathlib import Path

import pytest

from petra.encoder.folders import locked, new_folder


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
