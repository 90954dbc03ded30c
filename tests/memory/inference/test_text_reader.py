"""A text read piece by piece: the plain loop's answers, and the bounds on what skipped tokens change."""

from __future__ import annotations

import functools

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from oracle import read as plain_read
from torch import Tensor
from torch.testing import assert_close

from petra.config import MemoryConfig, Variant
from petra.errors import ConfigError
from petra.log.rows import LogRows
from petra.memory.cells import MemoryState, update_usage
from petra.memory.inference.numpy_memory import NumpyMemory, NumpyState, NumpyToken, fade
from petra.memory.inference.text_reader import TextReader
from petra.memory.network import Network
from petra.memory.step import TokenTerms, hard_step

VARIANTS: list[Variant] = ["vanilla", "learned-init", "fixed-key"]
TOKENS = 40
EPSILON = 0.5  # about half of the tokens below


def network_of(variant: Variant = "vanilla", seed: int = 1) -> Network:
    config = MemoryConfig(num_cells=3, hidden_size=6, mlp_size=5, key_size=2, variant=variant)
    network = Network(config, input_size=4, seeds=(seed,))
    with torch.no_grad():  # larger weights, so that decisions are not all alike
        for parameter in network.parameters():
            parameter.mul_(3)
    return network.requires_grad_(False)


def features_of(seed: int = 0, tokens: int = TOKENS) -> Tensor:
    return torch.randn(tokens, 4, generator=torch.Generator().manual_seed(seed))


def joined(pieces: list[LogRows]) -> LogRows:
    return LogRows(*(np.concatenate(arrays) for arrays in zip(*pieces, strict=True)))


def assert_rows(found: LogRows, expected: tuple[Tensor, ...]) -> None:
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.dtype == np.float32
        np.testing.assert_allclose(ours, theirs.numpy(), atol=1e-5, rtol=0)


@functools.cache
def plain_rows(variant: Variant, epsilon: float, seed: int) -> tuple[Tensor, ...]:
    return plain_read(network_of(variant), 0, features_of(seed), epsilon=epsilon)


@pytest.mark.parametrize("epsilon", [0.0, EPSILON])
@pytest.mark.parametrize("variant", VARIANTS)
@given(places=st.lists(st.integers(0, TOKENS), max_size=6), seed=st.integers(0, 5))
def test_pieces_are_read_as_the_plain_loop_reads_the_whole(
    variant: Variant, epsilon: float, places: list[int], seed: int
) -> None:
    reader = TextReader(network_of(variant), epsilon=epsilon)
    pieces = [reader.read(piece) for piece in features_of(seed).tensor_split(sorted(places))]
    assert_rows(joined(pieces), plain_rows(variant, epsilon, seed))


@pytest.mark.parametrize("num_cells", [1, 2, 5])
def test_vanilla_reads_with_any_number_of_cells(num_cells: int) -> None:
    network, features = network_of(), features_of()
    rows = TextReader(network, num_cells, epsilon=0).read(features)
    assert rows.usage.shape == (TOKENS, num_cells)
    assert_rows(rows, plain_read(network, 0, features, num_cells=num_cells))


@pytest.mark.parametrize("variant", ["learned-init", "fixed-key"])
def test_the_learned_variants_have_the_cells_they_learned(variant: Variant) -> None:
    assert TextReader(network_of(variant), 3).num_cells == 3
    with pytest.raises(ConfigError, match="4 cells were asked for, but"):
        TextReader(network_of(variant), 4)


def test_impossible_settings_are_told() -> None:
    with pytest.raises(ConfigError, match="choose 1 or more"):
        TextReader(network_of(), 0)
    with pytest.raises(ConfigError, match="epsilon is 2"):
        TextReader(network_of(), epsilon=2)
    with pytest.raises(ConfigError, match="holds 2"):
        TextReader(Network(MemoryConfig(hidden_size=6, key_size=2), 4, seeds=(1, 2)))


def test_nothing_read_is_no_rows() -> None:
    rows = TextReader(network_of()).read(torch.zeros(0, 4))
    assert [array.shape for array in rows] == [(0,), (0, 3), (0, 3), (0, 3)]


def test_random_ties_come_from_the_seed() -> None:
    network, features = network_of(), features_of()
    first_cells = {}
    for seed in range(8):
        rows = TextReader(network, epsilon=0, ties="random", seed=seed).read(features)
        again = TextReader(network, epsilon=0, ties="random", seed=seed).read(features)
        np.testing.assert_array_equal(rows.overwrite_prob, again.overwrite_prob)
        first_cells[seed] = int(rows.overwrite_prob[0].argmax())
    assert set(first_cells.values()) == {0, 1, 2}
    lowest = TextReader(network, epsilon=0).read(features)
    assert lowest.overwrite_prob[0].argmax() == 0


# What a skipped token would have changed.


