"""Encoders exported for another runtime, made at first use and kept in PETRA_HOME.

A folder ``exports/KEY`` holds the runtime's files and ``export.json``. The key is a digest
of the weights, the adapter, the layers and the runtime's version, so that an export is
never used for another encoder; it is written whole or not at all.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import torch
from torch import Tensor

from petra.encoder.backends.contract import EncoderShape, EncoderSource
from petra.encoder.backends.pytorch import LayerFeatures
from petra.encoder.cache import locked, new_folder, petra_home, sha256_of
from petra.encoder.loading import max_positions, padding_id, quiet
from petra.errors import PetraError
from petra.runtime.files import write_atomically

_RECORD = "export.json"  # the shape, and the digests of the other files
Export = Callable[[LayerFeatures, tuple[Tensor, Tensor], Path], None]  # writes the runtime's files into a folder


def exported(source: EncoderSource, backend: str, version: str, export: Export) -> tuple[Path, EncoderShape]:
    """The folder of an export and the encoder's shape; it is made now if it is not there, or is damaged."""
    target = petra_home() / "exports" / source.key(backend, version)
    try:
        shape = _whole(target)
        if shape is None:
            with locked(target):
                shape = _whole(target)  # another process may have been first
                if shape is None:
                    with new_folder(target) as filling:
                        shape = _export(source, filling, export)
        return target, shape
    except OSError as error:
        raise PetraError(
            f"The encoder cannot be kept for the back end {backend} in {target.parent}: {error.strerror or error}. "
            "Make the folder writable or set PETRA_HOME to another, or choose --backend torch."
        ) from None


def _whole(target: Path) -> EncoderShape | None:
    """The shape of an export whose files are as they were written; None if it is damaged or not there.

    Digests are compared only where sizes and times are not those of the last time that they were right.
    """
    try:
        record = json.loads((target / _RECORD).read_text(encoding="utf-8"))
        shape, digests = EncoderShape(*record["shape"]), dict(record["sha256"])
        state = {name: [(status := (target / name).stat()).st_size, status.st_mtime_ns] for name in digests}
    except (FileNotFoundError, NotADirectoryError, ValueError, TypeError, KeyError, RecursionError):
        return None
    note = target.with_name(f".{target.name}.checked")
    with suppress(OSError, ValueError, RecursionError):
        if json.loads(note.read_text(encoding="utf-8")) == state:
            return shape
    if any(sha256_of(target / name) != digest for name, digest in digests.items()):
        return None
    with suppress(PetraError):  # where nothing can be written, digests are compared every time
        write_atomically(note, json.dumps(state).encode())
    return shape


def _export(source: EncoderSource, folder: Path, export: Export) -> EncoderShape:
    model = source.load()
    # Two rows of which one is filled up: tracing must see neither a batch of one nor an empty mask.
    token_ids = torch.full((2, 12), padding_id(model))
    token_ids[:, :8] = 5
    attention_mask = torch.ones_like(token_ids)
    attention_mask[:, 8:] = 0
    with warnings.catch_warnings(), quiet(), torch.no_grad():
        warnings.simplefilter("ignore")  # of tracing, about what does not change
        export(LayerFeatures(model, source.layers).eval(), (token_ids, attention_mask), folder)
    shape = EncoderShape(model.config.hidden_size * len(source.layers), padding_id(model), max_positions(model))
    digests = {path.name: sha256_of(path) for path in sorted(folder.iterdir())}
    (folder / _RECORD).write_text(json.dumps({"shape": shape, "sha256": digests}), encoding="utf-8")
    return shape
