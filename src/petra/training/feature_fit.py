"""The weights of features that a trained model does not know yet, with all its other weights as they are.

A feature that is added to linking weighs 0 in the models that were trained before. Its weight is learned here
from the texts written for training: the memory's scores and the known features are fixed, and the weights of
the new features maximise the probability of the right persons, given that all decisions before were right.

    python -m petra.training.feature_fit base greeted_narrator greeted_addressee --out out/base-greeted
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from petra.corpora.annotated import AnnotatedDocument
from petra.errors import ConfigError
from petra.linking.features import FEATURES
from petra.linking.scorer import PREFIX
from petra.memory.gru import states_of_texts
from petra.trained import TrainedModel, load_trained, save_trained
from petra.training.adapted.model import AdaptedModel, adapted_model
from petra.training.adapted.passages import FEATURE_NAMES, AnnotatedPassage, annotated_passage
from petra.training.adapted.teacher_forcing import link_loss
from petra.training.data.written_texts import written_documents

_PENALTY = 1e-4  # of the square of a weight, against one mention's loss; keeps what is never wrong finite
_STEPS = 100


def fit_features(
    model: TrainedModel,
    names: Sequence[str],
    documents: Sequence[AnnotatedDocument],
    *,
    device: str | torch.device = "cpu",
) -> TrainedModel:
    """The model with the weights of some features fitted to annotated documents."""
    if unknown := [name for name in names if name not in FEATURES]:
        raise ConfigError(f"There is no feature {unknown[0]}; docs/linking.md lists them.")
    reader = adapted_model(model, torch.device(device))
    reader.encoder.set_training(False)
    numbers = [FEATURE_NAMES.index(name) for name in names]
    reader.linking[numbers] = 0.0
    tokenize = reader.encoder.tokenizer.tokenize
    passages = (
        annotated_passage(tokenize(it.text), it, name_gender=model.config.spans.name_gender) for it in documents
    )
    holding = [it for it in passages if {*numbers} & {*it.comparisons.features.feature.tolist()}]
    if not holding:
        raise ConfigError(f"In none of the texts one of {', '.join(names)} holds, so that nothing can be learned.")
    weights = _fitted([_Known(reader, passage, numbers) for passage in holding], len(names))
    learned = {f"{PREFIX}{name}": weight for name, weight in zip(names, weights, strict=True)}
    return replace(model, weights={**model.weights, **learned})


class _Known:
    """What is known of a passage: the scores without the new features, and these features."""

    @torch.no_grad()
    def __init__(self, reader: AdaptedModel, passage: AnnotatedPassage, numbers: Sequence[int]) -> None:
        hidden = states_of_texts(reader.encode([passage]), [len(passage)], reader.network.recurrent_weights)
        self.known = reader.link_scores([passage], hidden)
        found = passage.comparisons.features
        self.features = torch.zeros(len(self.known.scores), len(FEATURE_NAMES))
        self.features[torch.from_numpy(found.row), torch.from_numpy(found.feature)] = torch.from_numpy(found.value)
        self.features = self.features[:, list(numbers)]

    def loss(self, weights: Tensor) -> Tensor:
        """The summed loss of the passage's mentions."""
        scores = self.known._replace(scores=self.known.scores + self.features @ weights)
        return link_loss(*scores)[0] * len(self.known.new_person)


def _fitted(known: Sequence[_Known], count: int) -> Tensor:
    weights = torch.zeros(count, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=_STEPS, line_search_fn="strong_wolfe")

    def closure() -> Tensor:
        optimizer.zero_grad()
        loss = torch.stack([it.loss(weights) for it in known]).sum() + _PENALTY * len(known) * weights.square().sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    return weights.detach()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m petra.training.feature_fit", description=__doc__)
    parser.add_argument("model", help="a model by name or folder")
    parser.add_argument("features", nargs="+", help="features whose weights are learned")
    parser.add_argument("--out", required=True, type=Path, help="folder of the model with these weights")
    asked = parser.parse_args()
    fitted = fit_features(load_trained(asked.model), asked.features, written_documents("training"))
    for name in asked.features:
        print(f"{name}: {float(fitted.weights[f'{PREFIX}{name}']):.2f}")
    save_trained(asked.out, fitted)


if __name__ == "__main__":
    main()
