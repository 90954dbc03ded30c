"""The scorer: the memory's score plus the weighted features, and the softmax of equation 4 over all candidates.

The weights are a model's own, kept with its other weights as ``linking.FEATURE``.

Letters: P candidates.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import SupportsFloat

import numpy as np
from numpy.typing import NDArray

from petra.errors import ModelError
from petra.linking.features import FEATURES, FeatureRow

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PREFIX = "linking."  # of the names of the weights in a model

FeatureWeights = Mapping[str, float]


@cache
def initial_weights() -> FeatureWeights:
    """The weights that training begins with (``initial.toml``)."""
    content = (resources.files("petra.linking") / "initial.toml").read_text(encoding="utf-8")
    return complete(tomllib.loads(content))


def feature_weights(weights: Mapping[str, SupportsFloat]) -> FeatureWeights:
    """The weight of every feature among a model's weights; a feature that the model does not know weighs 0.

    A model without any such weight has the initial ones.
    """
    found = {name.removeprefix(PREFIX): float(value) for name, value in weights.items() if name.startswith(PREFIX)}
    return complete(found) if found else initial_weights()


def complete(weights: FeatureWeights) -> FeatureWeights:
    """Weights of some features, with 0 for the others."""
    if unknown := sorted(weights.keys() - FEATURES.keys()):
        raise ModelError(
            f"The model has weights of features that this version of PeTra does not know: {', '.join(unknown)}. "
            "Update PeTra, or train the model again."
        )
    return dict.fromkeys(FEATURES, 0.0) | dict(weights)


def contributions(row: FeatureRow, weights: FeatureWeights) -> dict[str, float]:
    """What each feature adds to a score."""
    return {name: weights[name] * value for name, value in row.items()}


def total(row: FeatureRow, weights: FeatureWeights) -> float:
    """The sum of what the features add to a score."""
    return sum([weights[name] * value for name, value in row.items()])


def shares(memory: NDArray[np.float32], rows: Sequence[FeatureRow], weights: FeatureWeights) -> NDArray[np.float32]:
    """The softmax over the candidates and, last, a new person, whose memory score is 0: (P + 1,).

    ``memory`` has the scores of the candidates, (P,), ``rows`` the features of all P + 1.
    """
    scores = np.array([total(row, weights) for row in rows])
    scores[:-1] += memory
    odds = np.exp(scores - scores.max())
    return np.asarray(odds / odds.sum(), dtype=np.float32)
