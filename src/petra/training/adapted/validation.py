"""Validation of an adapted model during training: GAP, and the mentions and links of LitBank.

Letters: n instances.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from petra.corpora.annotated import AnnotatedDocument
from petra.corpora.gap import GapInstance, gold_labels
from petra.evaluation.gap_score import best_threshold
from petra.mentions.span_head import kind_probabilities, whole_words
from petra.training.adapted.model import AdaptedModel
from petra.training.adapted.own_decisions import own_passages
from petra.training.adapted.passages import AnnotatedPassage, previous
from petra.training.batches import Batcher
from petra.training.data.training_data import LabelledInstance, snippets
from petra.training.learner import CorpusReader

_BATCH_TOKENS = 4096


class Validation(NamedTuple):
    """Scores in percent, and the threshold of the first."""

    f1: float  # on GAP, at its best threshold
    threshold: float
    span_f1: Mapping[str, float]  # of the spans of people, by corpus
    links_right: Mapping[str, float]  # the share of mentions whose person is found, given all that came before
    own_right: Mapping[str, float] = MappingProxyType({})  # the same after the model's own decisions

    @property
    def overall(self) -> float:
        """What the best epoch is chosen by: the mean of the F1 on GAP and of the right links of each corpus.

        Where a recipe asks for own decisions, links are right or wrong after these.
        """
        scores = (self.f1, *(self.own_right or self.links_right).values())
        return sum(scores) / len(scores)


class _Features(NamedTuple):
    """Features of texts in memory, as ``Batcher`` takes them."""

    rows: NDArray[np.float16]
    bounds: NDArray[np.int64]


def validate(
    model: AdaptedModel,
    instances: Sequence[GapInstance],
    held_out: Mapping[str, Sequence[AnnotatedPassage]],
    read_itself: Mapping[str, Sequence[AnnotatedDocument]] = MappingProxyType({}),
) -> Validation:
    """Score a model as it stands, on instances of GAP, passages, and documents that it reads with its own decisions."""
    best = best_threshold(link_probabilities(model, instances), gold_labels(instances))
    found = {corpus: _read_passages(model, passages) for corpus, passages in held_out.items()}
    return Validation(
        round(float(best.f1), 2),
        float(best.threshold),
        {corpus: span_f1 for corpus, (span_f1, _) in found.items()},
        {corpus: links_right for corpus, (_, links_right) in found.items()},
        {corpus: own_right(own_passages(model, documents)) for corpus, documents in read_itself.items()},
    )


def own_right(passages: Sequence[AnnotatedPassage]) -> float:
    """The share of a model's own decisions that are right, in percent, of those of which that can be told."""
    right = whole = 0
    for passage in passages:
        same = passage.comparisons.is_same
        meant = dict(
            zip(passage.comparisons.mention[same].tolist(), passage.comparisons.latest[same].tolist(), strict=True)
        )
        before = previous(passage)
        for mention in np.flatnonzero(passage.is_learned).tolist():
            right += meant.get(mention, -1) == before[mention]
            whole += 1
    return round(100 * right / max(1, whole), 2)


def link_probabilities(model: AdaptedModel, instances: Sequence[GapInstance]) -> NDArray[np.float64]:
    """P_CL of each name with its pronoun: (n, 2)."""
    model.encoder.set_training(False)
    ready = snippets(model.config, model.encoder, [LabelledInstance(instance) for instance in instances])
    features = [rows.half().cpu().numpy() for rows in model.encoder.encode_many(each.document for each in ready)]
    source = _Features(np.concatenate(features), np.cumsum([0, *map(len, features)]))
    batcher = Batcher([each.example for each in ready], source, model.config.training.batch_size, model.device)
    links: NDArray[np.float64] = CorpusReader(model.network, batcher, recorded=False).link_probabilities()[0]
    return links


@torch.no_grad()
def _read_passages(model: AdaptedModel, passages: Sequence[AnnotatedPassage]) -> tuple[float, float]:
    """Span F1 and the share of right links over passages, in percent; 0 without passages."""
    model.encoder.set_training(False)
    hits = predicted = gold = right = 0.0
    for group in _groups(passages):
        encoded = model.encode(group)
        right += float(model.passage_losses(group, encoded).right) * sum(len(passage.head) for passage in group)
        lengths = [len(passage) for passage in group]
        for passage, features in zip(group, encoded.split(lengths), strict=True):
            likely = (kind_probabilities(model.span_scores(features)).sum(-1) >= 0.5).cpu().numpy()  # (L, W)
            likely &= whole_words(passage.words, model.config.spans.max_width)
            found = {(first, width) for first, width in np.argwhere(likely).tolist()}
            true = set(zip(passage.first.tolist(), (passage.last - passage.first).tolist(), strict=True))
            hits, predicted, gold = hits + len(found & true), predicted + len(found), gold + len(true)
    return round(200 * hits / max(1, predicted + gold), 2), round(100 * right / max(1, gold), 2)


def _groups(passages: Sequence[AnnotatedPassage]) -> Iterator[list[AnnotatedPassage]]:
    """Passages of so many tokens together that they are encoded at once."""
    group: list[AnnotatedPassage] = []
    tokens = 0
    for passage in passages:
        if group and tokens + len(passage) > _BATCH_TOKENS:
            yield group
            group, tokens = [], 0
        group.append(passage)
        tokens += len(passage)
    if group:
        yield group
