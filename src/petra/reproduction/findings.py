"""What the paper finds, as statements that our runs speak for or against.

A difference of two means counts if it is larger than chance explains: two standard
errors of the difference (``measures.noise``). Who is the best of all is left to chance
where the lead over the next one does not count. A statement stays open while runs that
it rests on are missing, or if they saw only a part of GAP. That PeTra is the best of all
is lost as soon as one whole model has beaten it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

from petra.config import Variant
from petra.reproduction.analysis import at_best_size, cell_use, correlation, lowest_count_error
from petra.reproduction.measures import errors_apart, noise
from petra.reproduction.published import TITLES
from petra.reproduction.results import Results
from petra.reproduction.words import listed

Verdict = Literal["supported", "not supported", "within chance", "open"]

_LEARNED: Final[tuple[Variant, ...]] = ("learned-init", "fixed-key")
_ALL: Final[tuple[Variant, ...]] = ("vanilla", *_LEARNED, "referential-reader")
PREFERENCE = 0.1  # nats of KL from uniform above which a model is said to prefer some cells
_A_FEW = 6  # cells; the paper's Referential Reader is best with 4 (BERT base) and 6 (BERT large)


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """A statement of the paper and what our runs say to it."""

    statement: str
    published: str
    verdict: Verdict
    evidence: str


class _Answer(NamedTuple):
    holds: bool
    evidence: str
    is_clear: bool = True  # chance does not explain it


class _Statement(NamedTuple):
    words: str
    published: str
    models: tuple[Variant, ...]  # that it speaks of
    check: Callable[[Results], _Answer]
    is_contest: bool = False  # PeTra against all others: lost if lost against some


def findings(results: Results) -> tuple[Finding, ...]:
    """The paper's six findings, checked."""
    return tuple(_judged(statement, results) for statement in _STATEMENTS)


def _judged(statement: _Statement, results: Results) -> Finding:
    absent = [TITLES[model] for model in statement.models if not results.at(model)]
    waiting = [run for run in results.missing if run.model in statement.models]
    if absent:
        return _finding(statement, "open", f"No runs of {listed(absent)}.")
    holds, evidence, is_clear = statement.check(results)
    if results.is_partial:
        return _finding(statement, "open", f"Only a part of GAP was used. {evidence}")
    if waiting and statement.is_contest and _is_lost(statement, results):
        return _finding(statement, "not supported", f"{len(waiting)} runs are missing, which cannot help. {evidence}")
    if waiting:
        return _finding(statement, "open", f"{len(waiting)} runs are missing. So far: {evidence}")
    if not is_clear:
        return _finding(statement, "within chance", evidence)
    return _finding(statement, "supported" if holds else "not supported", evidence)


def _is_lost(statement: _Statement, results: Results) -> bool:
    """Whether PeTra, all of whose runs are there, is beaten by others all of whose runs are."""
    waiting = {run.model for run in results.missing}
    whole = replace(results, records=tuple(record for record in results.records if record.run.model not in waiting))
    if "vanilla" in waiting or waiting.issuperset(statement.models[1:]):
        return False
    answer = statement.check(whole)
    return answer.is_clear and not answer.holds


def _finding(statement: _Statement, verdict: Verdict, evidence: str) -> Finding:
    return Finding(statement=statement.words, published=statement.published, verdict=verdict, evidence=evidence)


