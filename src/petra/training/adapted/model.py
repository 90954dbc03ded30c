"""An adapted model: encoder, memory and span head together, and its losses on annotated passages.

The tokens of several passages stand one after the other.

Letters: N tokens of all passages together, K mentions of them, D features of a token, H
hidden size, W tokens of the widest span.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from petra.config import RunConfig
from petra.encoder.adapter import adapter_of
from petra.encoder.pretrained import PretrainedEncoder
from petra.linking.scorer import FeatureWeights, feature_weights
from petra.memory.gates import mention_probability
from petra.memory.gru import states_of_texts
from petra.memory.network import Network
from petra.mentions.span_head import SpanHead, span_head_of, whole_words
from petra.trained import TrainedModel
from petra.training.adapted.passages import FEATURE_NAMES, AnnotatedPassage, Integers, SparseFeatures, previous
from petra.training.adapted.teacher_forcing import (
    comparison_scores,
    gender_loss,
    link_loss,
    person_vectors,
    ranks,
    span_loss,
    weighted_features,
)

Dropout = Callable[[Tensor], Tensor]


class PassageLosses(NamedTuple):
    """Losses on passages, and the share of mentions whose person is found."""

    link: Tensor
    span: Tensor  # with that of the gender of names, if the span head tells it
    mention: Tensor
    right: Tensor


class LinkScores(NamedTuple):
    """The scores of passages' comparisons and of new persons, as ``link_loss`` takes them; P comparisons."""

    scores: Tensor  # (P,)
    mention: Tensor  # (P,) the mention that is compared
    is_same: Tensor  # (P,) whether it is of that person
    new_person: Tensor  # (K,)
    is_learned: Tensor  # (K,) whether the mention counts


