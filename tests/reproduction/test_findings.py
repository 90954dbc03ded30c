"""Each of the paper's findings with runs that speak for it, and with runs that speak against it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from study_samples import grid, results

from petra.evaluation.count_baselines import CountBaselines
from petra.reproduction.findings import Finding, findings
from petra.reproduction.grid import GridConfig, GridRun
from petra.reproduction.results import Results

MODELS = ["vanilla", "learned-init", "fixed-key", "referential-reader"]
IMPROVES, DEGRADES, NO_INITIALISATION, COUNTS, CORRELATES, PREFERS = range(6)
BEATS, ABOVE, FEW, COUNT_WORSE, SMALLER = range(6, 11)
Measured = Callable[[GridRun], dict[str, Any] | None]


def paper(**settings: Any) -> GridConfig:
    return grid(models=MODELS, cells=[2, 4, 6, 8, 14], seeds=[1, 2, 3], **settings)


def jitter(run: GridRun) -> float:
    """Half a point between seeds, so that a little is chance."""
    return (run.seed - 2) / 2


def as_in_the_paper(run: GridRun) -> dict[str, Any]:
    """PeTra rises and saturates, the reader falls; PeTra counts best and correlates best; learned variants prefer."""
    is_reader, is_learned = run.model == "referential-reader", run.model in ("learned-init", "fixed-key")
    rise = {2: 67.0, 4: 73.0, 6: 81.0, 8: 81.2, 14: 81.3}[run.cells]
    f1 = (79.0 - run.cells if is_reader else rise) + jitter(run)
    error = round(200 - f1) if run.model == "vanilla" else 140 + run.seed * run.cells + 100 * is_learned
    kl = 0.8 / run.seed if is_learned else 0.01
    parameters = 1500 if is_reader else 1000
    scores = {"validation_f1": f1, "test_f1": f1 - 1, "count_error_best": error}
    return {**scores, "overwrite_kl": kl, "parameters": parameters}


def check(place: int, measured: Measured, of: GridConfig | None = None) -> Finding:
    return findings(results(of or paper(), measured))[place]


@pytest.mark.parametrize("place", range(11))
def test_runs_as_in_the_paper_support_it(place: int) -> None:
    finding = check(place, as_in_the_paper)
    assert finding.verdict == "supported", finding.evidence


def changed(models: str, **measured: Any) -> Measured:
    """The same but for some models."""
    return lambda run: {**as_in_the_paper(run), **(measured if run.model in models.split() else {})}


def falling(run: GridRun) -> dict[str, Any]:
    return {**as_in_the_paper(run), "validation_f1": 80.0 - run.cells + jitter(run)}


def rising(run: GridRun) -> dict[str, Any]:
    return {**as_in_the_paper(run), "validation_f1": 60.0 + run.cells**2 + jitter(run)}


@pytest.mark.parametrize(
    ("place", "measured"),
    [
        (IMPROVES, falling),
        (IMPROVES, rising),  # it improves, but does not saturate
        (IMPROVES, changed("vanilla", validation_f1=75.0)),
        (DEGRADES, rising),
        (DEGRADES, changed("referential-reader", validation_f1=75.0)),
        (NO_INITIALISATION, changed("fixed-key", test_f1=90.0)),
        (COUNTS, changed("referential-reader", count_error_best=50)),
        (CORRELATES, changed("vanilla", count_error_best=100)),
        (PREFERS, changed("learned-init", overwrite_kl=0.05)),
        (PREFERS, changed("vanilla", overwrite_kl=2.0)),
        (BEATS, changed("referential-reader", test_f1=90.0)),
        (ABOVE, changed("referential-reader", validation_f1=90.0)),
        (ABOVE, falling),
        (FEW, changed("fixed-key", validation_f1=90.0)),
        (COUNT_WORSE, changed("learned-init", count_error_best=50)),
        (SMALLER, changed("vanilla", parameters=2000)),
    ],
)
def test_other_runs_do_not(place: int, measured: Measured) -> None:
    finding = check(place, measured)
    assert finding.verdict == "not supported", finding.evidence


def test_a_difference_within_chance_does_not_count() -> None:
    # Fixed Key is half a point ahead; seeds differ by a point or more.
    def close(run: GridRun) -> dict[str, Any]:
        test_f1 = 79.0 + 2 * jitter(run) + 0.5 * (run.model == "fixed-key")
        return {**as_in_the_paper(run), "test_f1": test_f1}

    finding = check(NO_INITIALISATION, close)
    assert finding.verdict == "supported"
    assert "PeTra + Fixed Key 79.5 (+0.5, where chance explains 1.6)" in finding.evidence


def test_a_lead_within_chance_is_left_to_chance() -> None:
    # The errors of seeds are 10 apart, so means of three differ by 2 * 10 * sqrt(2 / 3) = 16.3 by chance.
    def counted(lead: int) -> Measured:
        errors = {"vanilla": 100 - lead, "fixed-key": 100}
        return lambda run: {
            **as_in_the_paper(run),
            "count_error_best": errors.get(run.model, 200) + 10 * (run.seed - 2),
        }

    evidence = check(COUNTS, counted(10)).evidence
    assert "differs from the best of the others by -10.0, where chance explains 16.3" in evidence
    found = [check(COUNTS, counted(lead)).verdict for lead in (17, 10, 0, -10, -17)]
    assert found == ["supported", *["within chance"] * 3, "not supported"]


def test_correlations_as_close_as_each_other_are_left_to_chance() -> None:
    def alike(run: GridRun) -> dict[str, Any]:
        measured = as_in_the_paper(run)
        return {**measured, "count_error_best": round(1000 - 10 * measured["validation_f1"])}

    finding = check(CORRELATES, alike)
    assert finding.verdict == "within chance"
    assert "PeTra's lies 0.0 standard errors below the highest of the others" in finding.evidence


def test_the_evidence_has_the_numbers() -> None:
    evidence = check(IMPROVES, as_in_the_paper).evidence
    assert "67.0 with 2 cells and highest, 81.3, with 14: +14.3" in evidence
    assert "+14.0 from 2 to 6 cells and by +0.3 from 6 to 14" in evidence
    evidence = check(DEGRADES, as_in_the_paper).evidence
    assert "highest, 77.0, with 2 cells, and 65.0 with 14: -12.0" in evidence
    evidence = check(ABOVE, as_in_the_paper).evidence  # three models with 6, 8 and 14 cells against 77.0
    assert "Of 9 differences 9 are in the paper's direction, 9 by more than chance" in evidence
    assert "from +4.0 F1 (PeTra with 6 cells) to +4.3 (PeTra with 14 cells)" in evidence
    assert (
        "PeTra has 1,000 at any size, the Referential Reader 1,500 to 1,500: 33 % fewer."
        in check(SMALLER, as_in_the_paper).evidence
    )


def test_a_best_size_that_chance_may_have_chosen_is_left_to_chance() -> None:
    # Best with 8 cells by 0.1, where means of three seeds half a point apart differ by 2 * 0.5 * sqrt(2 / 3) = 0.8.
    def best_with_eight(by: float) -> Measured:
        f1 = {2: 77.0, 4: 77.0, 6: 77.0, 8: 77.0 + by, 14: 70.0}
        return lambda run: {**as_in_the_paper(run), "validation_f1": f1[run.cells] + jitter(run)}

    finding = check(DEGRADES, best_with_eight(0.1))
    assert finding.verdict == "within chance"
    assert "With 2 cells, the best of up to 6, it is -0.1, where chance explains 0.8." in finding.evidence
    assert check(DEGRADES, best_with_eight(2.0)).verdict == "not supported"


def test_a_size_within_chance_leaves_every_size_to_chance() -> None:
    def close(run: GridRun) -> dict[str, Any]:
        is_close = (run.model, run.cells) == ("fixed-key", 6)
        return {**as_in_the_paper(run), **({"validation_f1": 77.1 + jitter(run)} if is_close else {})}

    assert check(ABOVE, close).verdict == "within chance"


def test_grids_that_contradict_each_other_are_judged_together() -> None:
    # GAP test: PeTra leads by 2 in one grid and is 1 behind in the other, each without any spread. Together it
    # leads by 0.5, and the standard errors of the grids' means are 1.5 and 0: chance explains 3.
    def tested(lead: float) -> Measured:
        return lambda run: {**as_in_the_paper(run), "test_f1": 79.0 + lead * (run.model == "vanilla")}

    parts = [replace(results(paper(), tested(lead)), name=name) for name, lead in (("one", 2.0), ("two", -1.0))]
    finding = findings(Results.joined(parts))[BEATS]
    assert finding.verdict == "within chance"
    assert "+0.5, where chance explains 3.0. Each grid by itself: one supported and two not supported." in (
        finding.evidence
    )


def test_what_counting_costs_without_a_model_stands_beside() -> None:
    baselines = CountBaselines(
        documents=100, best_constant=3, error_best_constant=140, error_constant_two_fold=141, error_names=148
    )
    known = replace(results(paper(), as_in_the_paper), baselines=baselines)
    words = "Saying 3 of every text costs 140, counting each name once 148."
    assert [words in finding.evidence for finding in findings(known)].count(True) == 2


def test_while_runs_are_missing_it_is_open() -> None:
    def without(run: GridRun) -> dict[str, Any] | None:
        return None if (run.model, run.cells, run.seed) == ("vanilla", 8, 3) else as_in_the_paper(run)

    found = findings(results(paper(), without))
    assert found[IMPROVES].verdict == "open"
    assert found[IMPROVES].evidence.startswith("1 runs are missing. So far: Mean validation F1 is 67.0")
    assert found[DEGRADES].verdict == "supported"  # it speaks of another model


def test_a_contest_is_lost_once_it_is_lost() -> None:
    def measured(run: GridRun) -> dict[str, Any] | None:
        if (run.model, run.cells) == ("referential-reader", 8):
            return None
        return {**as_in_the_paper(run), **({"count_error_best": 10} if run.model == "fixed-key" else {})}

    counts = check(COUNTS, measured)
    assert counts.verdict == "not supported"
    assert counts.evidence.startswith("3 runs are missing, which cannot help. The lowest mean error: PeTra 118.7")
    assert check(CORRELATES, measured).verdict == "open"  # of a model that always errs alike there is no correlation


def test_a_contest_is_open_while_only_a_part_of_a_model_wins() -> None:
    errors = {"vanilla": 100, "learned-init": 110, "fixed-key": 110, "referential-reader": 90}

    def measured(run: GridRun) -> dict[str, Any] | None:
        is_missing = (run.model, run.cells) == ("referential-reader", 8)
        return None if is_missing else {**as_in_the_paper(run), "count_error_best": errors[run.model]}

    assert check(COUNTS, measured).verdict == "open"


def test_without_a_model_there_is_nothing_to_say() -> None:
    found = findings(results(paper(), lambda run: None if run.model == "fixed-key" else as_in_the_paper(run)))
    assert [finding.verdict for finding in found[2:BEATS]] == ["open"] * 4
    assert found[COUNTS].evidence == "No runs of PeTra + Fixed Key."
    assert {finding.verdict for finding in findings(results(paper(), lambda _: None))} == {"open"}


def test_from_a_part_of_the_texts_nothing_follows() -> None:
    finding = check(IMPROVES, as_in_the_paper, paper(training_texts=50))
    assert (finding.verdict, finding.evidence[:28]) == ("open", "Only a part of GAP was used.")


def test_runs_that_cannot_be_compared_are_no_support() -> None:
    finding = check(CORRELATES, lambda run: {**as_in_the_paper(run), "count_error_best": 100})
    assert finding.verdict == "not supported"
    assert "PeTra none" in finding.evidence
    assert check(PREFERS, lambda run: {**as_in_the_paper(run), "overwrite_kl": None}).verdict == "not supported"
