"""The span head fitted on features that stay as they are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from adapted_corpora import write_adapted_corpora
from marked_texts import marked
from tiny import tiny_model, tiny_span_model

from petra.config import SpanConfig, SupervisionConfig
from petra.errors import ModelError
from petra.mentions.span_head import SpanHead
from petra.text.tokenize import Tokenizer
from petra.trained import load_trained, save_trained
from petra.training.adapted.span_fit import LabelledText, fit_spans, refit_spans, span_f1, whole_labels


def made_up(seed: int) -> LabelledText:
    """Twenty tokens; a mention is any two in a row of which the first has feature 0 and the second feature 1."""
    random = torch.Generator().manual_seed(seed)
    features = torch.rand(20, 4, generator=random) * 0.1
    kind = torch.zeros(20, 3, dtype=torch.int64)
    for first in (2, 9, 15):
        features[first, 0] += 2
        features[first + 1, 1] += 2
        kind[first, 1] = 1
    # Where feature 2 is high, the name is a woman's.
    features[9:11, 2] += 2
    names = torch.tensor([(first, first + 1, first == 9) for first in (2, 9, 15)])
    return LabelledText(features.half(), kind, torch.ones(20, 3), names)


def test_a_head_learns_what_begins_and_ends_a_mention() -> None:
    head = SpanHead(SpanConfig(max_width=3, size=16, name_gender=True), 4, seed=1)
    assert span_f1(head, [made_up(0)]) == 0
    fit_spans(head, [made_up(seed) for seed in range(1, 130)], epochs=500)
    assert span_f1(head, [made_up(0)]) == 100
    features, first = made_up(0).features.float(), torch.tensor([2, 9, 15])
    women = head.feminine_scores_of(features[first], features[first + 1], torch.ones(3, dtype=torch.int64)) > 0
    assert women.tolist() == [False, True, False]
    assert not any(parameter.requires_grad for parameter in head.parameters())


def test_all_spans_of_whole_words_are_labelled(tiny_encoder: Path) -> None:
    text = "Lena's sister met Nell."
    annotated = marked(
        text, ("Lena's sister", "nominal", "sister"), (">Lena", "name", "lena"), ("Nell", "name", "nell")
    )
    document = Tokenizer.from_folder(tiny_encoder).tokenize(text)  # lena ' s sister met n e l l .
    labels = whole_labels(document, annotated, 4)
    # First token and width less 1 -> kind, from 1: a name, a nominal, a name in four pieces.
    assert {tuple(place): labels.kind[tuple(place)] for place in np.argwhere(labels.kind).tolist()} == {
        (0, 0): 1,
        (0, 3): 2,
        (5, 3): 1,
    }
    assert labels.weight[5].tolist() == [0, 0, 0, 1]  # a part of a word is no span
    assert not whole_labels(document, annotated, 3).kind[:, 1:].any()  # too wide for the head


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    return write_adapted_corpora(tmp_path)


def test_a_model_keeps_everything_but_its_span_head(tiny_encoder: Path, tmp_path: Path, corpora: Path) -> None:
    folder = tiny_span_model(tmp_path / "model", tiny_encoder)
    before = load_trained(folder)
    asks = replace(before.config, supervision=SupervisionConfig(synthetic_documents=5))
    reports: list[tuple[int, int]] = []
    after = refit_spans(replace(before, config=asks), corpora, report=lambda done, whole: reports.append((done, whole)))
    whole = reports[-1][1]
    assert reports == [(done, whole) for done in range(1, whole + 1)]
    # Two documents of LitBank and two of GUM, once more in one or two parts each, five synthetic ones and six of GAP.
    assert 4 + 4 + 5 + 6 <= whole <= 4 + 8 + 5 + 6
    changed = {name for name in before.weights if not torch.equal(before.weights[name], after.weights[name])}
    assert changed == {name for name in before.weights if name.startswith("spans.")}
    assert after.record["span_f1"].keys() == {"litbank", "gum"}
    assert all(0 <= score <= 100 for score in after.record["span_f1"].values())
    assert save_trained(folder, after).record["span_f1"] == after.record["span_f1"]


def test_a_model_without_a_span_head_is_told(tiny_encoder: Path, tmp_path: Path, corpora: Path) -> None:
    with pytest.raises(ModelError, match="has no span head to fit"):
        refit_spans(load_trained(tiny_model(tmp_path / "model", tiny_encoder)), corpora)
