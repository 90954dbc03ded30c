"""What the paper finds, as statements that our runs speak for or against.

A difference of two means counts if it is larger than chance explains: two standard
errors of the difference (``measures.noise``). Who is the best of all is left to chance
where the lead over the next one does not count. A statement stays open while runs that
it rests on are missing, or if they saw only a part of GAP. That PeTra is the best of all
is lost as soon as one whole model has beaten it. What is said of every size holds if it
does at each by more than chance, and not if one size says the contrary by more than chance.
Where a grid was made several times all its runs are judged together, and the verdict of
each grid by itself stands beside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

from petra.config import Variant
from petra.publication.spreads import noise
from petra.reproduction.analysis import at_best_size, cell_use, correlation, cost, lowest_count_error
from petra.reproduction.measures import standard_errors_between
from petra.reproduction.published import MODEL_TITLES
from petra.reproduction.results import Measure, Results
from petra.reproduction.words import listed

FindingVerdict = Literal["supported", "not supported", "within chance", "open"]

_LEARNED: Final[tuple[Variant, ...]] = ("learned-init", "fixed-key")
_ALL: Final[tuple[Variant, ...]] = ("vanilla", *_LEARNED, "referential-reader")
PREFERENCE = 0.1  # nats of KL from uniform above which a model is said to prefer some cells
_A_FEW = 6  # cells; the paper's Referential Reader is best with 4 (BERT base) and 6 (BERT large)
_ENOUGH = 6  # cells from which on the paper has PeTra and its variants above the Referential Reader's best
_MANY = 14  # cells from which on the paper's variants count worse than the Referential Reader (BERT large)


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """A statement of the paper and what our runs say to it."""

    statement: str
    published: str
    verdict: FindingVerdict
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


class _Difference(NamedTuple):
    """How far one mean lies above another, and how far it may by chance."""

    where: str
    value: float
    chance: float


def findings(results: Results) -> tuple[Finding, ...]:
    """The paper's findings, checked."""
    return tuple(_over_grids(statement, results) for statement in _STATEMENTS)


def _over_grids(statement: _Statement, results: Results) -> Finding:
    """The verdict over all runs, with that of each grid where there are several."""
    whole = _judged(statement, results)
    if not results.parts:
        return whole
    alone = [f"{part.name} {_judged(statement, part).verdict}" for part in results.parts]
    return replace(whole, evidence=f"{whole.evidence} Each grid by itself: {listed(alone)}.")


def _judged(statement: _Statement, results: Results) -> Finding:
    absent = [MODEL_TITLES[model] for model in statement.models if not results.at(model)]
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


def _finding(statement: _Statement, verdict: FindingVerdict, evidence: str) -> Finding:
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
    evidence = (
        f"Mean validation F1 is highest, {means[best].mean:.1f}, with {best} cells, and {means[most].mean:.1f} with "
        f"{most}: {-loss:+.1f}, where chance explains {chance:.1f}."
    )
    few = max((cells for cells in means if cells <= _A_FEW), key=lambda cells: means[cells].mean, default=best)
    if best <= _A_FEW or loss <= chance:
        return _Answer(best <= _A_FEW and loss > chance, evidence)
    lead, chance = means[best].mean - means[few].mean, noise(means[best], means[few])
    words = f"With {few} cells, the best of up to {_A_FEW}, it is {-lead:+.1f}, where chance explains {chance:.1f}."
    return _Answer(False, f"{evidence} {words}", lead > chance)


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
        parts.append(
            f"{MODEL_TITLES[model]} {other.test_f1.mean:.1f} ({lead:+.1f}, where chance explains {chance:.1f})"
        )
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
    parts = [f"{MODEL_TITLES[model]} {found.error.mean:.1f} ({found.cells} cells)" for model, found in lowest.items()]
    lead, chance = own.mean - next_best.mean, noise(own, next_best)
    return _Answer(
        lead < 0,
        f"The lowest mean error: {listed(parts)}. PeTra's differs from the best of the others by "
        f"{lead:+.1f}, where chance explains {chance:.1f}; it is the lowest at {wins} of {len(sizes)} sizes."
        f"{_without_a_model(results)}",
        abs(lead) > chance,
    )


