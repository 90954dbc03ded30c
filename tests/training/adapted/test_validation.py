"""Scores of a model in training: those of GAP, and those of each annotated corpus."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from adapted_corpora import write_adapted_corpora
from tiny import TINY_RECIPE

from petra.config import EncoderConfig, SupervisionConfig
from petra.encoder.pretrained import PretrainedEncoder
from petra.training.adapted.learner import AdaptedLearner
from petra.training.adapted.validation import Validation, validate
from petra.training.data.training_data import read_training_data


def test_the_best_epoch_is_chosen_by_gap_and_each_corpus_alike() -> None:
    scores = Validation(60.0, 0.3, span_f1={"litbank": 99.0, "gum": 1.0}, links_right={"litbank": 80.0, "gum": 73.0})
    assert scores.overall == pytest.approx((60 + 80 + 73) / 3)
    assert Validation(60.0, 0.3, {}, {}).overall == 60.0  # a recipe without passages


def test_each_corpus_is_scored_by_itself(tiny_encoder: Path, tmp_path: Path) -> None:
    recipe = replace(
        TINY_RECIPE,
        encoder=EncoderConfig(name=str(tiny_encoder), layers=(1, 3), window=20, margin=4),
        supervision=SupervisionConfig(passages=1, passage_tokens=80),
    )
    encoder = PretrainedEncoder.load(recipe.encoder)
    data = read_training_data(recipe, encoder.tokenizer, write_adapted_corpora(tmp_path))
    model = AdaptedLearner(recipe, encoder, seed=1, steps=1, device=torch.device("cpu"))
    both = validate(model, data.validation, data.held_out)
    assert both.span_f1.keys() == both.links_right.keys() == {"litbank", "gum"}
    for corpus, passages in data.held_out.items():
        (passage,) = passages
        alone = validate(model, data.validation, {corpus: passages})
        assert alone.links_right[corpus] == both.links_right[corpus]
        # The share of mentions is a whole number of them.
        rights = both.links_right[corpus] / 100 * len(passage.head)
        assert rights == pytest.approx(round(rights), abs=0.01)
