from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from full_disk import fill_disk

from petra.errors import PetraError
from petra.runtime.files import write_atomically


def test_a_file_and_its_folders_are_made(tmp_path: Path) -> None:
    write_atomically(tmp_path / "a/b/file.bin", b"\x00\r\n\xff")
    assert (tmp_path / "a/b/file.bin").read_bytes() == b"\x00\r\n\xff"


def test_parts_stand_one_after_the_other(tmp_path: Path) -> None:
    write_atomically(tmp_path / "file", b"one, ", memoryview(b"two"), b"")
    assert (tmp_path / "file").read_bytes() == b"one, two"


def test_an_old_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomically(path, b"a long content")
    write_atomically(path, b"short")
    assert path.read_bytes() == b"short"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_atomically(path, b"old")
    fill_disk(monkeypatch)
    with pytest.raises(PetraError, match=r"file cannot be written: No space left on device\. Nothing was changed\."):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_ctrl_c_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_atomically(path, b"old")

    def interrupted(self: Path, target: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_cannot_be_written_to_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way of a folder", encoding="utf-8")
    with pytest.raises(PetraError, match="cannot be written"):
        write_atomically(tmp_path / "file/inner", b"new")
    (tmp_path / "folder").mkdir()
    with pytest.raises(PetraError, match="cannot be written"):
        write_atomically(tmp_path / "folder", b"new")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no umask to keep to")
def test_a_file_has_the_rights_any_other_would(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        write_atomically(tmp_path / "file", b"")
        assert (tmp_path / "file").stat().st_mode & 0o777 == 0o640
    finally:
        os.umask(old)


def test_a_link_is_followed_and_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes of POSIX")
def test_what_is_no_regular_file_is_written_to_and_stays_what_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomically(pipe, b"through")
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
