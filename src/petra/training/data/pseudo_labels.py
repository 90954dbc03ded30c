"""Pseudo-labels: unlabelled pronouns with the probabilities that trained models, the teachers, give to both names.

Letters: n instances.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from petra.config import TrainingConfig
from petra.corpora.gap import GapInstance
from petra.trained import load_trained
from petra.training.adapted.model import adapted_model
from petra.training.adapted.validation import link_probabilities
from petra.training.data.instances.unlabelled import find_unlabelled
from petra.training.data.training_data import LabelledInstance, balanced_sample

_POOL = 3  # pseudo-labelled instances to draw from, for each one of an epoch


def pseudo_label(
    teachers: Sequence[Path], instances: Sequence[GapInstance], device: torch.device
) -> tuple[LabelledInstance, ...]:
    """Instances with soft labels: the mean of the probabilities that the models in folders give to both names."""
    models = (adapted_model(load_trained(folder), device) for folder in teachers)
    found = [undo_loss_weights(link_probabilities(model, instances), model.config.training) for model in models]
    return tuple(
        LabelledInstance(instance, (float(a), float(b)))
        for instance, (a, b) in zip(instances, np.mean(found, axis=0), strict=True)
    )


def pseudo_labelled_instances(
    data: Path, count: int, teachers: Sequence[Path], seed: int, device: torch.device
) -> tuple[LabelledInstance, ...]:
    """A pool of pseudo-labelled pronouns of unlabelled text, of which an epoch draws so many."""
    unlabelled = [LabelledInstance(each) for each in find_unlabelled(data, seed)]
    chosen = balanced_sample(unlabelled, _POOL * count, np.random.default_rng(seed))
    return pseudo_label(teachers, [each.instance for each in chosen], device)


def undo_loss_weights(links: NDArray[np.float64], config: TrainingConfig) -> NDArray[np.float64]:
    """The probabilities (n, 2) that names are right, from P_CL of a model whose loss weights right and wrong links.

    Where wrong links weigh more than right ones, P_CL is lower than the probability p
    that a link is right: P_CL = w_+ p / (w_+ p + w_- (1 - p)). This solves for p.
    """
    right, wrong = config.positive_weight * (1 - links), config.negative_weight * links
    return np.asarray(wrong / (wrong + right))
