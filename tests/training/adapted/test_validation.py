"""Scores of a model in training: those of GAP, and those of each annotated corpus."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from adapted_corpora import write_adapted_corpora
from marked_texts import marked
from tiny import TINY_RECIPE

from petra.config import EncoderConfig, SupervisionConfig
from petra.encoder.pretrained import PretrainedEncoder
from petra.text.tokenize import Tokenizer
from petra.training.adapted.learner import AdaptedLearner
from petra.training.adapted.passages import AnnotatedPassage, OwnDecision, by_head, decided_passage
from petra.training.adapted.validation import Validation, own_right, validate
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


def test_with_own_decisions_these_count() -> None:
    scores = Validation(60.0, 0.3, span_f1={}, links_right={"gum": 90.0}, own_right={"gum": 70.0})
    assert scores.overall == pytest.approx((60 + 70) / 2)


def test_own_decisions_are_right_where_the_person_chosen_stands_for_the_mention(tiny_encoder: Path) -> None:
    text = marked("Amelia met Paul. He left.", ("Amelia", "name", "a"), ("Paul", "name", "p"), ("He", "pronoun", "p"))
    document = Tokenizer.from_folder(tiny_encoder).tokenize(text.text)
    kept = by_head(document, text)

    def decided(*people: int) -> AnnotatedPassage:
        """Amelia is a new person, and right; Paul and He are of the people given; person 2 stands for Paul."""
        paul, he = people
        lost = OwnDecision(he, [1], [{}, {}], None, False)
        known = OwnDecision(he, [1, 2], [{}, {}, {}], 2, True)
        first = [OwnDecision(1, [], [{}], None, True), OwnDecision(paul, [1], [{}, {}], None, True)]
        return decided_passage(document, text, kept, [*first, known if paul == 2 else lost])

    assert own_right([decided(2, 2)]) == 100
    assert own_right([decided(2, 1)]) == pytest.approx(100 * 2 / 3, abs=0.01)
    assert own_right([decided(1, 1)]) == 50  # Paul was no new person; of He nothing can be told
