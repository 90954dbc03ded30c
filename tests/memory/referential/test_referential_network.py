"""The Referential Reader's loop equals the plain one: gates and gradients, padding, several models at once."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest
import torch
from referential_oracle import read as plain_read
from torch import Tensor
from torch.testing import assert_close

from petra.config import MemoryConfig
from petra.errors import ConfigError
from petra.memory.gates import Gates
from petra.memory.network import Network
from petra.memory.referential import checkpointing
from petra.memory.referential.network import ReferentialReader

CONFIG = MemoryConfig(num_cells=3, hidden_size=6, variant="referential-reader")
LENGTHS = (7, 4)  # of the two texts; the second is padded


def reader_of(capacity: tuple[int, ...] = (3, 3)) -> ReferentialReader:
    reader = ReferentialReader(CONFIG, input_size=4, seeds=(1, 2), capacity=capacity)
    with torch.no_grad():  # larger weights, so that decisions are not all alike
        for name, parameter in reader.named_parameters():
            if not name.startswith("start"):
                parameter.mul_(3)
        reader.start_hidden.uniform_(-1, 1, generator=torch.Generator().manual_seed(3))
    return reader


def inputs(reader: ReferentialReader, seed: int = 0) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    features = torch.randn(1, max(LENGTHS), 2, 4, generator=generator)
    real = torch.arange(max(LENGTHS))[:, None] < torch.tensor(LENGTHS)
    dropout = (torch.rand(2, max(LENGTHS), 2, reader.dropout_size, generator=generator) < 0.5) * 2.0
    uniform = torch.rand(2, max(LENGTHS), 2, 3, generator=generator)
    return features, real, dropout, -torch.log(-torch.log(uniform))


def total_of(gates: tuple[Tensor, ...], weights: Tensor) -> Tensor:
    """A sum that depends on every gate: e with the first cell's weights, then up, ov and s, (..., N) each."""
    e, *by_cell = gates
    return (e * weights[0, ..., 0]).sum() + sum(
        (gate * weight).sum() for gate, weight in zip(by_cell, weights[1:], strict=True)
    )


def trained(reader: ReferentialReader, weights: Tensor, tokens: int | None = None) -> tuple[Gates, tuple[Tensor, ...]]:
    """The gates of all tokens or the first few, and the gradient of a sum of them."""
    features, real, dropout, noise = inputs(reader)
    features, dropout, noise = (each[:, :tokens] for each in (features, dropout, noise))
    real = real[:tokens]
    gates = reader.train_step(features, real, dropout, noise, torch.tensor(0.7))
    loss = total_of(tuple(gate[:, real] for gate in gates), weights[:, :, :tokens][:, :, real])
    return gates, torch.autograd.grad(loss, list(reader.parameters()))


@pytest.mark.parametrize("capacity", [(3, 3), (2, 3)])
def test_training_equals_the_plain_loop_forward_and_backward(capacity: tuple[int, ...]) -> None:
    reader = reader_of(capacity)
    features, _, dropout, noise = inputs(reader)
    weights = torch.randn(4, 2, max(LENGTHS), 2, 3, generator=torch.Generator().manual_seed(5))
    gates, fast = trained(reader, weights)

    total = torch.tensor(0.0)
    for model, cells in enumerate(capacity):
        for text, length in enumerate(LENGTHS):
            plain = plain_read(
                reader,
                model,
                features[0, :length, text],
                dropout=dropout[model, :, text],
                noise=noise[model, :, text, :cells],
                temperature=0.7,
            )
            for ours, theirs in zip(gates, plain, strict=True):
                own = ours[model, :length, text]
                assert_close(own if own.dim() == 1 else own[:, :cells], theirs, atol=1e-5, rtol=1e-5)
            assert not any(gate[model, :, text, cells:].any() for gate in gates[1:])
            total = total + total_of(plain, weights[:, model, :length, text, :cells])
    plain_grads = torch.autograd.grad(total, list(reader.parameters()))
    for (name, _), ours, theirs in zip(reader.named_parameters(), fast, plain_grads, strict=True):
        assert_close(ours, theirs, atol=1e-5, rtol=1e-4, msg=lambda text, name=name: f"{name}: {text}")


