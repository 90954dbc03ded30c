"""The features of a corpus, encoded once and cached on disk.

An entry is a folder named for the encoder and the tokens: ``features.npy``, float16,
one row for every token of all documents, and ``index.json``, which identifies
them. It is memory-mapped, so training holds only the rows it reads.

Letters: T_i tokens of document i, D features of a token.
"""

from __future__ import annotations

import errno
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from petra.encoder.cache import locked, new_folder, petra_home
from petra.encoder.pretrained import PretrainedEncoder
from petra.errors import PetraError
from petra.runtime.progress import Report, silent
from petra.text.document import Document

_SCHEMA = "petra.features/1"


@dataclass(frozen=True, slots=True, eq=False)
class CorpusFeatures:
    """Features of the documents of a corpus, by number."""

    rows: NDArray[np.float16]  # (all T_i, D), one document after the other
    bounds: NDArray[np.int64]  # where each document begins, and the last one ends

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def __getitem__(self, document: int) -> NDArray[np.float16]:
        """The features (T_i, D) of a document, without a copy."""
        if not 0 <= document < len(self):
            raise IndexError(f"document {document} of {len(self)}")
        return self.rows[self.bounds[document] : self.bounds[document + 1]]

    def __iter__(self) -> Iterator[NDArray[np.float16]]:
        return (self[document] for document in range(len(self)))

    @property
    def lengths(self) -> NDArray[np.int64]:
        """T_i of each document."""
        return np.diff(self.bounds)

    @property
    def size(self) -> int:
        """D."""
        return int(self.rows.shape[1])


def cached_features(
    encoder: PretrainedEncoder,
    documents: Sequence[Document],
    *,
    folder: Path | None = None,
    report: Report = silent,
) -> CorpusFeatures:
    """The features of documents, from the cache folder or encoded now; report receives the tokens encoded.

    The folder is ``features`` in PETRA_HOME unless another is given.
    """
    index = _index(encoder, documents)
    target = (folder or petra_home() / "features") / str(index["key"])
    try:
        found = _read(target, index)
        if found is None:
            with locked(target):
                found = _read(target, index)  # another process may have been first
                if found is None:
                    with new_folder(target) as filling:
                        _write(filling, index, encoder, documents, report)
                    found = _read(target, index)
    except OSError as error:
        raise PetraError(_disk_trouble(target.parent, index, error)) from None
    if found is None:
        raise PetraError(f"The features just written to {target} cannot be read back. Check the disk, then try again.")
    return found


def _index(encoder: PretrainedEncoder, documents: Sequence[Document]) -> dict[str, Any]:
    """What the entry must be: the encoder sees nothing of a text but its tokens."""
    digest = hashlib.sha256(encoder.fingerprint.encode())
    for document in documents:
        digest.update(len(document).to_bytes(8, "little"))
        digest.update(document.token_ids.astype("<i8").tobytes())
    return {
        "schema": _SCHEMA,
        "key": digest.hexdigest()[:32],
        "encoder": encoder.config.name,
        "layers": list(encoder.config.layers),
        "fingerprint": encoder.fingerprint,
        "features": encoder.size,
        "lengths": [len(document) for document in documents],
    }


def _shape(index: dict[str, Any]) -> tuple[int, int]:
    return sum(index["lengths"]), index["features"]


def _read(target: Path, index: dict[str, Any]) -> CorpusFeatures | None:
    """The entry, or None where it is missing or not what it must be."""
    path = target / "features.npy"
    try:
        if json.loads((target / "index.json").read_text(encoding="utf-8")) != index:
            return None
        rows = np.load(path, mmap_mode="r", allow_pickle=False)
    except (FileNotFoundError, NotADirectoryError, ValueError, EOFError, RecursionError):
        return None
    if rows.shape != _shape(index) or rows.dtype != np.float16:
        return None
    return CorpusFeatures(rows, np.cumsum([0, *index["lengths"]], dtype=np.int64))


def _write(
    folder: Path, index: dict[str, Any], encoder: PretrainedEncoder, documents: Sequence[Document], report: Report
) -> None:
    done, whole = 0, sum(index["lengths"])
    header = {"descr": "<f2", "fortran_order": False, "shape": _shape(index)}
    # Plain writing, not the memory map: on a full disk that ends the process instead of raising.
    with (folder / "features.npy").open("wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        for features in encoder.encode_many(documents):
            file.write(features.to(torch.float16).cpu().numpy().tobytes())
            done += len(features)
            report(done, whole)
    (folder / "index.json").write_text(json.dumps(index), encoding="utf-8")


def _disk_trouble(folder: Path, index: dict[str, Any], error: OSError) -> str:
    tokens, features = _shape(index)
    room = f"{2 * tokens * features / 1e6:,.1f} MB"
    if error.errno == errno.ENOSPC:
        return (
            f"The disk is full: the features of this corpus need {room} in {folder}. "
            "Free some space, or set PETRA_HOME to a folder on another disk."
        )
    return (
        f"The features of this corpus ({room}) cannot be kept in {folder}: {error.strerror or error}. "
        "Make the folder writable, or set PETRA_HOME to another."
    )
