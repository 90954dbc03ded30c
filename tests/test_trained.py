from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
import torch
from full_disk import fill_disk
from torch import Tensor

from petra import trained
from petra.config import MemoryConfig, RunConfig
from petra.errors import ModelError, PetraError
from petra.memory.network import Network
from petra.trained import ReadingRecord, TrainedModel, load_trained, model_folder, save_trained, shipped_models

CONFIG = RunConfig(name="tiny", seeds=(3,), memory=MemoryConfig(num_cells=2, hidden_size=4, mlp_size=4))


def weights_of(seed: int = 3) -> dict[str, Tensor]:
    return {name: value.detach() for name, value in Network(CONFIG.memory, 5, seeds=(seed,)).named_parameters()}


@pytest.fixture
def model() -> TrainedModel:
    record = {"threshold": 0.25, "seed": 3, "validation_f1": 79.5}
    return TrainedModel(name="tiny-3", config=CONFIG, record=record, weights=weights_of())


@pytest.fixture
def folder(tmp_path: Path, model: TrainedModel) -> Path:
    save_trained(tmp_path / "tiny", model)
    return tmp_path / "tiny"


def change_record(folder: Path, **changed: object) -> None:
    path = folder / "record.json"
    record = {**json.loads(path.read_text(encoding="utf-8")), **changed}
    path.write_text(json.dumps({name: value for name, value in record.items() if value is not None}), encoding="utf-8")


def test_a_model_comes_back_rounded_to_half_precision(folder: Path, model: TrainedModel) -> None:
    found = load_trained(folder)
    assert (found.name, found.config, found.threshold) == ("tiny-3", CONFIG, 0.25)
    assert (found.record["seed"], found.record["validation_f1"]) == (3, 79.5)
    assert found.weights.keys() == model.weights.keys()
    for name, value in model.weights.items():
        assert found.weights[name].dtype == torch.float32
        assert torch.equal(found.weights[name], value.half().float())


def test_saving_returns_what_loading_will(tmp_path: Path, model: TrainedModel) -> None:
    saved, loaded = save_trained(tmp_path / "tiny", model), load_trained(tmp_path / "tiny")
    assert saved.record == loaded.record
    assert all(torch.equal(value, loaded.weights[name]) for name, value in saved.weights.items())


def test_a_model_can_be_kept_again_under_another_name(folder: Path, tmp_path: Path) -> None:
    renamed = dataclasses.replace(load_trained(folder), name="best", weights=weights_of(seed=4))
    found = save_trained(tmp_path / "other", renamed)
    assert (found.name, found.record["name"], found.record["seed"]) == ("best", "best", 3)
    assert list(found.record)[:2] == ["schema", "name"]