def _improves_then_saturates(results: Results) -> _Answer:
    """More than chance from the fewest cells to the best, and less than half as fast in the larger half of sizes."""
    means = results.by_cells("vanilla", "validation_f1")
    sizes = list(means)
    fewest, middle, most = sizes[0], sizes[len(sizes) // 2], sizes[-1]
    best = results.best_size("vanilla") or fewest
    gain, chance = means[best].mean - means[fewest].mean, noise(means[best], means[fewest])
    early, late = means[middle].mean - means[fewest].mean, means[most].mean - means[middle].mean
    return _Answer(
        gain > chance and late * (middle - fewest) < early * (most - middle) / 2,
        f"Mean validation F1 is {means[fewest].mean:.1f} with {fewest} cells and highest, {means[best].mean:.1f}, with "
        f"{best}: {gain:+.1f}, where chance explains {chance:.1f}. "
        f"It changes by {early:+.1f} from {fewest} to {middle} cells and by {late:+.1f} from {middle} to {most}.",
    )


def _degrades(results: Results) -> _Answer:
    means = results.by_cells("referential-reader", "validation_f1")
    best, most = results.best_size("referential-reader") or min(means), max(means)
    loss, chance = means[best].mean - means[most].mean, noise(means[best], means[most])
    return _Answer(
        best <= _A_FEW and loss > chance,
        f"Mean validation F1 is highest, {means[best].mean:.1f}, with {best} cells, and {means[most].mean:.1f} with "
        f"{most}: {-loss:+.1f}, where chance explains {chance:.1f}.",
    )


def _needs_no_initialisation(results: Results) -> _Answer:
    scores = {model: at_best_size(results, model) for model in ("vanilla", *_LEARNED)}
    own = scores["vanilla"]
    parts, holds = [], True
    for model in _LEARNED:
        other = scores[model]
        if own is None or other is None:
            continue
        lead, chance = other.test_f1.mean - own.test_f1.mean, noise(other.test_f1, own.test_f1)
        holds = holds and lead <= chance
        parts.append(f"{TITLES[model]} {other.test_f1.mean:.1f} ({lead:+.1f}, where chance explains {chance:.1f})")
    plain = own.test_f1.mean if own else 0.0
    return _Answer(holds, f"GAP test F1 at the best size: PeTra {plain:.1f}, {listed(parts)}.")


def _counts_best(results: Results) -> _Answer:
    lowest = {model: found for model in _ALL if (found := lowest_count_error(results, model))}
    own = lowest["vanilla"].error
    next_best = min((found.error for model, found in lowest.items() if model != "vanilla"), key=lambda it: it.mean)
    by_cells = {model: results.by_cells(model, "count_error_best") for model in lowest}
    sizes = [cells for cells in results.cells if all(cells in means for means in by_cells.values())]
    wins = sum(
        all(by_cells["vanilla"][cells].mean < by_cells[model][cells].mean for model in by_cells if model != "vanilla")
        for cells in sizes
    )
    parts = [f"{TITLES[model]} {found.error.mean:.1f} ({found.cells} cells)" for model, found in lowest.items()]
    lead, chance = own.mean - next_best.mean, noise(own, next_best)
    return _Answer(
        lead < 0,
        f"The lowest mean error: {listed(parts)}. PeTra's differs from the best of the others by "
        f"{lead:+.1f}, where chance explains {chance:.1f}; it is the lowest at {wins} of {len(sizes)} sizes.",
        abs(lead) > chance,
    )


def _correlates_best(results: Results) -> _Answer:
    found = {model: correlation(results, model) for model in _ALL}
    parts = [f"{TITLES[model]} {'none' if value is None else f'{value:.2f}'}" for model, value in found.items()]
    evidence = f"Spearman's correlation over all runs: {listed(parts)}."
    own = found["vanilla"]
    others = {model: value for model, value in found.items() if model != "vanilla" and value is not None}
    if own is None or not others:
        return _Answer(False, evidence)
    next_best = max(others, key=others.__getitem__)
    runs = len(results.at("vanilla")), len(results.at(next_best))
    apart = errors_apart(own, others[next_best], *runs)
    return _Answer(
        apart > 0,
        f"{evidence} PeTra's lies {abs(apart):.1f} standard errors {'above' if apart > 0 else 'below'} the highest of "
        "the others, where chance explains 2.",
        abs(apart) > 2,
    )


def _worst_prefer_cells(results: Results) -> _Answer:
    found = {model: cell_use(results, model) for model in _ALL}
    known = {model: use for model, use in found.items() if use is not None}
    even = max((use.worst for model, use in known.items() if model not in _LEARNED), default=0.0)
    holds = all(model in known and known[model].worst > max(known[model].best, even, PREFERENCE) for model in _LEARNED)
    parts = [f"{TITLES[model]} {use.best:.2f} and {use.worst:.2f}" for model, use in known.items()]
    return _Answer(
        holds,
        f"KL from uniform, best and worst runs: {listed(parts)}. "
        f"Above {PREFERENCE} a model is said to prefer some cells.",
    )


_STATEMENTS: Final[Sequence[_Statement]] = (
    _Statement(
        "PeTra improves with more memory cells before it saturates.",
        "Validation F1 keeps improving with memory size, then saturates at a higher number of cells (figure 3).",
        ("vanilla",),
        _improves_then_saturates,
    ),
    _Statement(
        "The Referential Reader degrades beyond a few cells.",
        "Its validation F1 degrades after 4 cells (BERT base) and after 6 (BERT large; figure 3).",
        ("referential-reader",),
        _degrades,
    ),
    _Statement(
        "Vanilla PeTra needs no learned initialisation.",
        "GAP test F1: PeTra 81.5 and 85.3, + Learned Init 80.9 and 84.4, + Fixed Key 81.1 and 85.1 (BERT base, large).",
        ("vanilla", *_LEARNED),
        _needs_no_initialisation,
    ),
    _Statement(
        "PeTra counts people best.",
        "With either encoder PeTra achieves the lowest error (figure 4).",
        _ALL,
        _counts_best,
        is_contest=True,
    ),
    _Statement(
        "F1 and counting go together most closely in PeTra.",
        "Spearman 0.76 and 0.69 for PeTra; 0.72 or less and 0.65 or less for the others (BERT base, large).",
        _ALL,
        _correlates_best,
        is_contest=True,
    ),
    _Statement(
        "The worst runs of the learned variants prefer some cells.",
        "KL from uniform, best and worst: + Learned Init 0.3 and 0.83, + Fixed Key 0.2 and 0.8; others 0.05 or less.",
        _ALL,
        _worst_prefer_cells,
    ),
)
