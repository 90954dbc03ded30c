"""What trained models believe of pronouns that nobody has labelled, for another model to learn from.

Letters: n instances.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from petra.config import TrainingConfig
from petra.corpora.gap import GapInstance
from petra.encoder.adapter import adapter_of
from petra.encoder.pretrained import PretrainedEncoder
from petra.errors import ConfigError
from petra.memory.network import Network
from petra.mentions.span_head import SpanHead, span_head_of
from petra.trained import TrainedModel, load_trained
from petra.training.adapted.material import Labelled
from petra.training.adapted.model import AdaptedModel
from petra.training.adapted.validation import link_probabilities


def believed(teachers: Path, instances: Sequence[GapInstance], device: torch.device) -> tuple[Labelled, ...]:
    """The instances with what the models in a folder believe of both names, on average."""
    models = _models(teachers, device)
    found = [beliefs(link_probabilities(model, instances), model.config.training) for model in models]
    return tuple(
        Labelled(instance, (float(a), float(b)))
        for instance, (a, b) in zip(instances, np.mean(found, axis=0), strict=True)
    )


def beliefs(links: NDArray[np.float64], config: TrainingConfig) -> NDArray[np.float64]:
    """The probability that names are right, of a model trained in such a way that says P_CL of them: (n, 2).

    Wrong links weigh more than right ones in the loss, so a model in doubt says less
    than it believes: P_CL = w_+ p / (w_+ p + w_- (1 - p)), which is solved for p here.
    """
    right, wrong = config.positive_weight * (1 - links), config.negative_weight * links
    return np.asarray(wrong / (wrong + right))


def _models(folder: Path, device: torch.device) -> Iterator[AdaptedModel]:
    places = sorted(record.parent for record in folder.rglob("record.json"))
    if not places:
        raise ConfigError(
            f"supervision.teachers is {str(folder)!r}, where no model is. Train those of recipes/teachers into it, "
            "or leave out supervision.believed."
        )
    for place in places:
        yield adapted_model(load_trained(place), device)


def adapted_model(model: TrainedModel, device: torch.device) -> AdaptedModel:
    """A trained model, ready to read instances as one that learns does."""
    config = model.config
    encoder = PretrainedEncoder.load(config.encoder, adapter=adapter_of(config.adapter, model.weights), device=device)
    network = Network(config.memory, encoder.size)
    network.load_state_dict(model.memory_weights)
    spans = span_head_of(config.spans, model.weights, encoder.size) or SpanHead(config.spans, encoder.size)
    return AdaptedModel(config, encoder, network.to(device).requires_grad_(False), spans.to(device), device)
