"""Made-up records of runs, for what is worked out of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from petra.reproduction.grid import GridConfig, GridRun
from petra.reproduction.records import Measured, RunRecord
from petra.reproduction.results import Results

MEASURED = Measured(
    validation_f1=70.0,
    test_f1=69.0,
    threshold=0.25,
    masculine_f1=70.0,
    feminine_f1=68.0,
    bias=0.971,
    count_error_best=100,
    count_error_two_fold=110,
    counted_texts=100,
    epochs=10,
    best_epoch=8,
    validation_curve=(60.0, 70.0),
    always_coreferent_f1=61.0,
    collapsed=False,
    overwrite_distribution=(0.5, 0.5),
    overwrite_kl=0.0,
    parameters=1000,
    seconds=20.0,
    group_seconds=40.0,
    group_runs=2,
    hardware="an abacus",
    command="petra reproduce",
)


def grid(**settings: Any) -> GridConfig:
    """Two sizes and two seeds of PeTra and the Referential Reader, unless told otherwise."""
    seeds = settings.pop("seeds", [1, 2])
    encoder = settings.pop("encoder", "mpnet-base")
    values = {"models": ["vanilla", "referential-reader"], "cells": [2, 4], **settings}
    return GridConfig.from_values({"name": "sample", "seeds": seeds, "encoder": {"name": encoder}, "grid": values})


def record(run: GridRun, **measured: Any) -> RunRecord:
    return RunRecord(run=run, measured=replace(MEASURED, **measured))


def results(of: GridConfig, measured: Callable[[GridRun], Mapping[str, Any] | None]) -> Results:
    """A record for each run of a grid, with what was measured of it; None leaves the run out."""
    found = {run: measured(run) for run in of.runs}
    return Results(grid=of, records=tuple(record(run, **values) for run, values in found.items() if values is not None))