class AdaptedModel:
    """An adapted encoder, a memory and a span head, during training and after."""

    def __init__(
        self,
        config: RunConfig,
        encoder: PretrainedEncoder,
        network: Network,
        spans: SpanHead,
        linking: Tensor,
        device: torch.device,
    ) -> None:
        self.config = config
        self.encoder = encoder
        self.network = network
        self.spans = spans
        self.linking = linking  # weights of the features, in the order of FEATURE_NAMES  (F,)
        self.device = device

    def passage_losses(
        self, passages: Sequence[AnnotatedPassage], features: Tensor, dropout: Dropout | None = None
    ) -> PassageLosses:
        """The losses on passages with features (N, D), differentiable; dropout is applied to h_t of all tokens."""
        hidden = self._states(passages, features, dropout)  # (N, H)
        mention_prob = mention_probability(hidden[None], self.network.mention_weights)[0]  # (N,)
        is_head = torch.zeros_like(mention_prob)
        is_head[self._joined([passage.head for passage in passages], _offsets(passages))] = 1
        mention = F.binary_cross_entropy(mention_prob.float().clamp(1e-6, 1 - 1e-6), is_head, reduction="sum")
        mentions = sum(len(passage.head) for passage in passages)
        link, right = link_loss(*self.link_scores(passages, hidden))
        return PassageLosses(link, self._span_loss(passages, features), mention / max(1, mentions), right)

    def distant_loss(
        self, passages: Sequence[AnnotatedPassage], features: Tensor, dropout: Dropout
    ) -> tuple[Tensor, Tensor]:
        """The loss of the links of passages in which few mentions are marked, and the share of them that are right."""
        return link_loss(*self.link_scores(passages, self._states(passages, features, dropout)))

    def _states(self, passages: Sequence[AnnotatedPassage], features: Tensor, dropout: Dropout | None) -> Tensor:
        hidden = states_of_texts(features, [len(passage) for passage in passages], self.network.recurrent_weights)
        return hidden if dropout is None else dropout(hidden)

    def link_scores(self, passages: Sequence[AnnotatedPassage], hidden: Tensor) -> LinkScores:
        """The scores of all comparisons and of new persons, given h_t of all tokens (N, H)."""
        mentions = np.cumsum([0, *(len(passage.head) for passage in passages)])
        rows = [passage.comparisons for passage in passages]
        compared = np.cumsum([0, *(len(row.mention) for row in rows)])
        before = np.concatenate(
            [
                np.where((found := previous(passage)) >= 0, found + offset, -1)
                for passage, offset in zip(passages, mentions, strict=False)
            ]
        )
        mention = self._joined([row.mention for row in rows], mentions)
        latest = self._joined([row.latest for row in rows], mentions)
        distance, is_same = self._joined([row.distance for row in rows]), self._joined([row.is_same for row in rows])
        own = hidden.index_select(0, self._joined([passage.head for passage in passages], _offsets(passages)))  # (K, H)
        vectors = person_vectors(self.network, own, ranks(before))
        scores = comparison_scores(self.network, own, vectors, mention, latest, distance)
        scores = scores + self._feature_scores([row.features for row in rows], compared)
        new_person = self._feature_scores([row.new_person for row in rows], mentions)
        is_learned = self._joined([passage.is_learned for passage in passages])
        return LinkScores(scores, mention, is_same, new_person, is_learned)

    def _feature_scores(self, features: Sequence[SparseFeatures], offsets: Integers) -> Tensor:
        """What the features of all passages add to the score of each row; offsets count their rows."""
        row = self._joined([each.row for each in features], offsets)
        feature, value = (
            self._joined([each.feature for each in features]),
            self._joined([each.value for each in features]),
        )
        return weighted_features(self.linking, row, feature, value, int(offsets[-1]))

    def _joined(self, parts: Sequence[NDArray[Any]], offsets: Integers | None = None) -> Tensor:
        """The parts of all passages one after the other, each raised by an offset if there are such."""
        raised = parts if offsets is None else [part + offset for part, offset in zip(parts, offsets, strict=False)]
        return torch.from_numpy(np.concatenate(raised)).to(self.device)

    def _span_loss(self, passages: Sequence[AnnotatedPassage], features: Tensor) -> Tensor:
        width = self.config.spans.max_width
        scores = self.spans.scores(features[None])[0]  # (N, W, 3), those across the end of a text not counted
        target = np.zeros(scores.shape[:2], dtype=np.int64)
        counted = np.concatenate([whole_words(passage.words, width) for passage in passages])
        for passage, offset in zip(passages, _offsets(passages), strict=False):
            fits = passage.last - passage.first < width
            target[offset + passage.first[fits], (passage.last - passage.first)[fits]] = passage.kind[fits] + 1
        loss = span_loss(scores, *(torch.from_numpy(each).to(self.device) for each in (target, counted)))
        return loss + self._gender_loss(passages, features) if self.config.spans.name_gender else loss

    def _gender_loss(self, passages: Sequence[AnnotatedPassage], features: Tensor) -> Tensor:
        """The loss of the gender of names, from features (N, D)."""
        offsets = _offsets(passages)
        names = [
            np.flatnonzero((each.feminine >= 0) & (each.last - each.first < self.config.spans.max_width))
            for each in passages
        ]
        first, last = (
            self._joined([getattr(each, name)[own] for each, own in zip(passages, names, strict=True)], offsets)
            for name in ("first", "last")
        )
        feminine = self._joined([each.feminine[own] for each, own in zip(passages, names, strict=True)])
        scores = self.spans.feminine_scores_of(
            features.index_select(0, first), features.index_select(0, last), last - first
        )
        return gender_loss(scores, feminine)

    def span_scores(self, features: Tensor) -> Tensor:
        """The span head's scores of a text with features (L, D): (L, W, 3)."""
        return self.spans.scores(features[None])[0]

    def encode(self, passages: Sequence[AnnotatedPassage]) -> Tensor:
        """The features (N, D) of passages, encoded together; differentiable."""
        return self.encoder.encode_together([passage.token_ids for passage in passages])


def _offsets(passages: Sequence[AnnotatedPassage]) -> Integers:
    """Where the tokens of each passage begin among those of all, and where the last one ends."""
    return np.cumsum([0, *(len(passage) for passage in passages)])


def adapted_model(model: TrainedModel, device: torch.device, encoder: PretrainedEncoder | None = None) -> AdaptedModel:
    """A trained model with its encoder, which is loaded unless it is given, without gradients in its memory."""
    config = model.config
    if encoder is None:
        adapter = adapter_of(config.adapter, model.weights)
        encoder = PretrainedEncoder.load(config.encoder, adapter=adapter, device=device)
    network = Network(config.memory, encoder.size)
    network.load_state_dict(model.memory_weights)
    spans = span_head_of(config.spans, model.weights, encoder.size) or SpanHead(config.spans, encoder.size)
    network.to(device).requires_grad_(False)
    linking = linking_tensor(feature_weights(model.weights), device)
    return AdaptedModel(config, encoder, network, spans.to(device), linking, device)


def linking_tensor(weights: FeatureWeights, device: torch.device) -> Tensor:
    """The weights of the features of linking in the order of FEATURE_NAMES."""
    return torch.tensor([weights[name] for name in FEATURE_NAMES], device=device)
