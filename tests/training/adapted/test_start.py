"""A recipe that goes on from a model: it begins with what that one has learned, and wants it of the same shape."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from gap_corpus import write_gap_corpus
from tiny import TINY_RECIPE

from petra.config import EncoderConfig, ImitationConfig, RunConfig
from petra.errors import ConfigError
from petra.trained import load_trained
from petra.training.adapted.alike import check_start
from petra.training.adapted.run import Epoch, carry_out

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_gap_corpus(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def recipe(tiny_encoder: Path) -> RunConfig:
    return replace(TINY_RECIPE, encoder=EncoderConfig(name=str(tiny_encoder), layers=(1, 3), window=20, margin=4))


@pytest.fixture(scope="module")
def start(corpora: Path, recipe: RunConfig, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a model to go on from."""
    folder = tmp_path_factory.mktemp("start")
    carry_out(recipe, corpora, folder, device=CPU, on_epoch=lambda _: None)
    return folder / "seed-1"


def test_training_begins_with_what_the_other_model_learned(
    corpora: Path, recipe: RunConfig, start: Path, tmp_path: Path
) -> None:
    # Another seed, and rates so small that nothing changes: memory, span head and adapter are the other's.
    slow = replace(recipe.training, learning_rate=1e-12, min_learning_rate=1e-12)
    slowly = replace(recipe, seeds=(2,), training=slow, adapter=replace(recipe.adapter, learning_rate=1e-12))
    carry_out(replace(slowly, start=str(start)), corpora, tmp_path / "on", device=CPU, on_epoch=lambda _: None)
    carry_out(slowly, corpora, tmp_path / "anew", device=CPU, on_epoch=lambda _: None)
    other, on, anew = (load_trained(it) for it in (start, tmp_path / "on/seed-2", tmp_path / "anew/seed-2"))
    assert on.weights.keys() == other.weights.keys()
    for name, weight in other.weights.items():
        assert torch.equal(on.weights[name], weight), name
    assert any(not torch.equal(anew.weights[name], weight) for name, weight in other.weights.items())
    assert on.config.start == str(start)


def test_losses_go_on_falling(corpora: Path, recipe: RunConfig, start: Path, tmp_path: Path) -> None:
    longer = replace(recipe, start=str(start), training=replace(recipe.training, max_epochs=3, learning_rate=5e-3))
    told = list[Epoch]()
    carry_out(longer, corpora, tmp_path, device=CPU, on_epoch=told.append)
    assert told[-1].losses["gap"] < told[0].losses["gap"]


def test_a_model_of_another_shape_is_no_start(recipe: RunConfig) -> None:
    check_start(recipe, recipe)
    with pytest.raises(ConfigError, match=r"adapter.rank is 2, but 4 in the model to start from. Make them the same."):
        check_start(recipe, replace(recipe, adapter=replace(recipe.adapter, rank=4)))
    with pytest.raises(ConfigError, match=r"encoder.layers is \(1, 3\), but \(3,\)"):
        check_start(recipe, replace(recipe, encoder=replace(recipe.encoder, layers=(3,))))


def test_a_start_is_of_adapted_models_and_of_no_imitator(recipe: RunConfig) -> None:
    with pytest.raises(ConfigError, match="only a model with an adapter can go on from another"):
        RunConfig(start="base")
    with pytest.raises(ConfigError, match="leave one of them out"):
        replace(recipe, start="base", imitation=ImitationConfig(model="base"))


def test_a_start_is_written_only_where_there_is_one(recipe: RunConfig) -> None:
    assert "start" not in recipe.to_toml()
    going_on = replace(recipe, start="base")
    assert RunConfig.from_toml(going_on.to_toml()) == going_on
