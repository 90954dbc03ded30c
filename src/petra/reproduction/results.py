"""The records of a grid, to be asked by model and number of cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from petra.config import Variant
from petra.reproduction.grid import GridConfig, GridRun, encoder_label
from petra.reproduction.measures import Spread, spread
from petra.reproduction.records import Measured, RunRecord

Measure = Literal[
    "validation_f1",
    "test_f1",
    "masculine_f1",
    "feminine_f1",
    "bias",
    "count_error_best",
    "count_error_two_fold",
    "epochs",
]


@dataclass(frozen=True, kw_only=True)
class Results:
    """What is known of a grid; runs may be missing."""

    grid: GridConfig
    records: tuple[RunRecord, ...]  # in the grid's order

    @classmethod
    def of(cls, grid: GridConfig, records: Mapping[str, RunRecord]) -> Results:
        """The grid's own among records, which are by digest."""
        return cls(grid=grid, records=tuple(records[run.digest] for run in grid.runs if run.digest in records))

    @property
    def encoder(self) -> str:
        return encoder_label(self.grid.encoder)

    @property
    def models(self) -> tuple[Variant, ...]:
        return self.grid.settings.models

    @property
    def cells(self) -> tuple[int, ...]:
        return tuple(sorted(self.grid.settings.cells))

    @property
    def is_partial(self) -> bool:
        """Whether the runs see only a part of GAP, so that nothing follows from their numbers."""
        settings = self.grid.settings
        return any((settings.training_texts, settings.validation_texts, settings.test_texts))

    @cached_property
    def missing(self) -> tuple[GridRun, ...]:
        found = {record.run.digest for record in self.records}
        return tuple(run for run in self.grid.runs if run.digest not in found)

    @property
    def collapsed(self) -> tuple[RunRecord, ...]:
        return tuple(record for record in self.records if record.measured.collapsed)

    def at(self, model: Variant, cells: int | None = None) -> tuple[Measured, ...]:
        """What was measured of a model's runs, with some number of cells or with any."""
        return tuple(
            record.measured
            for record in self.records
            if record.run.model == model and cells in (None, record.run.cells)
        )

    def mean(self, model: Variant, cells: int, measure: Measure) -> Spread | None:
        """The mean of a measure over a configuration's runs; None if there are none."""
        values = [float(getattr(run, measure)) for run in self.at(model, cells)]
        return spread(values) if values else None

    def by_cells(self, model: Variant, measure: Measure) -> dict[int, Spread]:
        """The mean of a measure for each number of cells that has runs."""
        means = {cells: self.mean(model, cells, measure) for cells in self.cells}
        return {cells: mean for cells, mean in means.items() if mean is not None}

    def best_size(self, model: Variant) -> int | None:
        """The number of cells with the highest mean validation F1, the smaller of equals; None without runs."""
        means = self.by_cells(model, "validation_f1")
        return max(means, key=lambda cells: (means[cells].mean, -cells)) if means else None
