from __future__ import annotations

from pathlib import Path

import pytest
from tiny import tiny_span_model

import petra
from petra.training import written_scores as module
from petra.training.data.written_texts import written_documents
from petra.training.written_scores import written_scores


def test_mentions_are_counted_by_kind_pronoun_and_file(
    tiny_encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = tuple(each for each in written_documents("held_out") if each.id.startswith(("meaning", "they")))[:40]
    monkeypatch.setattr(module, "written_documents", lambda part: some)
    scores = written_scores(petra.load(tiny_span_model(tmp_path / "model", tiny_encoder)))
    assert scores["texts"] == len(some)
    kinds = [scores[kind]["mentions"] for kind in ("name", "nominal", "pronoun")]
    assert sum(kinds) == sum(len(each.mentions) for each in some)
    files = [value["mentions"] for name, value in scores.items() if name.startswith("file ")]
    assert sum(files) == scores["pronoun"]["mentions"]
    assert 0 <= scores["he, she"]["percent"] <= 100
