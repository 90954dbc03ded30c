from __future__ import annotations

import re
from pathlib import Path

import pytest
from listed_people import ByHand, person
from litbank_samples import write_litbank

from petra import Tracker
from petra.domain import Person
from petra.evaluation.as_json import litbank_run_as_json
from petra.evaluation.litbank import evaluate_litbank


def found(text: str) -> tuple[Person, ...]:
    """Ada Vale and her pronouns, and one brother of the two mentions that are nominal."""
    return (
        person(1, text, *(word(text, it) for it in ("Ada Vale", "I", "she", "her"))),
        person(2, text, *(word(text, it) for it in ("Ada Vale's brother", "Kew"))),
    )


def word(text: str, words: str) -> tuple[int, int]:
    """Where some words first stand whole in a text."""
    place = re.search(rf"\b{words}\b", text)
    assert place is not None
    return place.span()


@pytest.fixture
def litbank(tmp_path: Path) -> Path:
    write_litbank(tmp_path)
    return tmp_path


def test_what_a_model_finds_is_scored(litbank: Path) -> None:
    # Gold: Ada (4 mentions), her brother (3), a nurse (1). Found: Ada whole; the brother once, and Kew with him.
    # Mentions: 5 of 8 found, 5 of 6 right. MUC: R = (3 + 0) / (3 + 2), P = (3 + 0) / (3 + 1).
    # B-cubed: R = (4 + 1/3) / 8, P = (4 + 1/2) / 6. CEAF-e: 1 + 2/5: R = 1.4/3, P = 1.4/2.
    # LEA: R = (4 + 0 + 0) / 8, P = (4 + 0) / 6.
    model, read = ByHand(found), list[tuple[int, int]]()
    run = evaluate_litbank(
        model, litbank, "validation", 7, cells=4, threshold=0.5, report=lambda *done: read.append(done)
    )
    assert model.asked == [(4, 0.5)]
    assert read == [(1, 1)]
    result = litbank_run_as_json(run)
    assert {name: result[name] for name in ("schema", "model", "split", "fold", "documents")} == {
        "schema": "petra.evaluation/1",
        "model": "by-hand",
        "split": "validation",
        "fold": 7,
        "documents": 1,
    }
    assert result["recall"] == pytest.approx(
        {"muc": 60, "b_cubed": 100 * 13 / 24, "ceaf_e": 140 / 3, "lea": 50, "mention": 62.5}
    )
    assert result["precision"] == pytest.approx(
        {"muc": 75, "b_cubed": 75, "ceaf_e": 70, "lea": 200 / 3, "mention": 500 / 6}
    )
    assert result["muc"] == pytest.approx(200 / 3)
    assert result["mention_f1"] == pytest.approx(100 * 10 / 14)
    assert result["conll"] == pytest.approx((result["muc"] + result["b_cubed"] + result["ceaf_e"]) / 3)


def test_a_real_tracker_is_a_finder(litbank: Path, tiny_tracker: Tracker) -> None:
    run = evaluate_litbank(tiny_tracker, litbank)
    assert run.score.documents == 1
