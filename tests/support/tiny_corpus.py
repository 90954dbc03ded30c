"""A made-up corpus that a tiny model can learn in seconds: random features with a little sense in them.

Every text has two names and a pronoun among words that mean nothing. A feature tells
names, another pronouns, and two more who is meant: the pronoun carries the feature of
the name it refers to.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from petra.config import MemoryConfig, RunConfig, TrainingConfig
from petra.memory.network import Network
from petra.training.batches import Batcher
from petra.training.examples import Example, LabelledPair
from petra.training.learner import Learner

FEATURES = 6
_NAME, _PRONOUN, _FIRST_PERSON, _SECOND_PERSON = range(4)


@dataclass(frozen=True, eq=False)
class TinyCorpus:
    """Features, examples and the true labels (n, 2)."""

    rows: NDArray[np.float16]
    bounds: NDArray[np.int64]
    examples: tuple[Example, ...]
    gold: NDArray[np.bool_]

    def batcher(self, batch_size: int) -> Batcher:
        return Batcher(self.examples, self, batch_size, torch.device("cpu"))


def tiny_corpus(texts: int, seed: int) -> TinyCorpus:
    random = np.random.default_rng(seed)
    rows, examples, gold = [], [], []
    for number in range(texts):
        length = int(random.integers(6, 15))
        a, b, pronoun = (int(place) for place in np.sort(random.permutation(length)[:3]))
        of_a, a_is_first = random.integers(0, 2, 2).astype(bool).tolist()
        features = random.normal(0, 0.1, (length, FEATURES))
        features[[a, b], _NAME] += 2
        features[pronoun, _PRONOUN] += 2
        person_of_a, person_of_b = (_FIRST_PERSON, _SECOND_PERSON)[:: 1 if a_is_first else -1]
        features[a, person_of_a] += 2
        features[b, person_of_b] += 2
        features[pronoun, person_of_a if of_a else person_of_b] += 2
        rows.append(features.astype(np.float16))
        gold.append((of_a, not of_a))
        examples.append(_example(f"tiny-{number}", length, a, b, pronoun, of_a))
    return TinyCorpus(
        rows=np.concatenate(rows),
        bounds=np.cumsum([0, *map(len, rows)]),
        examples=tuple(examples),
        gold=np.array(gold),
    )


def _example(name: str, length: int, a: int, b: int, pronoun: int, of_a: bool) -> Example:
    labels = ((a, pronoun, of_a), (b, pronoun, not of_a), (a, b, False))
    return Example(
        id=name,
        length=length,
        labelled=frozenset((a, b, pronoun)),
        pairs=tuple(
            LabelledPair(first=first, second=second, label=int(same), weight=5.0 if same else 10.0)
            for first, second, same in labels
        ),
        links=(((a, pronoun),), ((b, pronoun),)),
    )


def tiny_recipe(*, seeds: tuple[int, ...] = (1, 2), max_epochs: int = 3, dropout: float = 0.5) -> RunConfig:
    return RunConfig(
        name="tiny",
        seeds=seeds,
        memory=MemoryConfig(num_cells=3, hidden_size=8, mlp_size=8),
        training=TrainingConfig(max_epochs=max_epochs, batch_size=16, learning_rate=1e-2, dropout=dropout),
    )


def tiny_learner(config: RunConfig, corpus: TinyCorpus) -> Learner:
    network = Network(config.memory, FEATURES, seeds=config.seeds)
    return Learner(network, corpus.batcher(config.training.batch_size), config.training, config.seeds)


def metrics_of(folder: Path) -> list[dict[str, Any]]:
    """The lines of metrics.jsonl, without the seconds, which differ from run to run."""
    lines = (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    return [{name: value for name, value in json.loads(line).items() if name != "seconds"} for line in lines]
