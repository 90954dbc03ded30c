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
from petra.study.making import PAPER_MODELS
from petra.trained import load_trained, model_folder, shipped_models


@pytest.mark.parametrize("name", shipped_models())
def test_a_shipped_model_is_what_its_record_says(name: str) -> None:
    folder, model = model_folder(name), load_trained(name)
    assert model.name == name
    weights = (folder / "model.safetensors").read_bytes()
    assert hashlib.sha256(weights).hexdigest() == model.record["sha256"]
    assert model.record.keys() >= {"recipe", "data", "seed", "licence", "validation_f1", "test_f1"}


def test_both_models_of_the_papers_human_evaluation_are_shipped() -> None:
    assert set(PAPER_MODELS) <= set(shipped_models())
    assert [load_trained(name).config.memory.variant for name in PAPER_MODELS] == ["vanilla", "referential-reader"]
    assert {load_trained(name).config.memory.num_cells for name in PAPER_MODELS} == {8}


@pytest.mark.parametrize("name", ["base", "small"])
def test_the_result_of_a_model_is_that_of_its_record(name: str) -> None:
    result = json.loads((Path(__file__).parents[1] / f"results/gap-{name}.json").read_text(encoding="utf-8"))
    (run,) = result["runs"]
    record = load_trained(name).record
    assert {key: record[key] for key in run if key in record} == {key: run[key] for key in run if key in record}
    assert run.keys() >= {"seed", "validation_f1", "test_f1", "masculine_f1", "feminine_f1", "count_error_best"}


def test_the_default_model_resolves_pronouns(data: Path) -> None:
    need_encoder("mpnet-base")
    instances = read_gap(data, "validation")[:60]
    logs = petra.load(device="cpu").logs([instance.text for instance in instances])
    _, links = link_probabilities(logs, instances)
    score = score_gap(decide(links, load_trained().threshold), instances)
    assert score.overall.f1 == pytest.approx(88.1, abs=1.0)  # 52 of 59 links found, 7 wrong ones