def _without_a_model(results: Results) -> str:
    """What counting costs without a model, where that is known."""
    known = results.baselines
    if known is None:
        return ""
    names = "" if known.error_names is None else f", counting each name once {known.error_names}"
    return f" Saying {known.best_constant} of every text costs {known.error_best_constant}{names}."


def _correlates_best(results: Results) -> _Answer:
    found = {model: correlation(results, model) for model in _ALL}
    parts = [f"{MODEL_TITLES[model]} {'none' if value is None else f'{value:.2f}'}" for model, value in found.items()]
    evidence = f"Spearman's correlation over all runs: {listed(parts)}."
    own = found["vanilla"]
    others = {model: value for model, value in found.items() if model != "vanilla" and value is not None}
    if own is None or not others:
        return _Answer(False, evidence)
    next_best = max(others, key=others.__getitem__)
    runs = len(results.at("vanilla")), len(results.at(next_best))
    distance = standard_errors_between(own, others[next_best], *runs)
    return _Answer(
        distance > 0,
        f"{evidence} PeTra's lies {abs(distance):.1f} standard errors {'above' if distance > 0 else 'below'} the "
        "highest of the others, where chance explains 2.",
        abs(distance) > 2,
    )


def _worst_prefer_cells(results: Results) -> _Answer:
    found = {model: cell_use(results, model) for model in _ALL}
    known = {model: use for model, use in found.items() if use is not None}
    even = max((use.worst for model, use in known.items() if model not in _LEARNED), default=0.0)
    holds = all(model in known and known[model].worst > max(known[model].best, even, PREFERENCE) for model in _LEARNED)
    parts = [f"{MODEL_TITLES[model]} {use.best:.2f} and {use.worst:.2f}" for model, use in known.items()]
    return _Answer(
        holds,
        f"KL from uniform, best and worst runs: {listed(parts)}. "
        f"Above {PREFERENCE} a model is said to prefer some cells.",
    )


def _beats_the_reader(results: Results) -> _Answer:
    scores = {model: at_best_size(results, model) for model in ("vanilla", "referential-reader")}
    own, other = scores["vanilla"], scores["referential-reader"]
    if own is None or other is None:
        return _Answer(False, "")
    lead, chance = own.test_f1.mean - other.test_f1.mean, noise(own.test_f1, other.test_f1)
    return _Answer(
        lead > 0,
        f"GAP test F1 at the best size: PeTra {own.test_f1.mean:.1f} ({own.cells} cells), Referential Reader "
        f"{other.test_f1.mean:.1f} ({other.cells} cells): {lead:+.1f}, where chance explains {chance:.1f}.",
        abs(lead) > chance,
    )


def _above_the_readers_best(results: Results) -> _Answer:
    reader = results.by_cells("referential-reader", "validation_f1")
    best = results.best_size("referential-reader") or min(reader)
    found = [
        _Difference(
            f"{MODEL_TITLES[model]} with {cells} cells", mean.mean - reader[best].mean, noise(mean, reader[best])
        )
        for model in ("vanilla", *_LEARNED)
        for cells, mean in results.by_cells(model, "validation_f1").items()
        if cells >= _ENOUGH
    ]
    return _at_every_size(
        found, f"The Referential Reader's best mean validation F1 is {reader[best].mean:.1f}, with {best} cells.", "F1"
    )


def _better_with_few_cells(results: Results) -> _Answer:
    reader = results.by_cells("referential-reader", "validation_f1")
    found = [
        _Difference(
            f"{MODEL_TITLES[model]} with {cells} cells", reader[cells].mean - mean.mean, noise(mean, reader[cells])
        )
        for model in ("vanilla", *_LEARNED)
        for cells, mean in results.by_cells(model, "validation_f1").items()
        if cells < _ENOUGH and cells in reader
    ]
    return _at_every_size(found, "Validation F1 of the Referential Reader against each model of as many cells.", "F1")


