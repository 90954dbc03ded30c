"""The weights of the features of linking, fitted on a model's own decisions.

While a model is trained, all decisions before a mention are right. Reading a text it
meets people that its own mistakes have split or mixed. So the trained model reads
annotated documents as it reads any text, and the weights are fitted anew to what it
should have decided: the memory stays as it is, and the loss is convex.

Letters: R candidates of all mentions together, F features.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from petra.corpora.annotated import AnnotatedDocument
from petra.domain import Event
from petra.linking.linker import Link
from petra.linking.scorer import FeatureWeights
from petra.mentions.choose import Span
from petra.training.adapted.passages import FEATURE_NAMES

_NUMBERS = {name: number for number, name in enumerate(FEATURE_NAMES)}
_PRIOR = 0.02  # how much a weight is held to what it was before, against one decision


class Decision(NamedTuple):
    """A decision of the model, and the right one."""

    link: Link
    right: int  # place among the candidates; a new person comes after them


class Watch:
    """Collects the decisions on one annotated document, as the watcher of a resolver."""

    def __init__(self, annotated: AnnotatedDocument) -> None:
        self.decisions: list[Decision] = []
        self._entities = {(mention.start, mention.end): mention.entity for mention in annotated.mentions}
        self._people: defaultdict[int, Counter[str]] = defaultdict(Counter)  # person -> mentions of each entity

    def __call__(self, event: Event, span: Span, link: Link) -> None:  # noqa: ARG002
        """Note a link, unless there is no mention in the annotation."""
        entity = self._entities.get((event.mention.start, event.mention.end))
        if entity is None:
            return
        self.decisions.append(Decision(link, self._right(entity, link)))
        self._people[link.person][entity] += 1

    def _right(self, entity: str, link: Link) -> int:
        """Whoever is mostly this entity, and of several the one mentioned most as such; else a new person."""
        best, most = len(link.candidates), 0
        for place, person in enumerate(link.candidates):
            counts = self._people.get(person)
            if counts and counts[entity] > most and counts[entity] == max(counts.values()):
                best, most = place, counts[entity]
        return best


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class _Rows:
    """All candidates of all decisions one after the other."""

    features: Tensor  # (R, F)
    memory: Tensor  # (R,)
    decision: Tensor  # (R,) number of the decision
    right: Tensor  # rows of the right candidates
    count: int


def fit_weights(decisions: Iterable[Decision], weights: FeatureWeights, *, steps: int = 60) -> dict[str, float]:
    """The weights that make the right decisions most probable, held to those that there are."""
    rows = _rows(list(decisions))
    before = torch.tensor([weights[name] for name in FEATURE_NAMES], dtype=torch.float64)
    fitted = before.clone().requires_grad_()
    optimizer = torch.optim.LBFGS([fitted], max_iter=steps, line_search_fn="strong_wolfe")

    def loss() -> Tensor:
        optimizer.zero_grad()
        value = _negative_log_likelihood(rows, fitted) + _PRIOR * ((fitted - before) ** 2).sum()
        value.backward()
        return value

    optimizer.step(loss)
    return dict(zip(FEATURE_NAMES, fitted.detach().tolist(), strict=True))


def _negative_log_likelihood(rows: _Rows, weights: Tensor) -> Tensor:
    scores = rows.memory + rows.features @ weights
    highest = scores.new_full((rows.count,), -torch.inf).scatter_reduce(0, rows.decision, scores.detach(), "amax")
    total = scores.new_zeros(rows.count).scatter_add(0, rows.decision, torch.exp(scores - highest[rows.decision]))
    return (highest + torch.log(total) - scores[rows.right]).sum()


def _rows(decisions: Sequence[Decision]) -> _Rows:
    sizes = [len(decision.link.features) for decision in decisions]
    starts = np.cumsum([0, *sizes])
    features = np.zeros((int(starts[-1]), len(FEATURE_NAMES)))
    memory = np.zeros(int(starts[-1]))
    for start, (link, _) in zip(starts, decisions, strict=False):
        memory[start : start + len(link.candidates)] = link.memory_scores
        for place, row in enumerate(link.features):
            for name, value in row.items():
                features[start + place, _NUMBERS[name]] = value
    right = [int(start) + decision.right for start, decision in zip(starts, decisions, strict=False)]
    return _Rows(
        features=torch.from_numpy(features),
        memory=torch.from_numpy(memory),
        decision=torch.from_numpy(np.repeat(np.arange(len(sizes)), sizes)),
        right=torch.tensor(right),
        count=len(decisions),
    )
