"""The files of an export as one file, to be sent or downloaded."""

from __future__ import annotations

import io
import zipfile
from typing import Final, NamedTuple

from petra.report.export.format import Files

_EARLIEST: Final = (1980, 1, 1, 0, 0, 0)  # that a ZIP archive can hold: the same content gives the same bytes


class ExportedFile(NamedTuple):
    """A file by its name."""

    name: str
    content: bytes


def one_file(files: Files, stem: str) -> ExportedFile:
    """The file of an export named after ``stem``, or a ZIP archive of several."""
    named = {
        f"{stem}{ending}" if ending.startswith(".") else ending: text.encode("utf-8", "replace")
        for ending, text in files.items()
    }
    if len(named) == 1:
        return ExportedFile(*next(iter(named.items())))
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, each in named.items():
            archive.writestr(zipfile.ZipInfo(name, _EARLIEST), each, zipfile.ZIP_DEFLATED)
    return ExportedFile(f"{stem}.zip", content.getvalue())
