"""A checkpoint written in the background holds the state as it was, and failures come to light."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from full_disk import fill_disk
from tiny_corpus import tiny_corpus, tiny_learner, tiny_recipe
from torch import Tensor

from petra.errors import PetraError
from petra.training.background import Background
from petra.training.checkpoint import load_checkpoint, save_checkpoint
from petra.training.frozen.side_by_side import SideBySide
from petra.training.learner import Learner

CONFIG = tiny_recipe()
CORPUS = tiny_corpus(16, seed=0)


def training_of(learner: Learner, epoch: int = 0) -> SideBySide:
    training = SideBySide(learner, CORPUS.batcher(16), CORPUS.gold)
    training.standing = replace(training.standing, epoch=epoch)
    return training


def test_what_is_written_is_the_state_as_it_was() -> None:
    seen: list[Tensor] = []
    go_on = threading.Event()
    value = torch.zeros(3)

    def writer(tensors: Mapping[str, Tensor]) -> None:
        go_on.wait(10)
        seen.append(tensors["a"].clone())

    with Background() as background:
        background.write({"a": value}, writer)
        value += 1
        go_on.set()
        background.write({"a": value}, writer)  # waits for the first
        value += 1
    assert [tensor.tolist() for tensor in seen] == [[0, 0, 0], [1, 1, 1]]


def test_shapes_may_change() -> None:
    seen: list[tuple[int, ...]] = []

    def writer(tensors: Mapping[str, Tensor]) -> None:
        seen.append(tuple(tensor.numel() for tensor in tensors.values()))

    with Background() as background:
        background.write({"a": torch.zeros(3), "b": torch.zeros(2)}, writer)
        background.write({"a": torch.zeros(1)}, writer)
    assert seen == [(3, 2), (1,)]


def test_what_goes_wrong_is_raised_by_the_next_file_and_at_the_end() -> None:
    def failing(tensors: Mapping[str, Tensor]) -> None:
        raise PetraError("no room")

    with pytest.raises(PetraError, match="no room"), Background() as background:
        background.write({}, failing)
    with Background() as background:
        background.write({}, failing)
        with pytest.raises(PetraError, match="no room"):
            background.write({}, failing)


def test_a_checkpoint_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.safetensors"
    learner = tiny_learner(CONFIG, CORPUS)
    [batch] = CORPUS.batcher(16).training(epoch=0, seed=0)
    rates = torch.tensor([1e-2, 1e-2])
    with Background() as background:
        learner.step(batch, 1.0, rates)
        save_checkpoint(path, CONFIG, training_of(learner, 1), background)
        expected = learner.step(batch, 1.0, rates)  # while the file may still be written
    other = tiny_learner(CONFIG, CORPUS)
    training = training_of(other)
    load_checkpoint(path, CONFIG, training)
    assert training.epoch == 1
    assert torch.equal(other.step(batch, 1.0, rates), expected)


def test_a_full_disk_leaves_the_checkpoint_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "checkpoint.safetensors"
    learner = tiny_learner(CONFIG, CORPUS)
    save_checkpoint(path, CONFIG, training_of(learner, 1))
    before = path.read_bytes()
    fill_disk(monkeypatch)
    with pytest.raises(PetraError, match="No space left on device"), Background() as background:
        save_checkpoint(path, CONFIG, training_of(learner, 2), background)
    assert path.read_bytes() == before
