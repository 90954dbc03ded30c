"""A learner step by step: the average of its weights, and the batches its encoder reads."""

from __future__ import annotations

from pathlib import Path

import torch
from gap_corpus import write_gap_corpus
from torch import Tensor

from petra.config import AdapterConfig, EncoderConfig, MemoryConfig, RunConfig, SpanConfig, TrainingConfig
from petra.corpora.gap import read_gap
from petra.encoder.pretrained import PretrainedEncoder
from petra.training.adapted.data import LabelledInstance, snippets
from petra.training.adapted.learner import AdaptedLearner

CPU = torch.device("cpu")


def recipe(encoder: Path, ema_decay: float, max_width: int = 0) -> RunConfig:
    return RunConfig(
        name="tiny",
        encoder=EncoderConfig(name=str(encoder), layers=(2, 3), window=40, margin=4),
        memory=MemoryConfig(num_cells=3, hidden_size=12, mlp_size=10),
        training=TrainingConfig(batch_size=4, dropout=0.0, learning_rate=5e-3),
        adapter=AdapterConfig(rank=2, dropout=0.0, ema_decay=ema_decay),
        spans=SpanConfig(max_width=max_width, size=8),
    )


def steps(config: RunConfig, data: Path, count: int) -> tuple[AdaptedLearner, list[dict[str, Tensor]]]:
    """A learner after so many steps, and its weights after each."""
    learner = AdaptedLearner(config, PretrainedEncoder.load(config.encoder), seed=1, steps=count + 1, device=CPU)
    ready = snippets(
        config, learner.encoder, [LabelledInstance(instance) for instance in read_gap(data, "development")]
    )
    found = []
    for _ in range(count):
        learner.step(ready[:3], [], 0.5)
        found.append({name: value.clone() for name, value in learner.weights.items()})
    return learner, found


def same(ours: dict[str, Tensor], theirs: dict[str, Tensor]) -> bool:
    return all(torch.allclose(value, theirs[name], atol=1e-7) for name, value in ours.items())


def test_the_average_reaches_back_as_far_as_asked(tiny_encoder: Path, tmp_path: Path) -> None:
    learner, after = steps(recipe(tiny_encoder, 0.6, max_width=4), write_gap_corpus(tmp_path), 4)
    # Of the first two steps the plain mean; then the newest has a share of 0.4, as 1 / 3 would be less.
    average = {name: (value + after[1][name]) / 2 for name, value in after[0].items()}
    for newest in after[2:]:
        average = {name: 0.6 * value + 0.4 * newest[name] for name, value in average.items()}
    assert not same(average, after[-1])
    with learner.averaged():
        assert same(learner.weights, average)
    assert same(learner.weights, after[-1])  # it goes on from where it was


def test_without_an_average_the_newest_weights_are_kept(tiny_encoder: Path, tmp_path: Path) -> None:
    learner, after = steps(recipe(tiny_encoder, 0.0), write_gap_corpus(tmp_path), 2)
    assert not same(after[0], after[1])
    with learner.averaged():
        assert same(learner.weights, after[-1])


def test_windows_are_padded_to_a_shape(tiny_encoder: Path, tmp_path: Path) -> None:
    encoder = PretrainedEncoder.load(recipe(tiny_encoder, 0.0).encoder)
    documents = [encoder.tokenizer.tokenize(each.text) for each in read_gap(write_gap_corpus(tmp_path), "validation")]
    windows = [window for document in documents[:2] for window in encoder.split(document.token_ids)]
    token_ids, attention_mask = encoder.pad(windows, tokens=32, rows=5)
    special = len(encoder.tokenizer.prefix) + len(encoder.tokenizer.suffix)
    assert token_ids.shape == attention_mask.shape == (5, 32 + special)
    assert attention_mask.sum(1).tolist()[:2] == [len(window.token_ids) + special for window in windows]
    assert token_ids[1].tolist() == token_ids[2].tolist() == token_ids[4].tolist()  # the last one fills up
    plain, own = encoder.encode_windows(windows), encoder.features(token_ids, attention_mask.long())
    for alone, padded in zip(plain, encoder.unpad(own, windows), strict=True):
        assert torch.allclose(alone, padded, atol=1e-5)
