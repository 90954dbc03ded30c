"""The encoder's adapter: what is trained is what reading adds to the weights."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch.testing import assert_close

from petra.config import AdapterConfig, EncoderConfig
from petra.encoder.adapter import Adapter, LowRankLinear, adapted_layers, adapter_of, trained_weights
from petra.encoder.pretrained import PretrainedEncoder
from petra.errors import ModelError

CONFIG = AdapterConfig(rank=2, alpha=4.0, dropout=0.0)
TEXT = "Amelia met Paul and told him that she was his sister."


def load(folder: Path, adapter: Adapter | None = None) -> PretrainedEncoder:
    return PretrainedEncoder.load(EncoderConfig(name=str(folder), layers=(2, 3), window=40, margin=8), adapter=adapter)


def features(encoder: PretrainedEncoder) -> torch.Tensor:
    encoder.model.eval()
    return torch.cat(list(encoder.encode(encoder.tokenizer.tokenize(TEXT))))


def trained(folder: Path) -> PretrainedEncoder:
    """An encoder with an adapter that changes something."""
    encoder = load(folder)
    encoder.make_trainable(CONFIG, seed=1)
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in encoder.model.parameters():
            if parameter.requires_grad:
                parameter.normal_(std=0.3, generator=generator)
    return encoder


def low_rank(weight: list[list[float]], dropout: float = 0.0, rank: int = 1) -> LowRankLinear:
    """A layer with this weight, the bias 100 and 200, and an update scaled by 4 / rank."""
    layer = torch.nn.Linear(2, 2)
    layer.weight.data, layer.bias.data = torch.tensor(weight), torch.tensor([100.0, 200.0])
    return LowRankLinear(layer, AdapterConfig(rank=rank, alpha=4.0, dropout=dropout), torch.Generator().manual_seed(1))


def test_the_update_is_scaled_and_added_to_the_weight() -> None:
    # B A = [[3, 6], [4, 8]]; with the scale 4 and W = [[1, 0], [0, 1]] the sums of the rows are 37 and 49.
    layer = low_rank([[1.0, 0.0], [0.0, 1.0]])
    layer.lora_a.data, layer.lora_b.data = torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0], [4.0]])
    assert_close(layer(torch.ones(2)), torch.tensor([137.0, 249.0]))
    # Of the second input alone: 0 + 4 * 6 and 1 + 4 * 8.
    assert_close(layer(torch.tensor([[0.0, 1.0]])), torch.tensor([[124.0, 233.0]]))


def test_training_drops_ranks_of_the_update() -> None:
    # Scale 4 / 2. Rank 0 adds 2 to the first output and rank 1 adds 4 to the second; those kept count twice.
    layer = low_rank([[0.0, 0.0], [0.0, 0.0]], dropout=0.5, rank=2)
    layer.lora_a.data, layer.lora_b.data = torch.tensor([[1.0, 0.0], [0.0, 1.0]]), torch.tensor([[1.0, 0], [0, 2.0]])
    torch.manual_seed(0)
    found = {tuple(layer(torch.ones(2)).tolist()) for _ in range(50)}
    assert found == {(100.0, 200.0), (104.0, 200.0), (100.0, 208.0), (104.0, 208.0)}
    layer.eval()
    assert_close(layer(torch.ones(2)), torch.tensor([102.0, 204.0]))


def test_the_update_of_half_a_layer_is_kept_in_full() -> None:
    layer = torch.nn.Linear(2, 2, dtype=torch.bfloat16)
    low = LowRankLinear(layer, CONFIG, torch.Generator())
    assert low.lora_a.dtype == low.lora_b.dtype == torch.float32
    assert low(torch.ones(2, dtype=torch.bfloat16)).dtype == torch.bfloat16


def test_the_seed_alone_draws_an_adapter(tiny_encoder: Path) -> None:
    before = torch.get_rng_state()
    drawn = []
    for seed in (1, 1, 2):
        encoder = load(tiny_encoder)
        encoder.make_trainable(CONFIG, seed=seed)
        drawn.append(trained_weights(encoder.model)["adapter.encoder.layer.0.attention.self.query.a"])
    assert torch.equal(drawn[0], drawn[1])
    assert not torch.equal(drawn[0], drawn[2])
    assert drawn[0].abs().max() <= 16**-0.5  # of 16 inputs
    assert torch.equal(torch.get_rng_state(), before)


def test_every_linear_layer_of_a_block_is_adapted(tiny_encoder: Path) -> None:
    # BERT has six in a block: query, key, value, the attention's output, and two of the feed-forward part.
    assert len(adapted_layers(load(tiny_encoder).model)) == 3 * 6


def test_a_new_adapter_changes_nothing(tiny_encoder: Path) -> None:
    encoder = load(tiny_encoder)
    before = features(encoder)
    encoder.make_trainable(CONFIG, seed=1)
    assert_close(features(encoder), before)


def test_only_the_adapter_learns(tiny_encoder: Path) -> None:
    encoder = load(tiny_encoder)
    encoder.make_trainable(CONFIG, seed=1)
    learning = [name for name, parameter in encoder.model.named_parameters() if parameter.requires_grad]
    assert len(learning) == 2 * 18
    assert all("lora_" in name for name in learning)


def test_reading_with_the_kept_adapter_gives_the_trained_features(tiny_encoder: Path) -> None:
    encoder = trained(tiny_encoder)
    adapter = adapter_of(CONFIG, trained_weights(encoder.model))
    assert adapter is not None
    assert not torch.allclose(features(load(tiny_encoder)), features(encoder), atol=1e-2)
    assert_close(features(load(tiny_encoder, adapter)), features(encoder), atol=1e-4, rtol=1e-4)


def test_a_model_without_rank_has_no_adapter() -> None:
    assert adapter_of(AdapterConfig(), {"update": torch.zeros(1)}) is None


@pytest.mark.parametrize("damage", ["another layer", "a factor missing", "another size"])
def test_an_adapter_of_another_encoder_is_told(tiny_encoder: Path, damage: str) -> None:
    weights = {
        name.removeprefix("adapter."): value for name, value in trained_weights(trained(tiny_encoder).model).items()
    }
    name = next(iter(weights)).rpartition(".")[0]
    if damage == "another layer":
        weights["encoder.layer.9.dense.a"] = weights["encoder.layer.9.dense.b"] = torch.zeros(2, 2)
    elif damage == "a factor missing":
        del weights[f"{name}.a"]
    else:
        weights[f"{name}.a"] = torch.zeros(2, 3)
    with pytest.raises(ModelError, match="does not fit the encoder"):
        load(tiny_encoder, Adapter(CONFIG, weights))


def test_with_neutral_pronouns_he_and_she_read_alike(tiny_encoder: Path) -> None:
    config = replace(CONFIG, neutral_pronouns=True)
    learning = load(tiny_encoder)
    learning.make_trainable(config, seed=1)
    reading = load(tiny_encoder, adapter_of(config, trained_weights(learning.model)))
    for encoder in (learning, reading):
        encoder.model.eval()
        of_him, of_her, of_them = (
            torch.cat(list(encoder.encode(encoder.tokenizer.tokenize(f"Paul said {word} was told."))))
            for word in ("he", "she", "they")
        )
        assert_close(of_him, of_her)
        assert encoder.tokenizer.tokenize("xe").token_ids[0] == encoder.tokenizer.tokenize("he").token_ids[0]
        assert not torch.equal(of_him[0], of_them[0])
    plain = load(tiny_encoder)
    assert not torch.equal(features(plain), features(reading))
