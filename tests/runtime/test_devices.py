from __future__ import annotations

import pytest
import torch

from petra.errors import ConfigError
from petra.runtime.devices import choose_device


def have_gpus(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: count > 0)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: count)


@pytest.mark.parametrize(("gpus", "best"), [(0, "cpu"), (1, "cuda")])
def test_the_best_there_is(gpus: int, best: str, monkeypatch: pytest.MonkeyPatch) -> None:
    have_gpus(gpus, monkeypatch)
    assert choose_device(None) == torch.device(best)


def test_the_one_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    have_gpus(2, monkeypatch)
    assert choose_device("cpu") == torch.device("cpu")
    assert choose_device("cuda") == torch.device("cuda")
    assert choose_device("cuda:1") == torch.device("cuda", 1)


@pytest.mark.parametrize("name", ["cuda", "cuda:2"])
def test_a_gpu_that_is_not_there(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    have_gpus(0 if name == "cuda" else 2, monkeypatch)
    with pytest.raises(ConfigError, match=rf"{name} is not there: PyTorch sees \d GPUs\. Choose --device cpu\."):
        choose_device(name)


@pytest.mark.parametrize("name", ["abacus", "", "meta", "cuda:x", "cuda:-1"])
def test_what_is_no_device(name: str) -> None:
    with pytest.raises(ConfigError, match=f"No device named '{name}'. Choose cpu, cuda, or cuda:1"):
        choose_device(name)
