"""Our numbers against the published ones, in words.

The encoders differ from the paper's, so that no number need be the same. What can be
compared is how far apart they are, and in which order the models stand.
"""

from __future__ import annotations

from collections.abc import Mapping

from petra.config import Variant
from petra.publication.documents import Item
from petra.publication.spreads import Spread
from petra.publication.tables import as_text
from petra.reproduction.analysis import at_best_size, cell_use, correlation, cost, degenerate_runs
from petra.reproduction.findings import PREFERENCE
from petra.reproduction.published import GAP_TEST, KL, MODEL_TITLES, SPEARMAN, BaseLarge
from petra.reproduction.results import Results
from petra.reproduction.words import duration, listed


def gap_test_words(study: Results) -> list[Item]:
    """GAP test F1: each model's distance from the paper, the order of models, PeTra's lead."""
    found = {model: best.test_f1 for model in study.models if (best := at_best_size(study, model))}
    items = [_against(model, ours, GAP_TEST[model], 1) for model, ours in found.items()]
    means = {model: ours.mean for model, ours in found.items()}
    items += _orders(means, GAP_TEST, 1)
    if {"vanilla", "referential-reader"} <= means.keys():
        lead = means["vanilla"] - means["referential-reader"]
        word = "agrees" if lead > 0 else "does not agree"
        text = f"over the Referential Reader is {lead:+.1f} here, +2.6 (BERT base) and +1.6 (BERT large) in the paper: "
        items.append(Item("PeTra's lead", f"{text}{word} in direction."))
    return items


def correlation_words(study: Results) -> list[Item]:
    """Spearman's correlation: each model's distance from the paper, and the order of models."""
    found = {model: value for model in study.models if (value := correlation(study, model)) is not None}
    items = [_against(model, value, SPEARMAN[model], 2) for model, value in found.items()]
    if found:
        negative = [MODEL_TITLES[model] for model, value in found.items() if value <= 0]
        said = f"not here for {listed(negative)}: does not agree." if negative else "and here: agrees."
        items.append(Item("Positive", f"for all models in the paper, {said}"))
    return [*items, *_orders(found, SPEARMAN, 2)]


def cell_use_words(study: Results) -> list[Item]:
    """KL from uniform: ours and the paper's, and whether the worst runs prefer some cells in both."""
    items = []
    for model in study.models:
        if (use := cell_use(study, model)) is None:
            continue
        published = KL[model]
        here, there = (
            "prefer some cells" if worst > PREFERENCE else "prefer none" for worst in (use.worst, published.worst)
        )
        agreement = "agrees" if here == there else "does not agree"
        text = (
            f"{use.best:.2f} in the best and {use.worst:.2f} in the worst runs here, {published.best:.2f} and "
            f"{published.worst:.2f} in the paper. The worst runs {here} here and {there} in the paper: {agreement}."
        )
        if stuck := degenerate_runs(study, model):
            text += f" {stuck} of {len(study.at(model))} runs are degenerate."
        items.append(Item(MODEL_TITLES[model], text))
    return items


def cost_words(study: Results) -> list[Item]:
    """How long training took."""
    items = []
    for model in study.models:
        if (spent := cost(study, model)) is None:
            continue
        runs = len(study.at(model))
        text = f"{runs} runs in {duration(spent.seconds)}, {spent.seconds_an_epoch:.3f} s an epoch and model"
        items.append(Item(MODEL_TITLES[model], f"{text}."))
    return items


def _against(model: Variant, ours: float | Spread, published: BaseLarge, digits: int) -> Item:
    parts = []
    for name, theirs in zip(("BERT base", "BERT large"), published, strict=True):
        if theirs is not None:
            difference = _mean(ours) - _mean(theirs)
            parts.append(f"{as_text(theirs, digits)} with {name} ({difference:+.{digits}f})")
    return Item(MODEL_TITLES[model], f"{as_text(ours, digits)} here; in the paper {listed(parts)}.")


def _orders(ours: Mapping[Variant, float], published: Mapping[Variant, BaseLarge], digits: int) -> list[Item]:
    """The models from best to worst, here and in the paper."""
    if len(ours) < 2:
        return []
    here = _ranked({model: round(value, digits) for model, value in ours.items()})
    parts = []
    for at, name in enumerate(("BERT base", "BERT large")):
        there = _ranked({model: _mean(theirs) for model in ours if (theirs := published[model][at]) is not None})
        parts.append(f"with {name} {'the same' if here == there else there}")
    return [Item("Order:", f"{here} here; in the paper {listed(parts)}.")]


def _ranked(values: Mapping[Variant, float]) -> str:
    """The models from the highest value to the lowest; equal ones stand together."""
    levels = sorted(set(values.values()), reverse=True)
    return " > ".join(" = ".join(MODEL_TITLES[model] for model in values if values[model] == level) for level in levels)


def _mean(value: float | Spread) -> float:
    return value.mean if isinstance(value, Spread) else value
