"""A model that imitates another: it has its memory, and its own features come to give it the same."""

from __future__ import annotations

import gzip
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from gap_corpus import write_gap_corpus
from litbank_samples import write_litbank
from tiny import TINY_RECIPE, tiny_mpnet

from petra.config import EncoderConfig, ImitationConfig, RunConfig
from petra.corpora.gap import read_gap
from petra.encoder.pretrained import PretrainedEncoder
from petra.errors import ConfigError
from petra.trained import load_trained
from petra.training.adapted.imitation import check_imitation, imitate
from petra.training.adapted.learner import AdaptedLearner
from petra.training.adapted.material import read_material
from petra.training.adapted.run import Epoch, carry_out
from petra.training.adapted.teaching import adapted_model
from petra.training.adapted.validation import link_probabilities

CPU = torch.device("cpu")
TEXTS = ("Amelia met Lena, and she laughed. " * 3, "Ada Vale's brother came to Kew.", "He was late.")


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = write_gap_corpus(tmp_path_factory.mktemp("data"))
    write_litbank(data)
    (data / "wikitext2").mkdir()
    lines = " = Ada Vale = \n\n Ada Vale was late . \n Her brother came . \n\n = = Life = = \n\n She was a nurse . \n"
    (data / "wikitext2/part.raw.gz").write_bytes(gzip.compress(lines.encode()))
    return data


@pytest.fixture(scope="module")
def imitated(corpora: Path, tiny_encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a model to be imitated."""
    folder = tmp_path_factory.mktemp("imitated")
    recipe = replace(TINY_RECIPE, encoder=EncoderConfig(name=str(tiny_encoder), layers=(1, 3), window=20, margin=4))
    carry_out(recipe, corpora, folder, device=CPU, on_epoch=lambda _: None)
    return folder / "seed-1"


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another encoder with the same words: other features and special tokens."""
    return tiny_mpnet(tmp_path_factory.mktemp("encoder") / "tiny-mpnet", hidden_size=24)


def imitator(encoder: Path, imitated: Path, *, steps: int) -> RunConfig:
    """The recipe of a model that imitates one over the tiny BERT."""
    return replace(
        TINY_RECIPE,
        encoder=EncoderConfig(name=str(encoder), layers=(1, 2, 3), window=20, margin=4),
        imitation=ImitationConfig(model=str(imitated), steps=steps, tokens=128, learning_rate=1e-2),
    )


def test_another_memory_is_taken_over_and_given_the_same(encoder: Path, imitated: Path) -> None:
    recipe = imitator(encoder, imitated, steps=400)
    learner = AdaptedLearner(recipe, PretrainedEncoder.load(recipe.encoder), seed=2, steps=1, device=CPU)
    other, steps = adapted_model(load_trained(imitated), CPU), list[tuple[int, int]]()
    left = imitate(learner, other, TEXTS, report=lambda done, whole: steps.append((done, whole)))
    assert steps == [(step, 400) for step in range(1, 401)]
    assert left[0] > 1  # a share of the variance: the mean alone would leave 1
    assert left[-1] < 0.6
    for name, theirs in other.network.named_parameters():
        if name not in ("recurrent_inputs", "recurrent_inputs_bias"):
            assert torch.equal(learner.network.get_parameter(name), theirs), name
    for name in ("width", "out", "out_bias"):
        assert torch.equal(learner.spans.get_parameter(name), other.spans.get_parameter(name)), name


def test_a_recipe_with_imitation_begins_from_it(corpora: Path, encoder: Path, imitated: Path, tmp_path: Path) -> None:
    # At so small a rate the epoch changes nothing, so links are those of the model imitated, nearly.
    recipe = imitator(encoder, imitated, steps=600)
    small = replace(recipe.training, learning_rate=1e-9, min_learning_rate=1e-9)
    recipe = replace(recipe, training=small, adapter=replace(recipe.adapter, learning_rate=1e-9))
    told, steps = list[Epoch](), list[int]()
    carry_out(
        recipe, corpora, tmp_path, device=CPU, on_imitation=lambda done, _: steps.append(done), on_epoch=told.append
    )
    assert (steps[-1], len(told)) == (600, 1)
    texts = read_gap(corpora, "validation")
    ours, theirs = (
        link_probabilities(adapted_model(load_trained(folder), CPU), texts)
        for folder in (tmp_path / "seed-1", imitated)
    )
    assert np.abs(ours - theirs).max() < 0.05
    assert load_trained(tmp_path / "seed-1").config.imitation == recipe.imitation


def test_texts_without_labels_are_those_of_training_and_an_encyclopedia(
    corpora: Path, encoder: Path, imitated: Path
) -> None:
    recipe = imitator(encoder, imitated, steps=1)
    loaded = PretrainedEncoder.load(recipe.encoder)
    texts = read_material(recipe, loaded, corpora).unlabelled
    assert [it.text for it in read_gap(corpora, "development")] == texts[:6]
    assert "\n".join(texts).endswith("Ada Vale was late.\nHer brother came.\nShe was a nurse.")
    assert not read_material(TINY_RECIPE, loaded, corpora).unlabelled


def test_a_memory_of_another_shape_cannot_be_taken_over(encoder: Path, imitated: Path) -> None:
    recipe = imitator(encoder, imitated, steps=1)
    other = load_trained(imitated).config
    check_imitation(recipe, other)
    with pytest.raises(ConfigError, match=r"memory.hidden_size is 16, but 12 in the model to be imitated"):
        check_imitation(replace(recipe, memory=replace(recipe.memory, hidden_size=16)), other)
    with pytest.raises(ConfigError, match=r"spans.size is 9, but 8"):
        check_imitation(replace(recipe, spans=replace(recipe.spans, size=9)), other)


def test_encoders_must_cut_words_alike(encoder: Path, imitated: Path, tmp_path: Path) -> None:
    other = shutil.copytree(encoder, tmp_path / "other")
    words = (other / "tokenizer.json").read_text(encoding="utf-8").replace('"amelia"', '"celia"')
    (other / "tokenizer.json").write_text(words, encoding="utf-8")
    recipe = imitator(other, imitated, steps=1)
    learner = AdaptedLearner(recipe, PretrainedEncoder.load(recipe.encoder), seed=2, steps=1, device=CPU)
    with pytest.raises(ConfigError, match="cuts words otherwise"):
        imitate(learner, adapted_model(load_trained(imitated), CPU), TEXTS)