@st.composite
def moments(draw: st.DrawFn, variant: Variant) -> tuple[Network, NumpyToken, NumpyState]:
    """A memory in the middle of a text, and a token with some e_t."""
    network = network_of(variant, seed=draw(st.integers(0, 50)))
    reader = TextReader(network, epsilon=0)
    reader.read(features_of(draw(st.integers(0, 50)), draw(st.integers(0, 20))))
    with torch.inference_mode():
        hidden = network.hidden_states(features_of(draw(st.integers(0, 50)), 5)[None, :, None])[:, -1:]
        terms = network.token_terms(hidden)
    token = NumpyToken(
        terms.hidden[0, 0, 0].numpy(),
        draw(st.floats(0, 1)),
        terms.share[0, 0, 0].numpy(),
        terms.update[0, 0, 0].numpy(),
    )
    return network, token, reader._state


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("with_preference", [False, True])
@given(data=st.data())
def test_a_single_token_is_read_as_one_of_many(variant: Variant, with_preference: bool, data: st.DataObject) -> None:
    network, token, before = data.draw(moments(variant))
    preference = np.array([0.1, 0.9, 0.5], dtype=np.float32) if with_preference else None
    state = MemoryState(torch.tensor(before.cells)[None, None], torch.tensor(before.usage)[None, None])
    many = hard_step(
        TokenTerms(
            torch.tensor(token.hidden)[None, None],
            torch.tensor([[token.mention_prob]]),
            torch.tensor(token.share)[None, None],
            torch.tensor(token.update)[None, None],
        ),
        state,
        torch.zeros_like(state.usage),
        None if preference is None else torch.tensor(preference)[None, None],
        network.similarity_weights,
        network.update_weights,
        network.variant,
        network.config.usage_decay,
    )
    single = NumpyMemory(network, preference).read(token, before)
    for ours, theirs in zip((*single[0], *single[1:]), (*many[0], *many[1:]), strict=True):
        assert_close(torch.tensor(ours), theirs[0, 0], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("variant", VARIANTS)
@given(data=st.data())
def test_a_skipped_token_would_have_changed_no_more_than_the_bound(variant: Variant, data: st.DataObject) -> None:
    network, token, before = data.draw(moments(variant))
    largest = max(1.0, float(network.initial_cells.abs().max())) if variant == "learned-init" else 1.0
    mention_prob, rounding = token.mention_prob, 1e-6
    after, coref_prob, overwrite_prob = NumpyMemory(network).read(token, before)
    faded = fade(before.usage, 1, network.config.usage_decay)
    assert float((coref_prob + overwrite_prob).sum()) == pytest.approx(mention_prob, abs=rounding)
    assert float(np.abs(after.cells - before.cells).max()) <= (1 + largest) * mention_prob + rounding
    moved = after.usage - faded
    assert float(moved.min()) >= -rounding
    assert float(moved.sum()) <= mention_prob + rounding


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60), st.floats(0.001, 0.2))
def test_all_skipped_tokens_together_move_usage_no_more_than_the_bound(
    gates: list[tuple[float, bool]], epsilon: float
) -> None:
    # The usage of one cell under gates o + c: every one applied, and those below epsilon left out.
    decay, nothing = 0.98, torch.zeros(1, dtype=torch.float64)
    exact = skipping = nothing
    bound = 0.0
    for gate, is_small in gates:
        touched = torch.tensor([gate * epsilon * 0.999 if is_small else gate], dtype=torch.float64)
        exact = update_usage(exact, touched, nothing, decay)
        is_skipped = float(touched) < epsilon
        skipping = (
            torch.tensor(fade(skipping.numpy(), 1, decay))
            if is_skipped
            else update_usage(skipping, touched, nothing, decay)
        )
        bound = decay * bound + (float(touched) if is_skipped else 0.0)
        assert float(exact - skipping) >= -1e-12
        assert float(exact - skipping) <= bound + 1e-12
        assert bound < epsilon / (1 - decay)


def test_a_cell_that_only_skipped_tokens_would_write_stays_unused() -> None:
    network, features = network_of(), features_of()
    exact = TextReader(network, epsilon=0).read(features)
    assert (exact.usage[-1] > 0).all()
    skipping = TextReader(network, epsilon=1).read(features)
    np.testing.assert_array_equal(skipping.mention_prob, exact.mention_prob)
    for gates in skipping[1:]:
        assert not gates.any()


def test_a_run_of_skipped_tokens_fades_usage_as_token_by_token() -> None:
    usage = np.array([1.0, 0.25, 0.0], dtype=np.float32)
    step = torch.tensor(usage)
    for tokens in range(1, 200):
        step = update_usage(step, torch.zeros(3), torch.zeros(3), 0.98)
        np.testing.assert_allclose(fade(usage, tokens, 0.98), step.numpy(), atol=1e-6, rtol=0)


def test_a_cell_once_written_never_looks_unused() -> None:
    usage = np.array([1.0, 0.25, 0.0], dtype=np.float32)
    for tokens in (1_000, 100_000, 10_000_000):  # 0.98 to these powers is less than any float32 above 0, and float64
        usage = fade(usage, tokens, 0.98)
        assert usage.dtype == np.float32
        assert (usage > 0).tolist() == [True, True, False]
