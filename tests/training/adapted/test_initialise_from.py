"""A recipe with initialise_from: training begins with the weights of a model of the same shape."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from gap_corpus import write_gap_corpus
from tiny import TINY_RECIPE

from petra.config import DistillationConfig, EncoderConfig, RunConfig
from petra.errors import ConfigError
from petra.trained import load_trained
from petra.training.adapted.training import Epoch
from petra.training.objective import Hooks
from petra.training.references import check_initialise_from
from petra.training.run import run_recipe

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_gap_corpus(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def recipe(tiny_encoder: Path) -> RunConfig:
    return replace(TINY_RECIPE, encoder=EncoderConfig(name=str(tiny_encoder), layers=(1, 3), window=20, margin=4))


@pytest.fixture(scope="module")
def start(corpora: Path, recipe: RunConfig, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a trained model."""
    folder = tmp_path_factory.mktemp("start")
    run_recipe(recipe, corpora, folder, device=CPU)
    return folder / "seed-1"


def test_training_begins_with_what_the_other_model_learned(
    corpora: Path, recipe: RunConfig, start: Path, tmp_path: Path
) -> None:
    # Another seed, and rates so small that nothing changes: memory, span head and adapter are the other's.
    slow = replace(recipe.training, learning_rate=1e-12, min_learning_rate=1e-12)
    slowly = replace(recipe, seeds=(2,), training=slow, adapter=replace(recipe.adapter, learning_rate=1e-12))
    run_recipe(replace(slowly, initialise_from=str(start)), corpora, tmp_path / "on", device=CPU)
    run_recipe(slowly, corpora, tmp_path / "anew", device=CPU)
    other, on, anew = (load_trained(it) for it in (start, tmp_path / "on/seed-2", tmp_path / "anew/seed-2"))
    assert on.weights.keys() == other.weights.keys()
    for name, weight in other.weights.items():
        assert torch.equal(on.weights[name], weight), name
    assert any(not torch.equal(anew.weights[name], weight) for name, weight in other.weights.items())
    assert on.config.initialise_from == str(start)


def test_losses_go_on_falling(corpora: Path, recipe: RunConfig, start: Path, tmp_path: Path) -> None:
    longer = replace(
        recipe, initialise_from=str(start), training=replace(recipe.training, max_epochs=3, learning_rate=5e-3)
    )
    epochs = list[Epoch]()
    run_recipe(longer, corpora, tmp_path, device=CPU, hooks=Hooks(on_epoch=epochs.append))
    assert epochs[-1].losses["gap"] < epochs[0].losses["gap"]


def test_a_model_of_another_shape_is_refused(recipe: RunConfig) -> None:
    check_initialise_from(recipe, recipe)
    with pytest.raises(
        ConfigError, match=r"adapter.rank is 2, but 4 in the model of initialise_from. Make them the same."
    ):
        check_initialise_from(recipe, replace(recipe, adapter=replace(recipe.adapter, rank=4)))
    with pytest.raises(ConfigError, match=r"encoder.layers is \(1, 3\), but \(3,\)"):
        check_initialise_from(recipe, replace(recipe, encoder=replace(recipe.encoder, layers=(3,))))


def test_initialise_from_is_for_adapted_models_without_a_teacher(recipe: RunConfig) -> None:
    with pytest.raises(ConfigError, match="only a model with an adapter can begin with"):
        RunConfig(initialise_from="base")
    with pytest.raises(ConfigError, match="leave one of them out"):
        replace(recipe, initialise_from="base", distillation=DistillationConfig(teacher="base"))


def test_initialise_from_is_written_only_where_it_is_set(recipe: RunConfig) -> None:
    assert "initialise_from" not in recipe.to_toml()
    going_on = replace(recipe, initialise_from="base")
    assert RunConfig.from_toml(going_on.to_toml()) == going_on
