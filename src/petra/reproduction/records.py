"""One JSON file per finished run (schema ``petra.result-run/1``), found again by what the run is.

A record holds the whole recipe of its run. When records are read, their identity is
computed from it again: a setting that later versions add has its default in old
records, so that these stay valid.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from petra.config import RunConfig
from petra.errors import ConfigError, DataError
from petra.reproduction.grid import GridRun
from petra.runtime.files import write_atomically

SCHEMA = "petra.result-run/1"


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """What was measured of a run. F1 in percent; the counting errors are people too many or too few."""

    validation_f1: float  # at the best epoch
    test_f1: float
    threshold: float  # of validation
    masculine_f1: float
    feminine_f1: float
    bias: float
    count_error_best: int
    count_error_two_fold: int
    counted_texts: int
    epochs: int
    best_epoch: int  # from 1
    validation_curve: tuple[float, ...]  # F1 of each epoch
    always_coreferent_f1: float  # validation F1 of calling every link true
    collapsed: bool
    overwrite_distribution: tuple[float, ...] | None  # over the cells; None if nothing was ever written
    overwrite_kl: float | None  # from uniform, in nats
    parameters: int
    seconds: float  # of the group's training, the part of this run's epochs in all
    group_seconds: float
    group_runs: int
    hardware: str
    command: str


@dataclass(frozen=True, kw_only=True)
class RunRecord:
    """A finished run."""

    run: GridRun
    measured: Measured

    def to_dict(self) -> dict[str, Any]:
        """The record as plain values of the schema ``petra.result-run/1``."""
        run = self.run
        return {
            "schema": SCHEMA,
            "digest": run.digest,
            "model": run.model,
            "cells": run.cells,
            "seed": run.seed,
            "encoder": run.encoder,
            "layers": list(run.config.encoder.layers),
            **asdict(self.measured),
            "texts": list(run.texts),
            "recipe": run.config.to_toml(),
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> RunRecord:
        """The record in plain values; more of them than are known do no harm."""
        if values["schema"] != SCHEMA:
            raise ValueError(f"its schema is {values['schema']!r}, not {SCHEMA!r}")
        training, validation, test = (int(number) for number in values["texts"])
        measured = {name: values[name] for name in Measured.__slots__}
        for name in ("overwrite_distribution", "validation_curve"):
            if measured[name] is not None:
                measured[name] = tuple(map(float, measured[name]))
        for name in ("validation_f1", "test_f1", "count_error_best", "epochs", "seconds", "parameters"):
            if not isinstance(measured[name], (int, float)):
                raise TypeError(f"{name} is {measured[name]!r}, not a number")
        run = GridRun(config=RunConfig.from_toml(values["recipe"]), texts=(training, validation, test))
        return cls(run=run, measured=Measured(**measured))


def read_records(folder: Path) -> dict[str, RunRecord]:
    """All records in a folder, by the digests of their runs; packed ones are the lines of FOLDER.jsonl."""
    records = [_read(path) for path in sorted(folder.glob("*.json"))]
    packed = folder.with_suffix(".jsonl")
    if packed.exists():
        lines = packed.read_text(encoding="utf-8").splitlines()
        records += [_parse(line, f"{packed}, line {number}") for number, line in enumerate(lines, start=1)]
    return {record.run.digest: record for record in records}


def pack_records(folder: Path) -> Path:
    """Write the records of a folder as the lines of one file beside it, FOLDER.jsonl."""
    packed = folder.with_suffix(".jsonl")
    lines = [json.dumps(record.to_dict()) for record in read_records(folder).values()]
    write_atomically(packed, "".join(f"{line}\n" for line in lines).encode())
    return packed


def write_record(folder: Path, record: RunRecord) -> Path:
    """Write a record as ENCODER-MODEL-CELLS-SEED.json; one of other settings is left where it is.

    If that name is taken by a run of another recipe, the digest makes the name different.
    """
    path = folder / f"{record.run.label}.json"
    if path.exists() and not _is_of(path, record.run):
        path = folder / f"{record.run.label}-{record.run.digest}.json"
    write_atomically(path, (json.dumps(record.to_dict(), indent=2) + "\n").encode())
    return path


def _is_of(path: Path, run: GridRun) -> bool:
    try:
        return _read(path).run.digest == run.digest
    except DataError:
        return False


def _read(path: Path) -> RunRecord:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise _unreadable(str(path), error) from None
    return _parse(text, str(path))


def _parse(text: str, place: str) -> RunRecord:
    try:
        return RunRecord.from_dict(json.loads(text))
    except (ValueError, KeyError, TypeError, RecursionError, ConfigError) as error:
        raise _unreadable(place, error) from None


def _unreadable(place: str, error: Exception) -> DataError:
    return DataError(
        f"{place} cannot be read as the record of a run ({error!r:.150}). "
        "Move it out of the folder, and the run will be made again."
    )
