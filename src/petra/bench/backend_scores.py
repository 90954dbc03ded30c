"""What each back end of the encoder costs in exactness: the scores of a model, computed by each of them.

They are kept beside the model as ``backends.json``, from which ``--backend auto`` knows
what is safe (``petra.trained.read_backends``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from petra.encoder.backends.choosing import REFERENCE
from petra.evaluation.litbank import evaluate_litbank
from petra.evaluation.runs import evaluate_gap
from petra.runtime.progress import Report, silent
from petra.tracker import Tracker, tracker_of
from petra.trained import BACKENDS_SCHEMA, ReadingRecord, TrainedModel

NOTE = (
    "GAP validation F1 in the log of mentions and LitBank validation CoNLL (fold 0), as `petra evaluate backends` "
    "measures them. On the ten documents of LitBank, CoNLL moves by up to a point with any change of windows; mention "
    "F1 hardly moves."
)


def measure_backends(
    model: TrainedModel,
    data: Path,
    *,
    backends: Sequence[str],
    windows: tuple[int, int] | None = None,
    report: Report = silent,
) -> dict[str, Any]:
    """Score a model by each back end, and by PyTorch in float32 with the windows of training as the reference.

    ``windows`` are the size and the margin that texts are read with; those of training
    unless given. The result is the content of ``backends.json``.
    """
    trained = (model.config.encoder.window, model.config.encoder.margin)
    window, margin = windows or trained
    reference = (REFERENCE, *trained)
    asked = dict.fromkeys([reference, *((name, window, margin) for name in backends)])
    measured: dict[tuple[str, int, int], dict[str, float]] = {}
    for done, (name, size, edge) in enumerate(asked):
        report(done, len(asked))
        reading = replace(model, reading=ReadingRecord(window=size, margin=edge))
        measured[name, size, edge] = _scores(tracker_of(reading, backend=name), data)
    report(len(asked), len(asked))
    return {
        "schema": BACKENDS_SCHEMA,
        "sha256": model.record["sha256"],
        "window": window,
        "margin": margin,
        "reference": {
            "backend": REFERENCE,
            "window": trained[0],
            "margin": trained[1],
            "scores": measured[reference],
        },
        "backends": {name: {"scores": measured[name, window, margin]} for name in backends},
        "note": NOTE,
    }


def with_earlier(found: Mapping[str, Any], earlier: Mapping[str, Any]) -> dict[str, Any]:
    """A record with the back ends of an earlier one that were not measured again, if weights and windows are the same.

    No machine can use all back ends, so that a model's record is made on several.
    """
    if any(found[name] != earlier.get(name) for name in ("schema", "sha256", "window", "margin")):
        return dict(found)
    return {**found, "backends": {**earlier["backends"], **found["backends"]}}


def _scores(tracker: Tracker, data: Path) -> dict[str, float]:
    return {
        "gap_validation_f1": round(evaluate_gap(tracker, data, "validation", by_mention=True).score.overall.f1, 2),
        "litbank_validation_conll": round(evaluate_litbank(tracker, data, "validation").score.conll, 2),
    }
