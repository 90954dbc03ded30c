"""Runs of a grid that train together, as one batch of models."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import tomli_w

from petra.config import RunConfig, TrainingConfig
from petra.reproduction.grid import GridRun, encoder_label


@dataclass(frozen=True, kw_only=True)
class RunGroup:
    """Runs of one model and encoder; they differ in cells and seeds alone."""

    runs: tuple[GridRun, ...]

    @property
    def config(self) -> RunConfig:
        """A configuration with room for all."""
        memory = replace(self.runs[0].config.memory, num_cells=max(self.capacity))
        return replace(self.runs[0].config, memory=memory)

    @property
    def training(self) -> TrainingConfig:
        return self.runs[0].config.training

    @property
    def capacity(self) -> tuple[int, ...]:
        """The cells of each run."""
        return tuple(run.cells for run in self.runs)

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seed of each run; seeds come back with every number of cells."""
        return tuple(run.seed for run in self.runs)

    @property
    def label(self) -> str:
        fewest, most = min(self.capacity), max(self.capacity)
        sizes = f"{most}" if fewest == most else f"{fewest}-{most}"
        return f"{encoder_label(self.runs[0].encoder)}, {self.runs[0].model}, {sizes} cells"

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.to_toml().encode()).hexdigest()[:16]

    def to_toml(self) -> str:
        """All that makes the training what it is: its runs, one by one."""
        return tomli_w.dumps({"runs": [run.digest for run in self.runs]})


def make_groups(runs: Sequence[GridRun], models_at_once: int) -> tuple[RunGroup, ...]:
    """The runs in batches, each of one model and at most so many.

    Models come in their order. Within one, those with many cells come first, so that
    what does not fit into memory fails at once, and runs with about as many cells
    stand together, so that few cells are there only to be masked.
    """
    made = []
    for kind in dict.fromkeys((run.encoder, run.model) for run in runs):
        own = sorted((run for run in runs if (run.encoder, run.model) == kind), key=lambda run: (-run.cells, run.seed))
        made += [RunGroup(runs=tuple(own[at : at + models_at_once])) for at in range(0, len(own), models_at_once)]
    return tuple(made)
