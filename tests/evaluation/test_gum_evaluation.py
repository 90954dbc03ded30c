from __future__ import annotations

from pathlib import Path

import pytest
from gum_samples import TEXT, write_gum
from listed_people import ByHand, person, span

from petra import Tracker
from petra.domain import Person
from petra.evaluation.as_json import gum_run_as_json
from petra.evaluation.gum import evaluate_gum


def found(text: str) -> tuple[Person, ...]:
    """Ada by five mentions, of which "She" is shorter than annotated and "Kew" is none; her brother by two."""
    ada = ("Dr. Ada Vale", "She", "Kew")
    brother = ("Dr. Ada Vale's brother", "him")
    last = [span(text, words, after="him.") for words in ("Ada", "her")]
    return (
        person(1, text, *(span(text, words) for words in ada), *last),
        person(2, text, *(span(text, words) for words in brother)),
    )


@pytest.fixture
def gum(tmp_path: Path) -> Path:
    write_gum(tmp_path)
    return tmp_path


def test_what_a_model_finds_is_scored_in_both_ways(gum: Path) -> None:
    # Gold: the two together (2 mentions), Ada (4), her brother (3). Found: 7, of which 5 by span and 6 by head.
    model, read = ByHand(found), list[tuple[int, int]]()
    run = evaluate_gum(model, gum, "dev", cells=4, threshold=0.5, report=lambda *done: read.append(done))
    assert model.asked == [(4, 0.5)]
    assert read == [(1, 1)]
    result = gum_run_as_json(run)
    assert (result["schema"], result["model"], result["split"]) == ("petra.evaluation/1", "by-hand", "dev")
    exact, head = result["exact"], result["head"]
    assert exact["recall"]["mention"] == pytest.approx(500 / 9)
    assert exact["precision"]["mention"] == pytest.approx(500 / 7)
    assert head["recall"]["mention"] == pytest.approx(600 / 9)
    # MUC by heads: R = (0 + 3 + 1) / (1 + 3 + 2), P = (3 + 1) / (4 + 1).
    assert (head["recall"]["muc"], head["precision"]["muc"]) == pytest.approx((400 / 6, 80))
    assert set(exact) == set(head) >= {"muc", "b_cubed", "ceaf_e", "conll", "lea", "mention_f1", "documents"}
    assert result["genres"] == {
        "bio": {
            "exact": {"mention_f1": exact["mention_f1"], "conll": exact["conll"]},
            "head": {"mention_f1": head["mention_f1"], "conll": head["conll"]},
            "documents": 1,
        }
    }


def test_genres_are_scored_by_themselves(gum: Path) -> None:
    run = evaluate_gum(ByHand(found), gum, "train")
    assert {genre: score.head.documents for genre, score in run.genres.items()} == {"bio": 1, "news": 1}
    assert run.score.head.documents == 2
    assert run.genres["news"].head.conll == pytest.approx(run.score.head.conll)


def test_a_real_tracker_is_a_finder(gum: Path, tiny_tracker: Tracker) -> None:
    assert evaluate_gum(tiny_tracker, gum).score.exact.documents == 1


def test_the_sample_is_the_text_that_is_read() -> None:
    assert [it.text for it in found(TEXT)[0].mentions] == ["Dr. Ada Vale", "She", "Kew", "Ada", "her"]
