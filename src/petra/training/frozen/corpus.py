"""GAP as frozen features: the splits of the corpus, and the scores of models that read them.

Letters: E models (seeds), n instances.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from petra.config import RunConfig
from petra.corpora.gap import GapInstance, Split, read_gap
from petra.corpora.people_counts import read_people_counts
from petra.encoder.features import cached_features
from petra.encoder.pretrained import PretrainedEncoder
from petra.errors import DataError
from petra.evaluation.people_count import score_counts
from petra.evaluation.thresholds import THRESHOLDS
from petra.memory.models import Model
from petra.training.batches import Batcher
from petra.training.examples import make_examples
from petra.training.learner import CorpusReader
from petra.training.objective import Hooks
from petra.training.results import scores_on_test


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Corpus:
    """A split of GAP and its batches."""

    instances: Sequence[GapInstance]
    batcher: Batcher


def prepare(
    config: RunConfig,
    encoder: PretrainedEncoder,
    data: Path,
    split: Split,
    device: torch.device,
    hooks: Hooks,
    *,
    texts: int = 0,
) -> Corpus:
    """Read, tokenize and encode a split, or its first ``texts`` texts; the features are cached on disk."""
    instances = read_gap(data, split)[: texts or None]
    documents = [encoder.tokenizer.tokenize(instance.text) for instance in instances]
    features = cached_features(encoder, documents, report=lambda done, whole: hooks.on_encode(split, done, whole))
    all_pairs = config.memory.variant == "referential-reader"
    examples = make_examples(instances, documents, config.training, all_pairs=all_pairs)
    return Corpus(instances=instances, batcher=Batcher(examples, features, config.training.batch_size, device))


def counted_texts(validation: Corpus, data: Path, *, whole: bool = True) -> dict[int, int]:
    """The number of people in each annotated text, by the text's place in the validation split.

    Every annotated text must be there, unless only a part of the split is at hand.
    """
    place = {instance.id: index for index, instance in enumerate(validation.instances)}
    counts = read_people_counts(data)
    missing = [row.id for row in counts if row.id not in place]
    if missing and whole:
        raise DataError(f"num_people.tsv counts {missing[0]}, which is not in gap-validation.tsv. Check both files.")
    return {place[row.id]: row.count for row in counts if row.id in place}


def add_counts(runs: list[dict[str, Any]], network: Model, validation: Corpus, counted: Mapping[int, int]) -> None:
    """Add the error at counting people, over the annotated texts of the validation split."""
    predicted = _counts(network, validation.batcher)[:, :, list(counted)]  # (E, 100, D)
    gold = np.array(list(counted.values()))
    for run, own in zip(runs, predicted, strict=True):
        score = score_counts(own, gold)
        run |= {"count_error_best": score.error_best, "count_error_two_fold": score.error_two_fold}


def _counts(network: Model, batcher: Batcher) -> NDArray[np.int64]:
    """The people counted in every text at every threshold: (E, 100, n)."""
    thresholds = torch.tensor(THRESHOLDS, device=batcher.device)
    counts = np.zeros((network.num_models, len(THRESHOLDS), len(batcher.examples)), np.int64)
    for members, gates in CorpusReader(network, batcher).gates():
        for index, threshold in enumerate(thresholds):
            found = (gates.overwrite_prob >= threshold).sum((1, 3))  # (E, B)
            counts[:, index, members] = found[:, : len(members)].cpu().numpy()
    return counts


def add_test(runs: list[dict[str, Any]], network: Model, test: Corpus) -> None:
    """Add the scores on the test split, at each run's threshold."""
    links = CorpusReader(network, test.batcher).link_probabilities()  # (E, n, 2)
    for run, own in zip(runs, links, strict=True):
        run |= scores_on_test(own, run["threshold"], test.instances)
