"""Damage to a model or its encoder is told with advice, and never ends as a text without people."""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from tiny import tiny_span_model
from torch import Tensor

import petra
from petra import ConfigError, ModelError
from petra.config import MOST_CELLS, RunConfig
from petra.trained import load_trained, save_trained

TEXT = "Amelia Shepherd met Paul. She told him that Lena saw his sister."


@pytest.fixture
def model(tiny_model: Path, tmp_path: Path) -> Path:
    return shutil.copytree(tiny_model, tmp_path / "model")


def resaved(
    folder: Path, change: Callable[[dict[str, Tensor]], object] = lambda weights: None, **settings: Mapping[str, object]
) -> Path:
    """The model saved again with other weights or settings, digests and all."""
    found = load_trained(folder)
    weights = dict(found.weights)
    change(weights)
    config = dataclasses.replace(
        found.config,
        **{name: dataclasses.replace(getattr(found.config, name), **values) for name, values in settings.items()},
    )
    changed = dataclasses.replace(found, weights=weights, config=config)
    with suppress(ModelError):  # it is loaded again at the end
        save_trained(folder, changed)
    return folder


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_weights_that_are_no_numbers_are_refused(model: Path, value: float) -> None:
    resaved(model, lambda weights: weights["mention_out"].fill_(value))
    with pytest.raises(ModelError, match=r"no finite numbers: 1 of \d+ tensors, the first is mention_out\. .*train it"):
        petra.load(model)


def test_a_changed_recipe_is_refused(model: Path) -> None:
    config = model / "config.toml"
    config.write_text(config.read_text(encoding="utf-8").replace("margin = 4", "margin = 5"), encoding="utf-8")
    with pytest.raises(ModelError, match=r"config\.toml was changed: its digest is not the one in record\.json"):
        petra.load(model)
    config.write_bytes(config.read_bytes().replace(b"margin = 5", b"margin = 4").replace(b"\n", b"\r\n"))
    assert petra.load(model).track(TEXT).people  # other ends of lines are no change
    record = json.loads((model / "record.json").read_text(encoding="utf-8"))
    del record["config_sha256"]  # as older models have it
    (model / "record.json").write_text(json.dumps(record), encoding="utf-8")
    assert petra.load(model).track(TEXT).people


def test_every_model_that_comes_with_petra_has_the_digest_of_its_recipe() -> None:
    from petra.trained import model_folder, read_record, shipped_models

    for name in shipped_models():
        assert read_record(model_folder(name))["config_sha256"]
        load_trained(name)


def test_an_adapter_of_another_rank_is_refused(model: Path) -> None:
    def adapt(weights: dict[str, Tensor]) -> None:
        weights["adapter.encoder.layer.0.output.dense.a"] = torch.zeros(2, 32)
        weights["adapter.encoder.layer.0.output.dense.b"] = torch.zeros(16, 2)

    resaved(model, adapt)  # whose configuration has rank 0: no adapter
    with pytest.raises(ModelError, match=r"adapter is of rank 2; its configuration says adapter\.rank = 0"):
        petra.load(model)


@pytest.mark.parametrize("settings", [{"hidden_size": 90_000}, {"mlp_size": 90_000}])
def test_sizes_other_than_those_of_the_weights_are_refused_before_memory_is_filled(
    model: Path, settings: dict[str, int]
) -> None:
    resaved(model, memory=settings)
    with pytest.raises(ModelError, match="do not fit its configuration"):
        petra.load(model)


def test_a_span_head_of_another_size_is_refused(tiny_encoder: Path, tmp_path: Path) -> None:
    folder = tiny_span_model(tmp_path / "spans", tiny_encoder)
    resaved(folder, spans={"size": 90_000})
    with pytest.raises(ModelError, match=r"span head has weights for \(6, 8\); .* says .* \(6, 90000\)"):
        petra.load(folder)


@pytest.mark.parametrize(
    ("table", "setting", "value"),
    [
        ("memory", "num_cells", "1000000000000"),
        ("memory", "hidden_size", "1000000000000"),
        ("memory", "usage_decay", "nan"),
        ("encoder", "window", "1000000000000"),
        ("encoder", "layers", "[1000000000000]"),
        ("adapter", "rank", "1000000000000"),
        ("adapter", "alpha", "inf"),
        ("spans", "max_width", "1000000000000"),
        ("spans", "size", "1000000000000"),
        ("memory", "num_cells", "9" * 5000),
        ("memory", "num_cells", "0x" + "f" * 50_000),
        ("training", "dropout", "1e999"),
        ("memory", "num_cells", "[" * 50_000 + "]" * 50_000),
    ],
)
def test_nonsense_sizes_in_a_recipe_are_told(table: str, setting: str, value: str) -> None:
    with pytest.raises(ConfigError) as told:
        RunConfig.from_toml(f"[{table}]\n{setting} = {value}\n")
    assert len(str(told.value)) < 300


def test_more_cells_than_fit_into_memory_are_refused(tiny_tracker: petra.Tracker) -> None:
    with pytest.raises(ConfigError, match=f"choose 1 or more, up to {MOST_CELLS:,}"):
        tiny_tracker.track(TEXT, cells=10**12)


@pytest.mark.parametrize("content", ["[" * 100_000, '{"schema": ' + "9" * 5000 + "}"])
def test_a_record_that_is_nested_too_deeply_or_has_endless_numbers_is_told(model: Path, content: str) -> None:
    (model / "record.json").write_text(content, encoding="utf-8")
    with pytest.raises(ModelError, match="cannot be read as the record of a model"):
        petra.load(model)


def encoder_with(tiny_encoder: Path, folder: Path, change: Callable[[dict[str, Tensor]], object]) -> Path:
    shutil.copytree(tiny_encoder, folder)
    weights = load_file(folder / "model.safetensors")
    change(weights)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def test_an_encoder_with_weights_that_are_no_numbers_is_refused(
    tiny_encoder: Path, model: Path, tmp_path: Path
) -> None:
    name = "encoder.layer.1.output.dense.weight"
    broken = encoder_with(tiny_encoder, tmp_path / "encoder", lambda weights: weights[name][3, 4].fill_(float("nan")))
    resaved(model, encoder={"name": str(broken)})
    with pytest.raises(ModelError, match=rf"are damaged: 1 tensors hold what is no finite number, the first is {name}"):
        petra.load(model)


def test_features_that_are_no_numbers_are_refused(tiny_encoder: Path, model: Path, tmp_path: Path) -> None:
    def overflow(weights: dict[str, Tensor]) -> None:
        for name, value in weights.items():
            if name.endswith("output.LayerNorm.weight"):
                value.fill_(3e38)

    resaved(model, encoder={"name": str(encoder_with(tiny_encoder, tmp_path / "encoder", overflow))})
    tracker = petra.load(model)
    with pytest.raises(ModelError, match=r"features that are no finite numbers.*petra models get"):
        tracker.track(TEXT)
    with pytest.raises(ModelError, match="features that are no finite numbers"):
        list(tracker.track_many([TEXT, TEXT]))
    with pytest.raises(ModelError, match="features that are no finite numbers"), tracker.stream() as stream:
        stream.feed(TEXT)
