from __future__ import annotations

from pathlib import Path

from gum_samples import write_gum
from listed_people import ByHand, person, span
from litbank_samples import write_litbank

from petra.domain import Person
from petra.evaluation.as_json import corpus_count_run_as_json
from petra.evaluation.corpus_count import evaluate_corpus_count, score_corpus_count


def test_errors_are_summed_beside_those_of_constant_guesses() -> None:
    # |3 - 2| + |4 - 4| + |5 - 9| = 5. The median is 4: 2 + 0 + 5 = 7. The mean is 5: 3 + 1 + 4 = 8.
    score = score_corpus_count([3, 4, 5], [2, 4, 9])
    assert (score.found, score.annotated, score.error) == (12, 15, 5)
    assert (score.best_constant, score.error_best_constant) == (4, 7)
    assert (score.mean_constant, score.error_mean_constant) == (5, 8)


def ada_alone(text: str) -> tuple[Person, ...]:
    """Ada Vale by one mention."""
    return (person(1, text, span(text, "Ada Vale")),)


def test_people_of_gum_are_counted(tmp_path: Path) -> None:
    # Annotated: three people of two mentions or more.
    write_gum(tmp_path)
    run = evaluate_corpus_count(ByHand(ada_alone), tmp_path, "gum")
    result = corpus_count_run_as_json(run)
    assert (result["schema"], result["model"], result["corpus"]) == ("petra.evaluation/1", "by-hand", "gum")
    assert result["documents"] == 1
    assert (result["everybody"]["error"], result["mentioned_again"]["error"]) == (2, 3)
    assert result["mentioned_again"]["error_best_constant"] == 0


def test_people_of_litbank_are_counted(tmp_path: Path) -> None:
    # Annotated: three people, of whom two are mentioned again.
    write_litbank(tmp_path)
    run = evaluate_corpus_count(ByHand(ada_alone), tmp_path, "litbank")
    assert (run.everybody.annotated, run.mentioned_again.annotated) == (3, 2)
