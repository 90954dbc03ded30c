"""A stage whose encoder does not learn: features are computed once, and memory and linking go on learning."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from adapted_corpora import write_adapted_corpora
from tiny import TINY_RECIPE
from torch.testing import assert_close

from petra.config import AdapterConfig, EncoderConfig, Recipe, RunConfig, SpanConfig, Stage, SupervisionConfig
from petra.encoder.adapter import Adapter
from petra.encoder.frozen import FrozenEncoder
from petra.encoder.pretrained import PretrainedEncoder
from petra.errors import ConfigError
from petra.trained import load_trained
from petra.training.adapted.training import Epoch
from petra.training.objective import Hooks
from petra.training.run import run_recipe

CPU = torch.device("cpu")


def encoder(folder: Path) -> PretrainedEncoder:
    return PretrainedEncoder.load(EncoderConfig(name=str(folder), layers=(1, 3), window=20, margin=4))


def test_features_are_those_of_the_encoder_in_half_precision(tiny_encoder: Path) -> None:
    plain = encoder(tiny_encoder)
    frozen = FrozenEncoder(plain, Adapter(AdapterConfig(rank=2), {}))
    documents = [plain.tokenizer.tokenize(text) for text in ("Amelia met Paul. " * 9, "He left.", "")]
    for found, expected in zip(frozen.encode_many(documents), plain.encode_many(documents), strict=True):
        assert torch.equal(found, expected.half().float())
    together = frozen.encode_together([document.token_ids for document in documents])
    expected = plain.encode_together([document.token_ids for document in documents])
    assert_close(together, expected.detach(), atol=1e-2, rtol=1e-2)
    assert not together.requires_grad


def test_a_text_is_computed_once(tiny_encoder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frozen = FrozenEncoder(encoder(tiny_encoder), Adapter(AdapterConfig(rank=2), {}))
    texts = [frozen.tokenizer.tokenize("He left.").token_ids, np.array([5, 6, 7])]
    first = frozen.encode_together(texts)
    monkeypatch.setattr(frozen.backend, "features", None)  # whoever computes again fails
    assert torch.equal(frozen.encode_together([*texts, texts[0]]), torch.cat([first, first[: len(texts[0])]]))


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_adapted_corpora(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def config(tiny_encoder: Path) -> RunConfig:
    return replace(
        TINY_RECIPE,
        encoder=EncoderConfig(name=str(tiny_encoder), layers=(1, 3), window=40, margin=4),
        training=replace(TINY_RECIPE.training, max_epochs=1),
        adapter=AdapterConfig(rank=2),
        spans=SpanConfig(max_width=6, size=8, refit=False),
        supervision=SupervisionConfig(passages=1, passage_tokens=60),
    )


def test_a_stage_with_a_frozen_encoder_leaves_the_adapter_as_it_is(
    corpora: Path, config: RunConfig, tmp_path: Path
) -> None:
    reads_itself = replace(config.supervision, own_decisions=2)
    frozen = replace(config, seeds=(2,), adapter=replace(config.adapter, frozen=True), supervision=reads_itself)
    last = replace(frozen, initialise_from="first")
    epochs = list[Epoch]()
    recipe = Recipe(stages=(Stage(name="first", config=config), Stage(name="last", config=last)))
    run_recipe(recipe, corpora, tmp_path, device=CPU, hooks=Hooks(on_epoch=epochs.append))
    before, after = load_trained(tmp_path / "first/seed-1"), load_trained(tmp_path / "seed-2")
    assert before.weights.keys() == after.weights.keys()
    for name, weight in before.weights.items():
        if name.startswith("adapter."):
            assert torch.equal(after.weights[name], weight), name
    assert not torch.equal(before.weights["recurrent_hidden"], after.weights["recurrent_hidden"])
    assert epochs[-1].validation.own_right.keys() == {"litbank", "gum"}


def test_a_frozen_encoder_needs_a_model_to_begin_with(corpora: Path, config: RunConfig, tmp_path: Path) -> None:
    frozen = replace(config, adapter=replace(config.adapter, frozen=True))
    with pytest.raises(ConfigError, match=r"adapter\.frozen needs initialise_from"):
        run_recipe(frozen, corpora, tmp_path, device=CPU)
