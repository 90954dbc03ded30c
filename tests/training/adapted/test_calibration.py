"""Calibration: what reading needs besides what was learned, chosen by what comes out."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from adapted_corpora import write_adapted_corpora
from tiny import tiny_span_model

from petra.evaluation.coreference import CoreferenceScore, Rates
from petra.trained import load_trained
from petra.training.adapted import calibration
from petra.training.adapted.calibration import SPAN_THRESHOLDS, calibrate


def test_what_gains_enough_is_kept(tiny_encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = load_trained(tiny_span_model(tmp_path / "model", tiny_encoder))
    data = write_adapted_corpora(tmp_path / "data")
    # The second threshold is best, then a shift of nominals; those of names and pronouns gain nothing.
    scores = iter([50.0, 60.0, 59.0, 58.0, 60.1, 61.0, 61.1, 61.2, 60.0, 61.0, 61.0])

    def scored(*_: object) -> CoreferenceScore:
        rates = Rates(precision=0.0, recall=0.0, f1=next(scores))
        return CoreferenceScore(muc=rates, b_cubed=rates, ceaf_e=rates, lea=rates, mentions=rates, documents=1)

    by_span: list[CoreferenceScore] = []

    def first(*_: object) -> CoreferenceScore:
        by_span.append(scored())
        return by_span[-1]

    monkeypatch.setattr(calibration, "score_people", first)
    monkeypatch.setattr(calibration, "score_people_by_head", lambda *_: by_span[-1])
    tried: list[tuple[int, int]] = []
    found = calibrate(model, data, report=lambda done, whole: tried.append((done, whole)))
    assert tried == [(count, 11) for count in range(1, 12)]
    assert found.record["people_threshold"] == SPAN_THRESHOLDS[1]
    assert found.record["new_person_shifts"] == {"new_nominal": 2.0, "apposition": 0.0}
    assert (found.record["litbank_validation_conll"], found.record["gum_dev_conll"]) == (61.0, 61.0)
    before = calibration.tracker_of(model).linking_weights
    assert torch.isclose(found.weights["linking.new_nominal"], torch.tensor(before["new_nominal"] + 2.0))
    assert torch.isclose(found.weights["linking.new_name"], torch.tensor(before["new_name"]))
