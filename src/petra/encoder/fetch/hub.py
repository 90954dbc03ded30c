"""The Hugging Face hub as a source: plain files by HTTPS, where it answers quickly."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path
from typing import IO
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

from petra.encoder.catalogue import CatalogueEntry, EncoderFile
from petra.encoder.fetch.sources import BLOCK, SourceError, write_checked
from petra.runtime.progress import Report

_PATIENCE = 5.0  # seconds for the first answer, the name of the host looked up and all
_STALL = 30.0  # seconds without a byte, later


class Hub:
    """A repository of the hub, or of the mirror that HF_ENDPOINT names."""

    def __init__(self, repository: str, *, revision: str = "main", patience: float = _PATIENCE) -> None:
        endpoint = os.environ.get("HF_ENDPOINT") or "https://huggingface.co"
        self._place = f"{endpoint.rstrip('/')}/{repository}"
        self._revision = revision
        self._patience = patience
        self.name = f"the Hugging Face hub ({self._place})"

    def fill(self, encoder: CatalogueEntry, folder: Path, work: Path, report: Report) -> None:  # noqa: ARG002
        if os.environ.get("HF_HUB_OFFLINE", "").upper() in ("1", "ON", "YES", "TRUE"):
            raise SourceError("HF_HUB_OFFLINE keeps it from being asked")
        files = sorted(encoder.files, key=lambda file: file.size)  # what is altered there is known before much is had
        self._check_answers(files[0])
        had = 0
        for file in files:
            with self._open(file, _STALL) as answer:
                write_checked(_blocks(answer, had, encoder.size, report), file, folder)
            had += file.size

    def _check_answers(self, file: EncoderFile) -> None:
        """Refuse a hub that does not answer soon. Time limits of sockets do not hold for looking up a name."""
        outcome: list[SourceError | None] = []

        def ask() -> None:
            try:
                with self._open(file, self._patience):
                    outcome.append(None)
            except SourceError as error:
                outcome.append(error)

        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        asking.join(self._patience)
        if not outcome:
            raise SourceError(f"it did not answer within {self._patience:g} seconds")
        if outcome[0] is not None:
            raise outcome[0]

    def _open(self, file: EncoderFile, patience: float) -> IO[bytes]:
        address = f"{self._place}/resolve/{quote(self._revision)}/{quote(file.name)}"
        try:
            # The user names the place; it is no file of this machine.
            answer: IO[bytes] = urlopen(Request(address, headers={"User-Agent": "petra"}), timeout=patience)
        except HTTPError as error:
            error.close()
            raise SourceError(f"it answered {error.code} {error.reason} for {file.name}") from None
        except (OSError, HTTPException, ValueError) as error:
            raise SourceError(f"it cannot be reached ({_reason(error)})") from None
        return answer


def _blocks(answer: IO[bytes], had: int, whole: int, report: Report) -> Iterator[bytes]:
    """The content of an answer; ``report`` is called with the bytes had before and with it."""
    while True:
        try:
            block = answer.read(BLOCK)
        except (OSError, HTTPException) as error:
            raise SourceError(f"the connection broke off ({_reason(error)})") from None
        if not block:
            return
        yield block
        had += len(block)
        report(min(had, whole), whole)


def _reason(error: Exception) -> str:
    reason = getattr(error, "reason", None) or error
    return str(reason).strip().rstrip(".") or type(error).__name__