@pytest.mark.parametrize("capacity", [(3, 3), (2, 3)])
def test_reading_equals_the_plain_loop(capacity: tuple[int, ...]) -> None:
    reader = reader_of(capacity)
    features, real, _, _ = inputs(reader, seed=3)
    gates = reader.read(features, real)
    for model, cells in enumerate(capacity):
        for text, length in enumerate(LENGTHS):
            plain = plain_read(reader, model, features[0, :length, text])
            for ours, theirs in zip(gates, plain, strict=True):
                own = ours[model, :length, text]
                assert_close(own if own.dim() == 1 else own[:, :cells], theirs, atol=1e-5, rtol=1e-5)
            assert not any(gate[model, :, text, cells:].any() for gate in gates[1:])


def test_padding_is_of_nobody() -> None:
    reader = reader_of()
    features, real, dropout, noise = inputs(reader)
    for gates in (reader.read(features, real), reader.train_step(features, real, dropout, noise, torch.tensor(1.0))):
        for gate in gates[:3]:
            assert not gate[:, ~real].any()


def test_no_probability_is_lost() -> None:
    # What is not an update of a known person is written: the gates of a token add up to e_t.
    reader = reader_of((2, 3))
    gates = reader.read(*inputs(reader)[:2])
    assert_close((gates.coref_prob + gates.overwrite_prob).sum(-1), gates.mention_prob)
    assert gates.mention_prob.max() > 0.5


def test_a_preference_decides_between_equally_salient_cells() -> None:
    reader = reader_of()
    features, real, _, _ = inputs(reader)
    preference = torch.tensor([0.0, 2.0, 1.0]).expand(2, 2, 3)
    gates = reader.read(features, real, preference)
    plain = plain_read(reader, 0, features[0, :7, 0], preference=preference[0, 0])
    assert_close(gates.overwrite_prob[0, :, 0], plain[2], atol=1e-5, rtol=1e-5)
    assert gates.overwrite_prob[0, 0, 0].argmax() == 1  # the first person goes to the preferred cell


def test_a_seed_alone_decides_its_parameters() -> None:
    alone = ReferentialReader(CONFIG, 4, seeds=(7,))
    among = ReferentialReader(CONFIG, 4, seeds=(5, 7))
    for name, parameter in alone.named_parameters():
        assert torch.equal(parameter[0], among.get_parameter(name)[1])


def test_cells_begin_the_same_however_many_there_are() -> None:
    fewer = MemoryConfig(num_cells=2, hidden_size=6, variant="referential-reader")
    two, three = ReferentialReader(fewer, 4, seeds=(7,)), ReferentialReader(CONFIG, 4, seeds=(7,))
    for name, parameter in two.named_parameters():
        same = three.get_parameter(name)
        assert torch.equal(parameter, same[:, :2] if name in ("start_keys", "start_values") else same)


def test_each_kind_of_model_refuses_the_other_s_configuration() -> None:
    with pytest.raises(ConfigError, match=r"memory\.variant is 'referential-reader', which is no PeTra model"):
        Network(CONFIG, 4)
    with pytest.raises(ConfigError, match=r"memory\.variant is 'vanilla', which is a PeTra model"):
        ReferentialReader(MemoryConfig(), 4)


def test_one_compiled_step_serves_every_token_and_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a GPU, the step and its gradient are traced whole; the tracing is what is tried, not the kernels."""
    reader = reader_of((2, 3))
    weights = torch.randn(4, 2, max(LENGTHS), 2, 3, generator=torch.Generator().manual_seed(5))
    expected, expected_grads = trained(reader, weights)

    @functools.cache
    def traced(step: Callable[..., Any], _: bool) -> Callable[..., Any]:
        return torch.compile(step, fullgraph=True, dynamic=False, backend="aot_eager")

    features, real, _, _ = inputs(reader)
    expected_read = reader.read(features, real)
    monkeypatch.setattr(checkpointing, "compiled", traced)
    trained(reader, weights, tokens=1)
    reader.read(features[:, :1], real[:1])
    with torch.compiler.set_stance("fail_on_recompile"):
        gates, grads = trained(reader, weights)
        read = reader.read(features, real)
    assert_close(tuple(gates), tuple(expected), atol=1e-5, rtol=1e-5)
    assert_close(grads, expected_grads, atol=1e-5, rtol=1e-4)
    assert_close(tuple(read), tuple(expected_read), atol=1e-5, rtol=1e-5)
