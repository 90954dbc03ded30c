from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from petra.errors import TextError
from petra.text.source import read_text


def test_a_text_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "story.txt"
    path.write_bytes("\ufeffZoë met José.\r\nThey left.\r\n".encode())
    assert read_text(path) == "\ufeffZoë met José.\r\nThey left.\r\n"


def test_an_empty_file_is_an_empty_text(tmp_path: Path) -> None:
    path = tmp_path / "empty.txt"
    path.touch()
    assert read_text(path) == ""


def test_a_dash_reads_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("Zoë\r\n".encode()), encoding="latin-1"))
    assert read_text(Path("-")) == "Zoë\r\n"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(TextError, match=r"No file at .*nowhere\.txt"):
        read_text(tmp_path / "nowhere.txt")


def test_a_folder_is_told_from_a_file(tmp_path: Path) -> None:
    with pytest.raises(TextError, match="is a folder"):
        read_text(tmp_path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="this user may read everything")
def test_a_file_without_permission_is_named(tmp_path: Path) -> None:
    path = tmp_path / "secret.txt"
    path.touch(mode=0o000)
    with pytest.raises(TextError, match="permission denied"):
        read_text(path)


def test_a_refused_file_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(TextError, match="permission denied"):
        read_text(tmp_path / "secret.txt")


def test_binary_content_is_told_by_its_zero_byte(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    with pytest.raises(TextError, match=r"not a text: byte 8 is zero"):
        read_text(path)
    path.write_bytes(b"plain \x00 zero")
    with pytest.raises(TextError, match=r"not a text: byte 6 is zero"):
        read_text(path)


def test_another_encoding_is_told_by_its_first_wrong_byte(tmp_path: Path) -> None:
    path = tmp_path / "old.txt"
    path.write_bytes("Zoë".encode("latin-1"))
    with pytest.raises(TextError, match=r"not UTF-8: byte 2 is 0xeb.*iconv"):
        read_text(path)
