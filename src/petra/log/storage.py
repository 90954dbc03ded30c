"""Memory logs as files: a zip of NumPy arrays with a JSON header (docs/log-format.md).

Nothing in the file is executed on reading: no pickle, only numbers and text.
"""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petra.errors import EditError, LogError, PetraError
from petra.log.edits import Edit, edits_lines, read_edits
from petra.log.memory_log import MemoryLog, ReadBy
from petra.log.mentions import LogMentions
from petra.log.quotations import LogQuotations
from petra.runtime.files import write_atomically

SCHEMA = "petra.log/2"
_EARLIER = "petra.log/1"  # without mentions

_HEADER = "header.json"
_TEXT = "text.txt"
_EDITS = "edits.jsonl"  # where the people found were corrected
_HEADER_LIMIT = 1 << 20  # bytes; a true header has a few hundred
_UNPACKED_LIMIT = 512 << 20  # bytes that any log may unpack to; of a novel they are some 50 million
_RATIO_LIMIT = 100  # of a larger one, to its bytes in the file; of texts that were read about 5
_TOKEN_ARRAYS = {"starts": "<i8", "ends": "<i8", "words": "<i8", "mention_prob": "<f4"}  # (T,)
_MENTION_COLUMNS = dict.fromkeys(("starts", "ends", "kinds", "heads", "people"), "<i8") | {"probability": "<f8"}  # (M,)
_READ_AS = "mentions/read_as"  # (M,) of the first pass, where there was a second
_PART_COLUMNS = dict.fromkeys(("part_starts", "part_ends", "parts_of"), "<i8")  # (P,)
_QUOTATION_COLUMNS = dict.fromkeys(("speakers", "addressees", "found_by"), "<i8") | {"probability": "<f8"}  # (Q,)
_CELL_ARRAYS = {"coref_prob": "<f4", "overwrite_prob": "<f4", "usage": "<f4"}  # (T, N)
# Python strings may hold half a surrogate pair, which strict UTF-8 has no bytes for.
_SURROGATES = "surrogatepass"


def save(log: MemoryLog, path: Path) -> None:
    """Write a log to a file, whole or not at all: a failure leaves what was there before."""
    if Path(path).exists() and not Path(path).is_file():
        raise LogError(f"{path} is not a plain file; choose another place for the memory log.")
    try:
        write_atomically(Path(path), to_bytes(log))
    except PetraError as error:
        raise LogError(f"The memory log was not saved: {error}") from None


