"""The model that comes with PeTra, with its real encoder, on real texts."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from absent import need_encoder

import petra
from petra.corpora.gap import read_gap
from petra.evaluation.gap_score import decide, score_gap
from petra.evaluation.runs import link_probabilities
from petra.trained import DEFAULT, load_trained, model_folder, shipped_models


@pytest.mark.parametrize("name", shipped_models())
def test_a_shipped_model_is_what_its_record_says(name: str) -> None:
    folder, model = model_folder(name), load_trained(name)
    assert model.name == name
    weights = (folder / "model.safetensors").read_bytes()
    assert hashlib.sha256(weights).hexdigest() == model.record["sha256"]
    assert model.record.keys() >= {"recipe", "data", "seed", "licence", "validation_f1", "test_f1"}


def test_the_default_model_is_the_best_of_its_recipe_on_validation() -> None:
    result = json.loads((Path(__file__).parents[1] / "results/gap-frozen.json").read_text(encoding="utf-8"))
    best = max(result["runs"], key=lambda run: run["validation_f1"])
    record = load_trained(DEFAULT).record
    assert {key: record[key] for key in ("seed", "threshold", "test_f1")} == {
        key: best[key] for key in ("seed", "threshold", "test_f1")
    }


def test_it_resolves_pronouns(data: Path) -> None:
    need_encoder("mpnet-base")
    instances = read_gap(data, "validation")[:60]
    links = link_probabilities(petra.load(device="cpu"), instances)
    score = score_gap(decide(links, load_trained().threshold), instances)
    assert score.overall.f1 == pytest.approx(79.7, abs=1.0)  # 53 of 59 links found, 21 wrong ones
