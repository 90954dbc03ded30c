"""The record of a shipped model."""

from __future__ import annotations

from pathlib import Path

from tiny import tiny_span_model

from petra.evaluation.model_record import result_of
from petra.trained import load_trained


def test_a_result_has_what_was_measured_and_the_recipe(tiny_encoder: Path, tmp_path: Path) -> None:
    model = load_trained(tiny_span_model(tmp_path / "model", tiny_encoder))
    record = {**model.record, "seed": 5, "test_f1": 80.5, "note": "One seed."}
    result = result_of(record, tmp_path / "model", hardware="a CPU", command="measure")
    assert (result["schema"], result["model"], result["cells"]) == ("petra.result/1", model.name, 4)
    assert result["recipe"] == model.config.to_toml()
    (run,) = result["runs"]
    assert (run["seed"], run["test_f1"], result["mean_test_f1"]) == (5, 80.5, 80.5)
    assert (run["epochs"], run["seconds"]) == (model.config.training.max_epochs, None)
    assert run.keys().isdisjoint(["sha256", "config_sha256", "name", "note"])
    assert (result["hardware"], result["command"], result["note"]) == ("a CPU", "measure", "One seed.")
