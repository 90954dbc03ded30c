"""The scorer of speakers: weighted features, and a softmax over the candidates."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

from petra.errors import ModelError
from petra.linking.features import FeatureRow
from petra.speakers.features import SPEAKER_FEATURES, SPEECH_FEATURES

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


class SpeakerWeights(NamedTuple):
    """The weight of each feature: of a speaker, and of speech against other text in quotation marks."""

    speaker: Mapping[str, float]
    speech: Mapping[str, float]


@cache
def learned_weights() -> SpeakerWeights:
    """The weights that training found (``weights.toml``)."""
    return _weights("weights.toml")


@cache
def initial_weights() -> SpeakerWeights:
    """The weights that training begins with, and that its penalty is counted from (``initial.toml``)."""
    return _weights("initial.toml")


def _weights(name: str) -> SpeakerWeights:
    values = tomllib.loads((resources.files("petra.speakers") / name).read_text(encoding="utf-8"))
    return complete(SpeakerWeights(values["speaker"], values["speech"]))


def complete(weights: SpeakerWeights) -> SpeakerWeights:
    """Weights of some features, with 0 for the others."""
    for known, given in zip((SPEAKER_FEATURES, SPEECH_FEATURES), weights, strict=True):
        if unknown := sorted(given.keys() - known.keys()):
            raise ModelError(f"There are weights of unknown features: {', '.join(unknown)}. Install PeTra again.")
    return SpeakerWeights(
        dict.fromkeys(SPEAKER_FEATURES, 0.0) | dict(weights.speaker),
        dict.fromkeys(SPEECH_FEATURES, 0.0) | dict(weights.speech),
    )


def total(row: FeatureRow, weights: Mapping[str, float]) -> float:
    """The sum of what the features add to a score."""
    return sum(weights[name] * value for name, value in row.items())


def shares(rows: Sequence[FeatureRow], weights: Mapping[str, float]) -> list[float]:
    """The softmax over the candidates."""
    scores = [total(row, weights) for row in rows]
    highest = max(scores, default=0.0)
    odds = [math.exp(score - highest) for score in scores]
    whole = sum(odds)
    return [value / whole for value in odds]


def speech_probability(row: FeatureRow, weights: Mapping[str, float]) -> float:
    """How probable it is that somebody says a quotation."""
    return 1 / (1 + math.exp(-total(row, weights)))
