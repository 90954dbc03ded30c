"""Evaluations as dictionaries of the schema ``petra.evaluation/1``. Rates are in percent."""

from __future__ import annotations

from typing import Any

from petra.corpora.gap import Split
from petra.evaluation.gap_score import GapScore
from petra.evaluation.litbank import LitBankRun
from petra.evaluation.runs import CountRun, GapRun

SCHEMA = "petra.evaluation/1"


def gap_run_as_json(run: GapRun) -> dict[str, Any]:
    """What ``petra evaluate gap`` found."""
    return {
        "schema": SCHEMA,
        "model": run.model,
        "split": run.split,
        "threshold": run.threshold,
        **_measures(run.score),
        "at_most_one_f1": run.score_at_most_one.overall.f1,
    }


def gap_predictions_as_json(score: GapScore, *, source: str, split: Split) -> dict[str, Any]:
    """What ``petra evaluate predictions`` found; a file of labels has no model and no threshold."""
    return {"schema": SCHEMA, "source": source, "split": split, **_measures(score)}


def count_run_as_json(run: CountRun) -> dict[str, Any]:
    """What ``petra evaluate count`` found."""
    return {
        "schema": SCHEMA,
        "model": run.model,
        "error_best": run.score.error_best,
        "threshold_best": run.score.threshold_best,
        "error_two_fold": run.score.error_two_fold,
        "documents": run.score.documents,
    }


def litbank_run_as_json(run: LitBankRun) -> dict[str, Any]:
    """What ``petra evaluate litbank`` found: F1 of every score, then precision and recall."""
    score = run.score
    rates = {"muc": score.muc, "b_cubed": score.b_cubed, "ceaf_e": score.ceaf_e, "lea": score.lea}
    with_mentions = rates | {"mention": score.mentions}
    return {
        "schema": SCHEMA,
        "model": run.model,
        "split": run.split,
        "fold": run.fold,
        **{name: rate.f1 for name, rate in rates.items()},
        "conll": score.conll,
        "mention_f1": score.mentions.f1,
        "precision": {name: rate.precision for name, rate in with_mentions.items()},
        "recall": {name: rate.recall for name, rate in with_mentions.items()},
        "documents": score.documents,
    }


def _measures(score: GapScore) -> dict[str, Any]:
    return {
        "f1": score.overall.f1,
        "precision": score.overall.precision,
        "recall": score.overall.recall,
        "masculine_f1": score.masculine.f1,
        "feminine_f1": score.feminine.f1,
        "bias": score.bias,
        "instances": score.instances,
    }
