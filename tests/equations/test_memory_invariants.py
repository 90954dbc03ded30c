"""What holds whatever the weights and the text: of one token's equations, and of whole readings."""

from __future__ import annotations

from typing import NamedTuple

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.testing import assert_close

from petra.config import MemoryConfig, Variant
from petra.errors import ConfigError
from petra.memory.cells import update_usage
from petra.memory.gates import (
    Gates,
    coref_scores,
    overwrite_gumbel,
    overwrite_least_used,
    overwrite_odds,
    person_shares,
    split_mention,
)
from petra.memory.network import Network

VARIANTS: list[Variant] = ["vanilla", "learned-init", "fixed-key"]
FEATURES, CELLS, TOKENS = 3, 3, 9


class Step(NamedTuple):
    """What equations 3 to 8 need on one token of one text."""

    mention_prob: Tensor  # ()
    similarity: Tensor  # (N,)
    usage: Tensor  # (N,)
    noise: Tensor  # (N,)
    temperature: Tensor  # ()


@st.composite
def steps(draw: st.DrawFn) -> Step:
    count = draw(st.integers(1, 5))

    def numbers(low: float, high: float) -> Tensor:
        value = st.floats(low, high, width=32, allow_subnormal=False)
        return torch.tensor(draw(st.lists(value, min_size=count, max_size=count)))

    probability = st.floats(0, 1, width=32, allow_subnormal=False)
    usage = st.one_of(st.just(0.0), probability)
    return Step(
        mention_prob=torch.tensor(draw(probability)),
        similarity=numbers(-100, 100),
        usage=torch.tensor(draw(st.lists(usage, min_size=count, max_size=count))),
        noise=numbers(-3, 16),
        temperature=torch.tensor(draw(st.sampled_from([1.0, 0.5, 0.002]))),
    )


@given(steps())
def test_no_probability_is_lost_on_a_token(step: Step) -> None:
    coref, new = split_mention(step.mention_prob, person_shares(coref_scores(step.similarity, step.usage)))
    hard = overwrite_least_used(new, step.usage)
    soft = overwrite_gumbel(new, overwrite_odds(step.usage, step.noise, step.temperature))
    for overwrite in (hard, soft):
        assert_close((coref + overwrite).sum(), step.mention_prob)
        assert (coref >= 0).all()
        assert (overwrite >= 0).all()
    assert not coref[step.usage == 0].any()
    assert (hard > 0).sum() <= 1


@given(steps())
def test_usage_stays_in_the_unit_interval(step: Step) -> None:
    coref, new = split_mention(step.mention_prob, person_shares(coref_scores(step.similarity, step.usage)))
    usage = update_usage(step.usage, coref, overwrite_least_used(new, step.usage), 0.98)
    assert ((usage >= 0) & (usage <= 1)).all()
    assert (usage[step.usage > 0] > 0).all()


def network_of(variant: Variant, seed: int, capacity: tuple[int, ...] = ()) -> Network:
    """Two models whose weights are large enough that they decide plainly.

    In double precision: batches of other shapes round otherwise, which a reading in
    single precision adds up to about 1e-5, and nothing else may tell them apart.
    """
    config = MemoryConfig(num_cells=CELLS, hidden_size=4, mlp_size=5, key_size=2, variant=variant)
    network = Network(config, FEATURES, seeds=(seed, seed + 1), capacity=capacity)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.mul_(4)
    return network.double()


def readings(network: Network, features: Tensor, real: Tensor, seed: int = 0) -> list[Gates]:
    """The gates of a reading as in training and of one as at inference."""
    generator = torch.Generator().manual_seed(seed)
    tokens, texts = real.shape
    dropout = (torch.rand(2, TOKENS, texts, 4, generator=generator) < 0.5) * 2.0
    noise = -torch.log(-torch.log(torch.rand(2, TOKENS, texts, CELLS, generator=generator)))
    with torch.no_grad():
        trained = network.train_step(features, real, dropout[:, :tokens], noise[:, :tokens], torch.tensor(0.5))
        return [trained, network.read(features, real)]


