"""The span head fitted on features that stay as they are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from gap_samples import row, write_gap
from litbank_samples import write_litbank
from supervision_samples import write_names
from tiny import tiny_model, tiny_span_model

from petra.config import SpanConfig
from petra.corpora.annotated import AnnotatedDocument, GoldMention
from petra.domain import Kind
from petra.errors import ModelError
from petra.mentions.span_head import SpanHead
from petra.trained import load_trained
from petra.training.adapted.span_fit import LabelledText, excerpts, fit_spans, refit_spans, span_f1


def made_up(seed: int) -> LabelledText:
    """Twenty tokens; a mention is any two in a row of which the first has feature 0 and the second feature 1."""
    random = torch.Generator().manual_seed(seed)
    features = torch.rand(20, 4, generator=random) * 0.1
    kind = torch.zeros(20, 3, dtype=torch.int64)
    for first in (2, 9, 15):
        features[first, 0] += 2
        features[first + 1, 1] += 2
        kind[first, 1] = 1
    return LabelledText(features.half(), kind, torch.ones(20, 3))


def test_a_head_learns_what_begins_and_ends_a_mention() -> None:
    head = SpanHead(SpanConfig(max_width=3, size=16), 4, seed=1)
    assert span_f1(head, [made_up(0)]) == 0
    fit_spans(head, [made_up(seed) for seed in range(1, 130)], epochs=500)
    assert span_f1(head, [made_up(0)]) == 100
    assert not any(parameter.requires_grad for parameter in head.parameters())


def test_excerpts_are_sentences_with_their_mentions() -> None:
    text = 'Ada Vale wept. "Is Paul here?" Tom asked her. The man. Who lied. The boys left.'
    words: list[tuple[str, Kind]] = [("Ada Vale", "name"), ("Paul", "name"), ("The man. Who", "nominal")]
    mentions = tuple(GoldMention(text.index(word), text.index(word) + len(word), kind, word) for word, kind in words)
    marked = AnnotatedDocument(id="one", text=text, mentions=mentions)
    found = [part for seed in range(50) for part in excerpts(marked, np.random.default_rng(seed))]
    assert {part.text for part in found} >= {"Ada Vale wept.", '"Is Paul here?" Tom asked her.', "The boys left."}
    for part in found:
        assert [part.text[it.start : it.end] for it in part.mentions] == [
            word for word, _ in words if word in part.text
        ]
        assert ("The man." in part.text) == ("Who lied." in part.text)  # else a mention would be cut


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    write_litbank(tmp_path)
    write_gap(tmp_path / "gap/gap-development.tsv", row())
    write_names(tmp_path)
    return tmp_path


def test_a_model_keeps_everything_but_its_span_head(tiny_encoder: Path, tmp_path: Path, corpora: Path) -> None:
    folder = tiny_span_model(tmp_path / "model", tiny_encoder)
    before = load_trained(folder)
    reports: list[tuple[int, int]] = []
    after = refit_spans(folder, corpora, report=lambda done, whole: reports.append((done, whole)))
    whole = reports[-1][1]
    assert reports == [(done, whole) for done in range(1, whole + 1)]
    assert whole in (4, 5)  # two documents of LitBank, one of them once more in parts, and one of GAP
    changed = {name for name in before.weights if not torch.equal(before.weights[name], after.weights[name])}
    assert changed == {name for name in before.weights if name.startswith("spans.")}
    assert 0 <= after.record["span_f1"] <= 100


def test_a_model_without_a_span_head_is_told(tiny_encoder: Path, tmp_path: Path, corpora: Path) -> None:
    with pytest.raises(ModelError, match="has no span head to fit"):
        refit_spans(tiny_model(tmp_path / "model", tiny_encoder), corpora)
