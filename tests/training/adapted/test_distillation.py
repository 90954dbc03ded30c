"""Distillation: a student takes over its teacher's memory and learns to give it the same numbers."""

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

from petra.config import DistillationConfig, EncoderConfig, RunConfig
from petra.corpora.gap import read_gap
from petra.encoder.pretrained import PretrainedEncoder
from petra.errors import ConfigError
from petra.trained import load_trained
from petra.training.adapted.distillation import distil
from petra.training.adapted.learner import AdaptedLearner
from petra.training.adapted.model import adapted_model
from petra.training.adapted.training import Epoch
from petra.training.adapted.validation import link_probabilities
from petra.training.data.training_data import read_training_data
from petra.training.objective import Hooks
from petra.training.references import check_distillation
from petra.training.run import run_recipe

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
def teacher(corpora: Path, tiny_encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a trained teacher."""
    folder = tmp_path_factory.mktemp("teacher")
    recipe = replace(TINY_RECIPE, encoder=EncoderConfig(name=str(tiny_encoder), layers=(1, 3), window=20, margin=4))
    run_recipe(recipe, corpora, folder, device=CPU)
    return folder / "seed-1"


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another encoder with the same words: other features and special tokens."""
    return tiny_mpnet(tmp_path_factory.mktemp("encoder") / "tiny-mpnet", hidden_size=24)


def student_recipe(encoder: Path, teacher: Path, *, steps: int) -> RunConfig:
    """The recipe of a student whose teacher reads with the tiny BERT."""
    return replace(
        TINY_RECIPE,
        encoder=EncoderConfig(name=str(encoder), layers=(1, 2, 3), window=20, margin=4),
        distillation=DistillationConfig(teacher=str(teacher), steps=steps, tokens=128, learning_rate=1e-2),
    )


def test_another_memory_is_taken_over_and_given_the_same(encoder: Path, teacher: Path) -> None:
    recipe = student_recipe(encoder, teacher, steps=400)
    student = AdaptedLearner(recipe, PretrainedEncoder.load(recipe.encoder), seed=2, steps=1, device=CPU)
    other, steps = adapted_model(load_trained(teacher), CPU), list[tuple[int, int]]()
    left = distil(student, other, TEXTS, report=lambda done, whole: steps.append((done, whole)))
    assert steps == [(step, 400) for step in range(1, 401)]
    assert left[0] > 1  # a share of the variance: the mean alone would leave 1
    assert left[-1] < 0.6
    for name, theirs in other.network.named_parameters():
        if name not in ("recurrent_inputs", "recurrent_inputs_bias"):
            assert torch.equal(student.network.get_parameter(name), theirs), name
    for name in ("width", "out", "out_bias"):
        assert torch.equal(student.spans.get_parameter(name), other.spans.get_parameter(name)), name


def test_a_recipe_with_distillation_begins_from_it(corpora: Path, encoder: Path, teacher: Path, tmp_path: Path) -> None:
    # At so small a rate the epoch changes nothing, so links are nearly those of the teacher.
    recipe = student_recipe(encoder, teacher, steps=600)
    small = replace(recipe.training, learning_rate=1e-9, min_learning_rate=1e-9)
    recipe = replace(recipe, training=small, adapter=replace(recipe.adapter, learning_rate=1e-9))
    epochs, steps = list[Epoch](), list[int]()
    hooks = Hooks(on_distillation=lambda done, _: steps.append(done), on_epoch=epochs.append)
    run_recipe(recipe, corpora, tmp_path, device=CPU, hooks=hooks)
    assert (steps[-1], len(epochs)) == (600, 1)
    texts = read_gap(corpora, "validation")
    ours, theirs = (
        link_probabilities(adapted_model(load_trained(folder), CPU), texts) for folder in (tmp_path / "seed-1", teacher)
    )
    assert np.abs(ours - theirs).max() < 0.05
    assert load_trained(tmp_path / "seed-1").config.distillation == recipe.distillation


def test_texts_without_labels_are_those_of_training_and_an_encyclopedia(
    corpora: Path, encoder: Path, teacher: Path
) -> None:
    recipe = student_recipe(encoder, teacher, steps=1)
    loaded = PretrainedEncoder.load(recipe.encoder)
    texts = read_training_data(recipe, loaded.tokenizer, corpora).unlabelled
    assert [it.text for it in read_gap(corpora, "development")] == texts[:6]
    assert "\n".join(texts).endswith("Ada Vale was late.\nHer brother came.\nShe was a nurse.")
    assert not read_training_data(TINY_RECIPE, loaded.tokenizer, corpora).unlabelled


def test_a_memory_of_another_shape_cannot_be_taken_over(encoder: Path, teacher: Path) -> None:
    recipe = student_recipe(encoder, teacher, steps=1)
    other = load_trained(teacher).config
    check_distillation(recipe, other)
    with pytest.raises(ConfigError, match=r"memory.hidden_size is 16, but 12 in the model of distillation.teacher"):
        check_distillation(replace(recipe, memory=replace(recipe.memory, hidden_size=16)), other)
    with pytest.raises(ConfigError, match=r"spans.size is 9, but 8"):
        check_distillation(replace(recipe, spans=replace(recipe.spans, size=9)), other)


def test_encoders_must_have_the_same_tokens(encoder: Path, teacher: Path, tmp_path: Path) -> None:
    other = shutil.copytree(encoder, tmp_path / "other")
    words = (other / "tokenizer.json").read_text(encoding="utf-8").replace('"amelia"', '"celia"')
    (other / "tokenizer.json").write_text(words, encoding="utf-8")
    recipe = student_recipe(other, teacher, steps=1)
    student = AdaptedLearner(recipe, PretrainedEncoder.load(recipe.encoder), seed=2, steps=1, device=CPU)
    with pytest.raises(ConfigError, match="splits words into other tokens"):
        distil(student, adapted_model(load_trained(teacher), CPU), TEXTS)
