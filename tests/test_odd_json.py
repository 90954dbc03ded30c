"""JSON that parsers give up on is told like any other that is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from petra.errors import DataError, PetraError, StudyError
from petra.report.values.archive import Archive, ArchiveSettings
from petra.report.values.from_json import read_annotation
from petra.study.storage import read_study


def archive(path: Path) -> None:
    with Archive(path, ArchiveSettings(model="tiny")):
        pass


def study(path: Path) -> None:
    path.rename(path.with_name("study.json"))
    read_study(path.parent)


@pytest.mark.parametrize("content", ["[" * 100_000, '{"schema": ' * 100_000, '{"schema": ' + "9" * 5000 + "}"])
@pytest.mark.parametrize(("read", "error"), [(read_annotation, DataError), (archive, DataError), (study, StudyError)])
def test_json_that_is_nested_too_deeply_or_has_endless_numbers(
    tmp_path: Path, content: str, read: Callable[[Path], Any], error: type[PetraError]
) -> None:
    path = tmp_path / "odd.json"
    path.write_text(content + "\n", encoding="utf-8")
    with pytest.raises(error) as told:
        read(path)
    assert len(str(told.value)) < 500
