"""Locks between processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from petra.errors import PetraError
from petra.runtime.locks import lock, owned

OTHER = """
import sys
from pathlib import Path
from petra.runtime.locks import lock
with lock(Path(sys.argv[1]), wait=False) as is_held:
    print(is_held)
"""


def held_by_another(path: Path) -> str:
    return subprocess.run([sys.executable, "-c", OTHER, str(path)], capture_output=True, text=True, check=True).stdout


def test_one_process_holds_a_lock(tmp_path: Path) -> None:
    path = tmp_path / "folder/.lock"
    with lock(path, wait=False) as is_held:
        assert is_held
        assert held_by_another(path) == "False\n"
    assert held_by_another(path) == "True\n"
    with lock(path, wait=True) as is_held:
        assert is_held


def test_a_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("something else", encoding="utf-8")
    with pytest.raises(PetraError, match="cannot be written"), lock(tmp_path / "file/.lock", wait=True):
        pass


def test_the_owner_of_a_file_is_told(tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    (tmp_path / ".out.jsonl.lock").write_text("process 1 of a machine that was switched off", encoding="utf-8")
    with owned(file), pytest.raises(PetraError, match=rf"written by process {os.getpid()} of "), owned(file):
        pass
    with owned(file):
        pass
    assert list(tmp_path.iterdir()) == []
