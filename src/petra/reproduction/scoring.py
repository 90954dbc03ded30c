"""What is measured of the runs of a group, once they are trained.

Letters: E models (runs of a group), n texts, N cells.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from petra.corpora.gap import gold_labels
from petra.memory.models import Model
from petra.reproduction.groups import RunGroup
from petra.reproduction.measures import kl_from_uniform, shares
from petra.training.frozen.corpus import Corpus, add_counts, add_test
from petra.training.frozen.side_by_side import TrainingResult
from petra.training.learner import CorpusReader

CHANCE = 1.0  # points of F1 that a run gains by luck over one that decides nothing


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Corpora:
    """The splits of GAP as one encoder sees them."""

    training: Corpus
    validation: Corpus
    test: Corpus
    counted: Mapping[int, int]  # people in the annotated validation texts, by their places
    input_size: int  # features of a token


def score_group(group: RunGroup, trained: TrainingResult, network: Model, corpora: Corpora) -> list[dict[str, Any]]:
    """The scores of each run at its best epoch, by the names of ``records.Measured``.

    ``network`` is one of the group's, and has the best parameters afterwards, rounded
    as they would be kept.
    """
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            parameter.copy_(trained.parameters[name].half())
    always = always_coreferent_f1(gold_labels(corpora.validation.instances))
    epochs = sum(schedule.epochs for schedule in trained.schedules)
    runs: list[dict[str, Any]] = [
        {
            "validation_f1": round(schedule.best_f1, 2),
            "threshold": schedule.best_threshold,
            "best_epoch": schedule.best_epoch + 1,
            "epochs": schedule.epochs,
            "seconds": round(trained.seconds * schedule.epochs / epochs, 2),
            "group_seconds": round(trained.seconds, 1),
            "group_runs": len(group.runs),
            "counted_texts": len(corpora.counted),
            "always_coreferent_f1": round(always, 2),
            "collapsed": is_collapsed(schedule.best_f1, always),
        }
        for schedule in trained.schedules
    ]
    add_counts(runs, network, corpora.validation, corpora.counted)
    add_test(runs, network, corpora.test)
    written = overwrite_amounts(network, corpora.validation, group.seeds)
    for run, amounts, cells in zip(runs, written, group.capacity, strict=True):
        distribution = shares(amounts[:cells].tolist())
        run["overwrite_distribution"] = distribution and [round(share, 6) for share in distribution]
        run["overwrite_kl"] = distribution and round(kl_from_uniform(distribution), 4)
    return runs


def always_coreferent_f1(gold: NDArray[np.bool_]) -> float:
    """The F1 of calling every link true, in percent: all true links are found, with the precision of their share."""
    share = float(gold.mean())
    return 100 * 2 * share / (1 + share)


def is_collapsed(validation_f1: float, always: float) -> bool:
    """Whether a run learnt nothing to speak of: it does not do better than calling every link true, but for luck."""
    return validation_f1 <= always + CHANCE


def overwrite_amounts(network: Model, validation: Corpus, seeds: Sequence[int]) -> NDArray[np.float64]:
    """How much was written to each cell in all validation texts together, sum_t o_t^i: (E, N).

    As in the paper, the cell is a random one where several are equally little used.
    Each run draws an order of its cells for each text from a generator of its own.
    """
    texts, cells = len(validation.instances), network.config.num_cells
    order = torch.zeros(network.num_models, texts, cells)
    for own, seed, capacity in zip(order, seeds, network.capacity.tolist(), strict=True):
        own[:, :capacity] = torch.rand(texts, capacity, generator=torch.Generator().manual_seed(seed))
    total = np.zeros((network.num_models, cells))
    for _, gates in CorpusReader(network, validation.batcher).gates(order.to(validation.batcher.device)):
        total += gates.overwrite_prob.sum((1, 2), dtype=torch.float64).cpu().numpy()
    return total


def validation_curves(metrics: Path, epochs: Sequence[int]) -> list[list[float]]:
    """The validation F1 of every epoch of each run, from the metrics of its group's training.

    ``epochs`` are those that each run had: one that has stopped may stay in the batch.
    """
    curves: list[list[float]] = [[] for _ in epochs]
    for line in metrics.read_text(encoding="utf-8").splitlines():
        report = json.loads(line)
        for place, f1 in zip(report["models"], report["validation_f1"], strict=True):
            curves[place].append(round(f1, 2))
    return [curve[:count] for curve, count in zip(curves, epochs, strict=True)]
