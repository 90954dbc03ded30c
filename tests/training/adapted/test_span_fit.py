"""The span head fitted on features that stay as they are."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from gap_samples import row, write_gap
from litbank_samples import write_litbank
from supervision_samples import write_names
from tiny import tiny_model, tiny_span_model

from petra.config import SpanConfig
from petra.encoder.span_head import SpanHead
from petra.errors import ModelError
from petra.trained import load_trained
from petra.training.adapted.span_fit import LabelledText, fit_spans, refit_spans, span_f1


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
    assert reports == [(1, 3), (2, 3), (3, 3)]  # two documents of LitBank and one of GAP
    changed = {name for name in before.weights if not torch.equal(before.weights[name], after.weights[name])}
    assert changed == {name for name in before.weights if name.startswith("spans.")}
    assert 0 <= after.record["span_f1"] <= 100


def test_a_model_without_a_span_head_is_told(tiny_encoder: Path, tmp_path: Path, corpora: Path) -> None:
    with pytest.raises(ModelError, match="has no span head to fit"):
        refit_spans(tiny_model(tmp_path / "model", tiny_encoder), corpora)
