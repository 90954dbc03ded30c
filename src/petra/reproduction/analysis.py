"""What the paper works out of a model's runs: the test score, the correlation, the use of cells, the cost."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from petra.config import Variant
from petra.publication.spreads import Spread
from petra.reproduction.measures import spearman
from petra.reproduction.results import Results


class BestSize(NamedTuple):
    """A model at the number of cells that is best on validation."""

    cells: int
    test_f1: Spread


def at_best_size(results: Results, model: Variant) -> BestSize | None:
    """F1 on GAP test where the mean validation F1 is highest; None without runs."""
    cells = results.best_size(model)
    test_f1 = results.mean(model, cells, "test_f1") if cells is not None else None
    return BestSize(cells, test_f1) if cells is not None and test_f1 is not None else None


def correlation(results: Results, model: Variant, *, with_collapsed: bool = True) -> float | None:
    """Spearman's correlation of validation F1 with the negative counting error, over all runs of a model."""
    runs = [run for run in results.at(model) if with_collapsed or not run.collapsed]
    return spearman([run.validation_f1 for run in runs], [-run.count_error_best for run in runs])


class CellUse(NamedTuple):
    """KL of the overwrite distribution from uniform, for best and worst runs, averaged over memory sizes."""

    best: float
    worst: float
    sizes: int


def cell_use(results: Results, model: Variant) -> CellUse | None:
    """How unevenly the best and the worst run of each size, by validation F1, overwrite their cells.

    A run that never writes has no such number; where it would be the best or the worst of its
    size, the next one stands for it. A size with fewer than two runs that have one is left out.
    Of a grid that was made several times, best and worst are of each time, and averaged.
    """
    if results.parts:
        uses = [use for part in results.parts if (use := cell_use(part, model))]
        if not uses:
            return None
        best, worst = (float(np.mean([use[at] for use in uses])) for at in (0, 1))
        return CellUse(best, worst, max(use.sizes for use in uses))
    bests, worsts = [], []
    for cells in results.cells:
        runs = sorted(results.at(model, cells), key=lambda run: run.validation_f1)
        divergences = [run.overwrite_kl for run in runs if run.overwrite_kl is not None]
        if len(divergences) > 1:
            worsts.append(divergences[0])
            bests.append(divergences[-1])
    return CellUse(float(np.mean(bests)), float(np.mean(worsts)), len(bests)) if bests else None


DEGENERATE = 0.9  # of all that is written; a run that puts more into one cell tracks nobody


def degenerate_runs(results: Results, model: Variant) -> int:
    """How many runs of a model put nearly all their overwrites into one cell."""
    return sum(max(run.overwrite_distribution or (0.0,)) > DEGENERATE for run in results.at(model))


class Cost(NamedTuple):
    """What a model's runs took."""

    fewest_parameters: int
    most_parameters: int
    epochs: float  # of a run, on average
    seconds: float  # of all runs together
    seconds_an_epoch: float  # and model, trained side by side
    hardware: str


def cost(results: Results, model: Variant) -> Cost | None:
    """Parameters and times of a model; None without runs."""
    runs = results.at(model)
    if not runs:
        return None
    seconds, epochs = sum(run.seconds for run in runs), sum(run.epochs for run in runs)
    return Cost(
        fewest_parameters=min(run.parameters for run in runs),
        most_parameters=max(run.parameters for run in runs),
        epochs=epochs / len(runs),
        seconds=seconds,
        seconds_an_epoch=seconds / epochs,
        hardware=", ".join(sorted({run.hardware for run in runs})),
    )


class LowestError(NamedTuple):
    """The number of cells at which a model counts people best."""

    cells: int
    error: Spread


def lowest_count_error(results: Results, model: Variant) -> LowestError | None:
    """The lowest mean counting error over memory sizes, the smaller size of equals; None without runs."""
    means = results.by_cells(model, "count_error_best")
    cells = min(means, key=lambda size: (means[size].mean, size), default=None)
    return LowestError(cells, means[cells]) if cells is not None else None