def random_features(seed: int, texts: int) -> Tensor:
    return torch.randn(1, TOKENS, texts, FEATURES, generator=torch.Generator().manual_seed(seed)).double()


def first_tokens(count: int, texts: int = 1) -> Tensor:
    """Which tokens are real when each text has that many."""
    return (torch.arange(TOKENS) < count)[:, None].expand(-1, texts)


@settings(max_examples=30)
@given(st.sampled_from(VARIANTS), st.integers(0, 1000), st.integers(1, TOKENS))
def test_a_reading_loses_no_probability_and_keeps_usage_in_bounds(variant: Variant, seed: int, length: int) -> None:
    real = first_tokens(length, texts=2)
    for gates in readings(network_of(variant, seed), random_features(seed, texts=2), real):
        assert_close((gates.coref_prob + gates.overwrite_prob).sum(-1), gates.mention_prob)
        assert not gates.mention_prob[:, ~real].any()
        assert ((gates.usage >= 0) & (gates.usage <= 1)).all()


@settings(max_examples=30)
@given(st.sampled_from(VARIANTS), st.integers(0, 1000), st.integers(1, TOKENS - 1))
def test_padding_changes_nothing(variant: Variant, seed: int, length: int) -> None:
    network, features = network_of(variant, seed), random_features(seed, texts=1)
    padded = readings(network, features, first_tokens(length))
    alone = readings(network, features[:, :length], torch.ones(length, 1, dtype=torch.bool))
    for one, other in zip(padded, alone, strict=True):
        for with_padding, without in zip(one, other, strict=True):
            assert_close(with_padding[:, :length], without, atol=1e-10, rtol=1e-10)


@settings(max_examples=30)
@given(st.sampled_from(VARIANTS), st.integers(0, 1000))
def test_a_text_is_read_alike_whoever_stands_beside_it(variant: Variant, seed: int) -> None:
    network, features = network_of(variant, seed), random_features(seed, texts=3)
    with torch.no_grad():
        together = network.read(features, first_tokens(TOKENS, texts=3))
        for text in range(3):
            alone = network.read(features[:, :, text : text + 1], first_tokens(TOKENS))
            for one, other in zip(together, alone, strict=True):
                assert_close(one[:, :, text], other[:, :, 0], atol=1e-10, rtol=1e-10)


@settings(max_examples=30)
@given(st.sampled_from(VARIANTS), st.integers(0, 1000), st.integers(1, CELLS))
def test_a_cell_a_model_does_not_have_gets_nothing(variant: Variant, seed: int, own: int) -> None:
    network = network_of(variant, seed, capacity=(own, CELLS))
    for gates in readings(network, random_features(seed, texts=1), first_tokens(TOKENS)):
        for values in (gates.coref_prob, gates.overwrite_prob, gates.usage):
            assert not values[0, ..., own:].any()
        assert_close((gates.coref_prob + gates.overwrite_prob).sum(-1), gates.mention_prob)


def test_vanilla_starts_with_any_number_of_cells() -> None:
    start = network_of("vanilla", 0).start(batch=2, num_cells=7)
    assert (start.cells.shape, start.usage.shape) == ((2, 2, 7, 4), (2, 2, 7))
    assert not start.cells.any()
    assert not start.usage.any()


@pytest.mark.parametrize("variant", ["learned-init", "fixed-key"])
def test_learned_cells_are_as_many_as_were_trained(variant: Variant) -> None:
    network = network_of(variant, 0)
    assert network.start(batch=1, num_cells=CELLS).cells.shape[2] == CELLS
    with pytest.raises(ConfigError, match=f"7 cells were asked for, but a {variant} model has the 3"):
        network.start(batch=1, num_cells=7)


def test_how_the_variants_begin() -> None:
    learned = network_of("learned-init", 0)
    assert torch.equal(learned.start(batch=2).cells[:, 1], learned.initial_cells)
    keyed = network_of("fixed-key", 0)
    cells = keyed.start(batch=2).cells[:, 1]
    assert torch.equal(cells[..., :2], keyed.keys)
    assert not cells[..., 2:].any()