def to_bytes(log: MemoryLog) -> bytes:
    """The content of a log's file."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        _write(log, archive)
    return content.getvalue()


def load(path: Path) -> MemoryLog:
    """The log in a file written by ``save``."""
    try:
        with zipfile.ZipFile(path) as archive:
            _check_size(archive, Path(path).stat().st_size)
            return _read(archive)
    except LogError as error:
        raise LogError(f"{path}: {error}") from None
    except FileNotFoundError:
        raise LogError(f"No memory log at {path}. Write one with: petra track TEXT --log {path}") from None
    except OSError as error:
        raise LogError(f"{path} cannot be read: {error.strerror or error}.") from None
    except Exception as error:
        # A damaged archive surfaces as almost any exception of zipfile, zlib, json or NumPy.
        raise LogError(
            f"{path} is not a memory log, or it is damaged ({error or type(error).__name__}). "
            f"Expected a file written by petra track --log; write it again."
        ) from None


def _check_size(archive: zipfile.ZipFile, packed: int) -> None:
    """Refuse a file that would fill the memory when it is unpacked. No member gives more than it announces."""
    unpacked = sum(member.file_size for member in archive.infolist())
    if unpacked > max(_UNPACKED_LIMIT, _RATIO_LIMIT * packed):
        raise LogError(
            f"it has {packed:,} bytes and would unpack to {unpacked:,}, as no memory log does. "
            "Do not use it unless you know where it comes from; write it again with petra track --log."
        )


def _write(log: MemoryLog, archive: zipfile.ZipFile) -> None:
    header = {
        "schema": SCHEMA,
        "model": log.model,
        "threshold": float(log.threshold),
        "characters": len(log.text),
        "tokens": log.num_tokens,
        "cells": log.num_cells,
        "read_by": log.read_by,
        "mentions": None if log.mentions is None else len(log.mentions),
        "quotations": None if log.quotations is None else len(log.quotations),
        "quotation_parts": 0 if log.quotations is None else len(log.quotations.parts_of),
    }
    if log.mentions is not None and log.mentions.read_as is not None:
        header["second_pass"] = True
    _write_member(archive, _HEADER, json.dumps(header, indent=1).encode("ascii"))
    _write_member(archive, _TEXT, log.text.encode("utf-8", _SURROGATES))
    if log.edits:
        _write_member(archive, _EDITS, edits_lines(log.edits, source=None, characters=len(log.text)).encode("utf-8"))
    for name, dtype in (_TOKEN_ARRAYS | _CELL_ARRAYS).items():
        _write_array(archive, name, getattr(log, name), dtype)
    for name, dtype in _MENTION_COLUMNS.items() if log.mentions is not None else ():
        _write_array(archive, f"mentions/{name}", getattr(log.mentions, name), dtype)
    if log.mentions is not None and log.mentions.read_as is not None:
        _write_array(archive, _READ_AS, log.mentions.read_as, "<i8")
    for name, dtype in (_PART_COLUMNS | _QUOTATION_COLUMNS).items() if log.quotations is not None else ():
        _write_array(archive, f"quotations/{name}", getattr(log.quotations, name), dtype)


def _write_array(archive: zipfile.ZipFile, name: str, array: NDArray[Any], dtype: str) -> None:
    data = io.BytesIO()
    np.lib.format.write_array(data, np.ascontiguousarray(array, dtype=dtype), version=(1, 0), allow_pickle=False)
    _write_member(archive, f"{name}.npy", data.getvalue())


def _write_member(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    # A fixed date: the same log gives the same bytes.
    info = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    info.external_attr = 0o644 << 16
    archive.writestr(info, data, compress_type=zipfile.ZIP_DEFLATED, compresslevel=1)


def _read(archive: zipfile.ZipFile) -> MemoryLog:
    header = _read_header(archive)
    tokens, cells = _count(header, "tokens"), _count(header, "cells")
    text = archive.read(_TEXT).decode("utf-8", _SURROGATES)
    if len(text) != _count(header, "characters"):
        raise LogError(f"its text has {len(text)} characters; its header says {header['characters']}.")
    arrays: dict[str, Any] = {}
    for name, dtype in _TOKEN_ARRAYS.items():
        arrays[name] = _read_array(archive, name, dtype, (tokens,))
    for name, dtype in _CELL_ARRAYS.items():
        arrays[name] = _read_array(archive, name, dtype, (tokens, cells))
    return MemoryLog(
        text=text,
        model=str(header["model"]),
        threshold=float(header["threshold"]),
        read_by=_read_by(header),
        mentions=_read_mentions(archive, header),
        quotations=_read_quotations(archive, header),
        edits=_read_edits(archive),
        **arrays,
    )


def _read_by(header: dict[str, Any]) -> ReadBy:
    found = header.get("read_by", "token")
    if found not in ("token", "mention"):
        raise LogError(f"its header gives read_by as {found!r}; expected token or mention.")
    return "mention" if found == "mention" else "token"


def _read_mentions(archive: zipfile.ZipFile, header: dict[str, Any]) -> LogMentions | None:
    if header.get("mentions") is None:
        return None
    count = _count(header, "mentions")
    columns = {
        name: _read_array(archive, f"mentions/{name}", dtype, (count,)) for name, dtype in _MENTION_COLUMNS.items()
    }
    read_as = _read_array(archive, _READ_AS, "<i8", (count,)) if header.get("second_pass") else None
    return LogMentions(**columns, read_as=read_as)


def _read_quotations(archive: zipfile.ZipFile, header: dict[str, Any]) -> LogQuotations | None:
    if header.get("quotations") is None:
        return None
    count, parts = _count(header, "quotations"), _count(header, "quotation_parts")
    columns = {
        name: _read_array(archive, f"quotations/{name}", dtype, (length,))
        for length, known in ((parts, _PART_COLUMNS), (count, _QUOTATION_COLUMNS))
        for name, dtype in known.items()
    }
    return LogQuotations(**columns)


def _read_edits(archive: zipfile.ZipFile) -> tuple[Edit, ...]:
    if _EDITS not in archive.namelist():
        return ()
    try:
        return read_edits(archive.read(_EDITS).decode("utf-8"), _EDITS)
    except EditError as error:
        raise LogError(str(error)) from None


def _read_header(archive: zipfile.ZipFile) -> dict[str, Any]:
    if _HEADER not in archive.namelist() or archive.getinfo(_HEADER).file_size > _HEADER_LIMIT:
        raise LogError("not a memory log. Expected a file written by petra track --log.")
    header: dict[str, Any] = json.loads(archive.read(_HEADER))
    schema = header.get("schema") if isinstance(header, dict) else None
    if schema not in (SCHEMA, _EARLIER):
        known = isinstance(schema, str) and schema.startswith("petra.log/")
        raise LogError(
            f"a memory log of the format {schema}; this version of PeTra reads {SCHEMA}. Update PeTra to read it."
            if known
            else "not a memory log. Expected a file written by petra track --log."
        )
    return header


def _count(header: dict[str, Any], name: str) -> int:
    value = header.get(name)
    if type(value) is not int or value < 0:
        raise LogError(f"its header gives {name} as {value!r}; expected a whole number.")
    return value


def _read_array(archive: zipfile.ZipFile, name: str, dtype: str, shape: tuple[int, ...]) -> NDArray[Any]:
    """One array, its type and shape compared with what the header promises before anything is made of them."""
    data = io.BytesIO(archive.read(f"{name}.npy"))
    if np.lib.format.read_magic(data) != (1, 0):
        raise LogError(f"{name}.npy is not in version 1.0 of NumPy's format.")
    found_shape, fortran_order, found_dtype = np.lib.format.read_array_header_1_0(data)
    if found_shape != shape or found_dtype.str != dtype or fortran_order:
        raise LogError(f"{name}.npy is {found_dtype.str} of shape {found_shape}; expected {dtype} of shape {shape}.")
    array = np.frombuffer(data.read(), dtype=dtype).reshape(shape)
    return array.astype(array.dtype.newbyteorder("="))  # a copy of its own, which may be written to
