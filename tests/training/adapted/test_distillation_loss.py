"""The distillation loss: 0 of a model with itself, and counted by its weight in the loss of a step."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from gap_corpus import write_gap_corpus
from tiny import TINY_RECIPE, tiny_mpnet
from torch import Tensor, nn

from petra.config import DistillationConfig, EncoderConfig
from petra.corpora.gap import read_gap
from petra.encoder.pretrained import PretrainedEncoder
from petra.errors import ConfigError
from petra.text.document import Document
from petra.training.adapted import learner
from petra.training.adapted.distillation_loss import DistillationLoss
from petra.training.adapted.learner import AdaptedLearner
from petra.training.data.training_data import LabelledInstance, snippets

CPU = torch.device("cpu")
TEXT = "Amelia met Lena, and she laughed."


@pytest.fixture(autouse=True)
def in_single_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    """Encoders are compared to many digits here, so that none is trained in bfloat16."""
    monkeypatch.setattr(learner, "cpu_has_bf16", lambda: False)


def learner_of(encoder: Path, *, seed: int, weight: float = 0.0) -> AdaptedLearner:
    """An untrained model of a seed, without dropout in its encoder."""
    recipe = replace(
        TINY_RECIPE,
        training=replace(TINY_RECIPE.training, batch_size=8, clip_norm=1e9),
        encoder=EncoderConfig(name=str(encoder), layers=(1, 3), window=40, margin=4),
        distillation=DistillationConfig(weight=weight),
    )
    learner = AdaptedLearner(recipe, PretrainedEncoder.load(recipe.encoder), seed=seed, steps=1, device=CPU)
    for module in learner.encoder.model.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    return learner


def features_of(learner: AdaptedLearner, documents: list[Document], tokens: int) -> Tensor:
    windows = [window for document in documents for window in learner.encoder.split(document.token_ids)]
    return learner.encode_padded(windows, tokens, len(windows))


def test_a_model_has_no_loss_of_itself_and_some_of_another(tiny_encoder: Path) -> None:
    own, other = (learner_of(tiny_encoder, seed=seed) for seed in (1, 2))
    documents = [own.encoder.tokenizer.tokenize(text) for text in (TEXT, "He was late.")]
    features = features_of(own, documents, 12)
    assert DistillationLoss(own, torch.float32).of_documents(own, features, documents) < 1e-9
    assert DistillationLoss(other, torch.float32).of_documents(own, features, documents) > 0.5


def test_padding_and_texts_of_several_windows_count_for_nothing(tiny_encoder: Path, tmp_path: Path) -> None:
    own = learner_of(tiny_encoder, seed=1)
    other = learner_of(tiny_mpnet(tmp_path / "tiny-mpnet", hidden_size=24), seed=2)
    document = own.encoder.tokenizer.tokenize(TEXT)
    loss = DistillationLoss(other, torch.float32)
    alone = loss.of_documents(own, features_of(own, [document], len(document)), [document])
    padded = features_of(own, [document], 30)
    torch.testing.assert_close(loss.of_documents(own, padded, [document]), alone)
    long = own.encoder.tokenizer.tokenize(TEXT * 6)
    two = torch.cat([padded, torch.rand_like(padded)])
    torch.testing.assert_close(loss.of_documents(own, two, [document, long]), alone)
    assert loss.of_documents(own, padded, [long]) == 0


def test_the_loss_counts_by_its_weight(tiny_encoder: Path, tmp_path: Path) -> None:
    instances = [LabelledInstance(instance) for instance in read_gap(write_gap_corpus(tmp_path), "development")]
    gradients = []
    for weight in (0.0, 1.0, 3.0):
        learner, other = learner_of(tiny_encoder, seed=1, weight=weight), learner_of(tiny_encoder, seed=2)
        learner.add_distillation(other)
        learner.step(snippets(learner.config, learner.encoder, instances), [], 1.0)
        gradients.append([p.grad for p in learner.parameters if p.grad is not None])
    changed = 0
    for none, once, thrice in zip(*gradients, strict=True):
        torch.testing.assert_close(thrice - none, 3 * (once - none), rtol=1e-3, atol=1e-6)
        changed += bool((once - none).abs().max() > 1e-4)
    assert changed > 5  # the memory's own among them, and the adapter's


def test_a_batch_of_long_texts_alone_is_learned_from_without_the_loss(tiny_encoder: Path, tmp_path: Path) -> None:
    instances = [LabelledInstance(instance) for instance in read_gap(write_gap_corpus(tmp_path), "development")]
    learner, other = learner_of(tiny_encoder, seed=1, weight=1.0), learner_of(tiny_encoder, seed=2)
    other.encoder.config = replace(other.encoder.config, window=9, margin=1)  # every text is longer
    learner.add_distillation(other)
    assert learner.step(snippets(learner.config, learner.encoder, instances), [], 1.0)["gap"] > 0


def test_a_weight_below_zero_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"distillation.weight is -1; choose 0 or more"):
        DistillationConfig(weight=-1)