def test_a_folder_holds_three_files_and_nothing_to_execute(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == ["config.toml", "model.safetensors", "record.json"]


def test_damaged_weights_are_told(folder: Path) -> None:
    content = bytearray((folder / "model.safetensors").read_bytes())
    content[-1] ^= 1
    (folder / "model.safetensors").write_bytes(content)
    with pytest.raises(ModelError, match=r"model\.safetensors is damaged: its digest is not the one in record\.json"):
        load_trained(folder)


def test_missing_weights_are_told(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    with pytest.raises(ModelError, match=r"model\.safetensors cannot be read as weights"):
        load_trained(folder)


def test_a_file_of_something_else_is_told_though_its_digest_be_right(folder: Path) -> None:
    import hashlib

    (folder / "model.safetensors").write_bytes(b"something else")
    change_record(folder, sha256=hashlib.sha256(b"something else").hexdigest())
    with pytest.raises(ModelError, match="cannot be read as weights"):
        load_trained(folder)


def test_a_folder_without_a_record_holds_no_model(folder: Path) -> None:
    (folder / "record.json").unlink()
    with pytest.raises(ModelError, match=r"holds no model: record\.json is missing\. `petra train` makes such folders"):
        load_trained(folder)


@pytest.mark.parametrize("content", ["{", "[]", "null", '"words"', "{}"])
def test_a_damaged_record_is_told(folder: Path, content: str) -> None:
    (folder / "record.json").write_text(content, encoding="utf-8")
    with pytest.raises(ModelError, match=r"record\.json cannot be read as the record of a model"):
        load_trained(folder)


@pytest.mark.parametrize(
    "changed", [{"schema": "petra.model/9"}, {"threshold": None}, {"name": None}, {"sha256": None}]
)
def test_the_record_of_another_version_is_told(folder: Path, changed: dict[str, object]) -> None:
    change_record(folder, **changed)
    with pytest.raises(ModelError, match=r"is not the record of a model of this version \(petra\.model/1\)"):
        load_trained(folder)


@pytest.mark.parametrize("content", [None, "cells = 3"], ids=["missing", "wrong"])
def test_a_model_without_its_recipe_is_incomplete(folder: Path, content: str | None) -> None:
    (folder / "config.toml").unlink()
    if content is not None:
        (folder / "config.toml").write_text(content, encoding="utf-8")
    with pytest.raises(ModelError, match="is incomplete: "):
        load_trained(folder)


def test_an_unknown_name_is_told_with_the_known_ones(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trained, "_shipped", lambda: tmp_path)
    with pytest.raises(ModelError, match=r"No model named 'base-12'\. Available: tiny\. Give one of these, or"):
        load_trained("base-12")


def test_a_shipped_model_is_found_by_its_name(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trained, "_shipped", lambda: tmp_path)
    assert shipped_models() == ("tiny",)
    assert model_folder("tiny") == folder
    assert load_trained("tiny").name == "tiny-3"
    monkeypatch.setattr(trained, "DEFAULT", "tiny")
    assert load_trained().name == "tiny-3"


def test_the_threshold_for_people_is_a_half_unless_the_record_has_one(folder: Path) -> None:
    assert load_trained(folder).people_threshold == 0.5
    change_record(folder, people_threshold=0.75)
    assert load_trained(folder).people_threshold == 0.75


@pytest.mark.parametrize("changed", [{"threshold": "high"}, {"threshold": 2}, {"people_threshold": -1}])
def test_a_threshold_that_is_no_probability_is_told(folder: Path, changed: dict[str, object]) -> None:
    change_record(folder, **changed)
    with pytest.raises(ModelError, match=r"is not the record of a model of this version"):
        load_trained(folder)


def test_a_package_without_models_ships_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trained, "_shipped", lambda: tmp_path / "nowhere")
    assert shipped_models() == ()
    with pytest.raises(ModelError, match="Available: none"):
        load_trained()


def test_a_full_disk_leaves_the_model_before(
    folder: Path, model: TrainedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill_disk(monkeypatch)
    with pytest.raises(PetraError, match="No space left on device"):
        save_trained(folder, dataclasses.replace(model, weights=weights_of(seed=4)))
    monkeypatch.undo()
    found = load_trained(folder)
    assert torch.equal(found.weights["update"], model.weights["update"].half().float())


def write_backends(folder: Path, **changed: object) -> None:
    digest = json.loads((folder / "record.json").read_text(encoding="utf-8"))["sha256"]
    record = {
        "schema": "petra.backends/1",
        "sha256": digest,
        "window": 100,
        "margin": 10,
        "reference": {"scores": {"gap_validation_f1": 80.0, "litbank_validation_conll": 70.0}},
        "backends": {
            "torch": {"scores": {"gap_validation_f1": 80.0, "litbank_validation_conll": 69.7}},
            "onnx": {"scores": {"gap_validation_f1": 79.6, "litbank_validation_conll": 75.0}},
        },
    }
    (folder / "backends.json").write_text(json.dumps({**record, **changed}), encoding="utf-8")


def test_a_back_end_that_loses_too_much_is_not_safe(folder: Path) -> None:
    assert load_trained(folder).reading == ReadingRecord()  # nothing is recorded
    write_backends(folder)
    assert load_trained(folder).reading == ReadingRecord(safe_backends=("torch",), window=100, margin=10)


def test_a_back_end_without_all_scores_is_refused(folder: Path) -> None:
    write_backends(folder, backends={"onnx": {"scores": {"gap_validation_f1": 80.0}}})
    with pytest.raises(ModelError, match="cannot be read as the record of back ends"):
        load_trained(folder)


def test_back_ends_measured_with_other_weights_do_not_count(folder: Path) -> None:
    write_backends(folder, sha256="0" * 64)
    assert load_trained(folder).reading == ReadingRecord()


@pytest.mark.parametrize("name", ["base", "small"])
def test_the_back_ends_of_a_shipped_model_are_recorded(name: str) -> None:
    reading = load_trained(name).reading
    assert {"torch", "torch-bf16", "openvino-bf16"} <= set(reading.safe_backends)