def _variants_count_worse(results: Results) -> _Answer:
    reader = {measure: results.by_cells("referential-reader", measure) for measure in _BOTH}
    found, better, compared = [], 0, 0
    for model in _LEARNED:
        scores = results.by_cells(model, "validation_f1")
        for cells, error in results.by_cells(model, "count_error_best").items():
            if cells < _MANY or cells not in reader["count_error_best"]:
                continue
            other = reader["count_error_best"][cells]
            found.append(
                _Difference(f"{MODEL_TITLES[model]} with {cells} cells", error.mean - other.mean, noise(error, other))
            )
            compared += 1
            better += scores[cells].mean > reader["validation_f1"][cells].mean
    words = (
        "Counting error of each variant against the Referential Reader's of as many cells; "
        f"their mean validation F1 is the higher one in {better} of {compared} cases.{_without_a_model(results)}"
    )
    return _at_every_size(found, words, "errors")


def _at_every_size(differences: Sequence[_Difference], words: str, unit: str) -> _Answer:
    """Whether all differences are above chance; one that is below by more than chance speaks against it."""
    if not differences:
        return _Answer(False, f"{words} There are no such sizes.")
    above = [found for found in differences if found.value > found.chance]
    below = [found for found in differences if found.value < -found.chance]
    least, most = (choose(differences, key=lambda found: found.value) for choose in (min, max))
    return _Answer(
        len(above) == len(differences),
        f"{words} Of {len(differences)} differences {sum(found.value > 0 for found in differences)} are in the paper's "
        f"direction, {len(above)} by more than chance, and {len(below)} the other way by more than chance: from "
        f"{least.value:+.1f} {unit} ({least.where}) to {most.value:+.1f} ({most.where}).",
        len(above) == len(differences) or bool(below),
    )


def _has_fewer_parameters(results: Results) -> _Answer:
    spent = {model: found for model in ("vanilla", "referential-reader") if (found := cost(results, model))}
    own, other = spent["vanilla"], spent["referential-reader"]
    return _Answer(
        own.most_parameters < other.fewest_parameters,
        f"Without the encoder PeTra has {own.most_parameters:,} at any size, the Referential Reader "
        f"{other.fewest_parameters:,} to {other.most_parameters:,}: "
        f"{100 * (1 - own.most_parameters / other.fewest_parameters):.0f} % fewer.",
    )


_BOTH: Final[tuple[Measure, ...]] = ("count_error_best", "validation_f1")
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
    _Statement(
        "PeTra beats the Referential Reader on GAP test.",
        "GAP test F1: PeTra 81.5 and 85.3, Referential Reader 78.9 and 83.7 (BERT base, large).",
        ("vanilla", "referential-reader"),
        _beats_the_reader,
    ),
    _Statement(
        "PeTra and its variants are above the Referential Reader's best at every size of 6 cells or more.",
        "On validation they outperform the best Referential Reader for all memory sizes of 6 or more (figure 3).",
        _ALL,
        _above_the_readers_best,
    ),
    _Statement(
        "The Referential Reader is better with few cells.",
        "On validation it outperforms PeTra and its variants with a small number of cells (figure 3).",
        _ALL,
        _better_with_few_cells,
    ),
    _Statement(
        "With 14 cells or more the learned variants count worse than the Referential Reader.",
        "With BERT large, though they are better on GAP validation (figures 3 and 4).",
        (*_LEARNED, "referential-reader"),
        _variants_count_worse,
    ),
    _Statement(
        "PeTra has fewer parameters than the Referential Reader.",
        "Far fewer parameters, without a number (sections 1, 5 and 6).",
        ("vanilla", "referential-reader"),
        _has_fewer_parameters,
    ),
)
