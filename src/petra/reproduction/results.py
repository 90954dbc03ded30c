"""The records of a grid, to be asked by model and number of cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

from petra.config import Variant
from petra.evaluation.count_baselines import CountBaselines
from petra.publication.spreads import Spread, spread
from petra.reproduction.grid import GridConfig, GridRun, encoder_label
from petra.reproduction.records import Measured, RunRecord, read_records

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
    name: str = ""  # of the folder, where the grid was made more than once
    parts: tuple[Results, ...] = ()  # each time that the grid was made, where there are several
    baselines: CountBaselines | None = None  # of counting people, where they are known

    @classmethod
    def of(cls, grid: GridConfig, records: Mapping[str, RunRecord]) -> Results:
        """The grid's own among records, which are by digest."""
        return cls(grid=grid, records=tuple(records[run.digest] for run in grid.runs if run.digest in records))

    @classmethod
    def joined(cls, parts: Sequence[Results]) -> Results:
        """All runs of a grid that was made several times."""
        order = {run.digest: place for place, run in enumerate(parts[0].grid.runs)}
        records = sorted(
            (record for part in parts for record in part.records), key=lambda record: order[record.run.digest]
        )
        return cls(grid=parts[0].grid, records=tuple(records), parts=tuple(parts), baselines=parts[0].baselines)

    @property
    def encoder(self) -> str:
        return encoder_label(self.grid.encoder)

    @property
    def title(self) -> str:
        """The encoder, and which grid it is where there are several."""
        if self.parts:
            return f"{self.encoder}, {len(self.parts)} grids"
        return f"{self.encoder}, {self.name}" if self.name else self.encoder

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
        if not values:
            return None
        grids = [mean.mean for part in self.parts if (mean := part.mean(model, cells, measure))]
        return replace(spread(values), between=spread(grids).error if len(grids) > 1 else 0.0)

    def by_cells(self, model: Variant, measure: Measure) -> dict[int, Spread]:
        """The mean of a measure for each number of cells that has runs."""
        means = {cells: self.mean(model, cells, measure) for cells in self.cells}
        return {cells: mean for cells, mean in means.items() if mean is not None}

    def best_size(self, model: Variant) -> int | None:
        """The number of cells with the highest mean validation F1, the smaller of equals; None without runs."""
        means = self.by_cells(model, "validation_f1")
        return max(means, key=lambda cells: (means[cells].mean, -cells)) if means else None


def read_studies(grid: GridConfig, folders: Sequence[Path], baselines: CountBaselines | None = None) -> list[Results]:
    """What the folders of a study hold of a grid: of several all runs together first, then each folder's."""
    whole = [replace(Results.of(grid, read_records(folder / "runs")), name=folder.name) for folder in folders]
    known = None if whole[0].is_partial else baselines  # a miniature counts in fewer texts
    studies = [replace(study, baselines=known) for study in whole]
    return [Results.joined(studies), *studies] if len(studies) > 1 else [replace(studies[0], name="")]
