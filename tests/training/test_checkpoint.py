from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from full_disk import fill_disk
from safetensors import safe_open
from safetensors.torch import save_file
from tiny_corpus import TinyCorpus, tiny_corpus, tiny_learner, tiny_recipe
from torch import Tensor

from petra.config import RunConfig
from petra.errors import ModelError, PetraError
from petra.training.checkpoint import load_checkpoint, save_checkpoint
from petra.training.frozen.side_by_side import SideBySide, Standing
from petra.training.learner import Learner
from petra.training.schedule import Schedule

CONFIG = tiny_recipe()
RATES = torch.tensor([1e-2, 3e-3])


@pytest.fixture
def corpus() -> TinyCorpus:
    return tiny_corpus(16, seed=0)


@pytest.fixture
def learner(corpus: TinyCorpus) -> Learner:
    """A learner that has learnt a little."""
    learner = tiny_learner(CONFIG, corpus)
    take_steps(learner, 2)
    return learner


@pytest.fixture
def path(tmp_path: Path, learner: Learner) -> Path:
    """A checkpoint of that learner."""
    save_checkpoint(tmp_path / "checkpoint.safetensors", CONFIG, training_of(learner))
    return tmp_path / "checkpoint.safetensors"


def training_of(learner: Learner) -> SideBySide:
    """The training of a learner that has come some way."""
    training = SideBySide(learner, learner.batcher, np.zeros((16, 2), dtype=np.bool_))
    training.standing = state_of(learner)
    return training


def load(path: Path, config: RunConfig, learner: Learner) -> Standing:
    """How far the training in a checkpoint has come; the learner is set to its state."""
    training = SideBySide(learner, learner.batcher, np.zeros((16, 2), dtype=np.bool_))
    load_checkpoint(path, config, training)
    return training.standing


def take_steps(learner: Learner, count: int) -> Tensor:
    """The losses of some steps, (count, E)."""
    [batch] = learner.batcher.training(epoch=0, seed=0)
    return torch.stack([learner.step(batch, 1.0, RATES) for _ in range(count)])


def state_of(learner: Learner) -> Standing:
    return Standing(
        epoch=4,
        seconds=1.25,
        schedules=(Schedule(learning_rate=1e-3, best_f1=70.25, stale=2), Schedule(learning_rate=1e-4, stopped=True)),
        best={name: value.detach() + 1 for name, value in learner.network.named_parameters()},
    )


def rewrite(path: Path, *, drop: str = "", **changed: str) -> None:
    """Write the checkpoint again without a tensor, or with other entries in its header."""
    with safe_open(path, framework="pt") as file:
        header = {**file.metadata(), **changed}
        tensors = {name: file.get_tensor(name).clone() for name in file.keys() if name != drop}  # noqa: SIM118
    save_file(tensors, path, metadata=header)


def test_everything_comes_back(path: Path, learner: Learner, corpus: TinyCorpus) -> None:
    other = tiny_learner(CONFIG, corpus)
    found = load(path, CONFIG, other)
    expected = state_of(learner)
    assert (found.epoch, found.seconds, found.schedules) == (expected.epoch, expected.seconds, expected.schedules)
    assert found.best.keys() == expected.best.keys()
    for name, value in expected.best.items():
        assert torch.equal(found.best[name], value)
    # The learners go on alike, so their parameters, moments and random numbers are the same.
    assert torch.equal(take_steps(other, 3), take_steps(learner, 3))
    for one, two in zip(other.network.parameters(), learner.network.parameters(), strict=True):
        assert torch.equal(one, two)


@pytest.mark.parametrize(
    "config", [tiny_recipe(max_epochs=9), tiny_recipe(seeds=(1, 3)), replace(CONFIG, name="another")]
)
def test_of_another_recipe_is_refused(path: Path, learner: Learner, config: object) -> None:
    assert isinstance(config, type(CONFIG))
    with pytest.raises(ModelError, match="made by another recipe"):
        load(path, config, learner)


def test_of_another_kind_of_device_is_refused(path: Path, learner: Learner) -> None:
    rewrite(path, device="cuda")
    with pytest.raises(ModelError, match=r"another kind of device\. Give --device cuda to --resume"):
        load(path, CONFIG, learner)


def test_of_another_version_is_refused(path: Path, learner: Learner) -> None:
    rewrite(path, schema="petra.checkpoint/1")
    with pytest.raises(ModelError, match=r"no checkpoint of this version \(petra.checkpoint/2\)"):
        load(path, CONFIG, learner)


@pytest.mark.parametrize("kept", [0, 5, 200, -1], ids=["empty", "no header", "half a header", "one byte short"])
def test_a_cut_off_file_is_refused(path: Path, learner: Learner, kept: int) -> None:
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(ModelError, match=r"cannot be read as a checkpoint .*another --out folder"):
        load(path, CONFIG, learner)


def test_any_other_file_is_refused(path: Path, learner: Learner) -> None:
    path.write_text("These are not the weights of a model.", encoding="utf-8")
    with pytest.raises(ModelError, match="cannot be read as a checkpoint"):
        load(path, CONFIG, learner)


@pytest.mark.parametrize("tensor", ["parameter.update", "best.update", "adam.steps", "generator.1"])
def test_a_lost_tensor_is_told(path: Path, learner: Learner, tensor: str) -> None:
    rewrite(path, drop=tensor)
    with pytest.raises(ModelError, match=f"is damaged.*{tensor}"):
        load(path, CONFIG, learner)


@pytest.mark.parametrize("progress", ["{", "[]", json.dumps({"epoch": 1})])
def test_lost_progress_is_told(path: Path, learner: Learner, progress: str) -> None:
    rewrite(path, progress=progress)
    with pytest.raises(ModelError, match="is damaged"):
        load(path, CONFIG, learner)


def test_of_an_encoder_with_fewer_features_is_refused(path: Path, learner: Learner) -> None:
    with safe_open(path, framework="pt") as file:
        header = file.metadata()
        tensors = {name: file.get_tensor(name).clone() for name in file.keys()}  # noqa: SIM118
    narrow = tensors["parameter.recurrent_inputs"][:, :1].contiguous()
    save_file({**tensors, "parameter.recurrent_inputs": narrow}, path, metadata=header)
    with pytest.raises(ModelError, match="the encoder is not the one it was made with"):
        load(path, CONFIG, learner)


def test_a_full_disk_leaves_the_checkpoint_before(
    path: Path, learner: Learner, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = path.read_bytes()
    take_steps(learner, 1)
    fill_disk(monkeypatch)
    with pytest.raises(PetraError, match=r"checkpoint\.safetensors cannot be written: No space left on device"):
        save_checkpoint(path, CONFIG, training_of(learner))
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]
