"""An adapted model: encoder, memory and span head together, and its losses on annotated passages.

Letters: L tokens of a passage, B passages, D features of a token, H hidden size, W tokens
of the widest span, K mentions of all passages together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from petra.config import RunConfig
from petra.encoder.adapter import adapter_of
from petra.encoder.pretrained import PretrainedEncoder
from petra.linking.scorer import FeatureWeights, feature_weights
from petra.memory.gates import mention_probability
from petra.memory.gru import states_of_one
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
        self, passages: Sequence[AnnotatedPassage], encoded: Sequence[Tensor], dropout: Dropout | None = None
    ) -> PassageLosses:
        """The losses on passages with features (t, D), differentiable; dropout is applied to h_t of all tokens."""
        features = pad_sequence(list(encoded))  # (L, B, D)
        hidden = states_of_one(features, self.network.recurrent_weights)  # (L, B, H)
        if dropout is not None:
            hidden = dropout(hidden)
        mention_prob = mention_probability(hidden[None], self.network.mention_weights)[0]  # (L, B)
        is_head, is_real = torch.zeros_like(mention_prob), torch.zeros_like(mention_prob)
        for column, passage in enumerate(passages):
            is_head[torch.from_numpy(passage.head).to(self.device), column] = 1
            is_real[: len(passage), column] = 1
        mention = F.binary_cross_entropy(mention_prob.float().clamp(1e-6, 1 - 1e-6), is_head, is_real, reduction="sum")
        link, right = link_loss(*self.link_scores(passages, hidden))
        span = self._span_loss(passages, features.transpose(0, 1))
        return PassageLosses(link, span, mention / is_head.sum().clamp(min=1), right)

    def distant_loss(
        self, passages: Sequence[AnnotatedPassage], encoded: Sequence[Tensor], dropout: Dropout
    ) -> tuple[Tensor, Tensor]:
        """The loss of the links of passages in which few mentions are marked, and the share of them that are right."""
        hidden = dropout(states_of_one(pad_sequence(list(encoded)), self.network.recurrent_weights))  # (L, B, H)
        return link_loss(*self.link_scores(passages, hidden))

    def link_scores(self, passages: Sequence[AnnotatedPassage], hidden: Tensor) -> LinkScores:
        """The scores of all comparisons and of new persons, given h_t of all tokens (L, B, H)."""
        mentions = np.cumsum([0, *(len(passage.head) for passage in passages)])
        rows = [passage.comparisons for passage in passages]
        compared = np.cumsum([0, *(len(row.mention) for row in rows)])
        heads = np.concatenate([passage.head for passage in passages])
        columns = np.repeat(np.arange(len(passages)), np.diff(mentions))
        before = np.concatenate(
            [
                np.where((found := previous(passage)) >= 0, found + offset, -1)
                for passage, offset in zip(passages, mentions, strict=False)
            ]
        )
        mention = self._joined([row.mention for row in rows], mentions)
        latest = self._joined([row.latest for row in rows], mentions)
        distance, is_same = self._joined([row.distance for row in rows]), self._joined([row.is_same for row in rows])
        own = hidden[torch.from_numpy(heads).to(self.device), torch.from_numpy(columns).to(self.device)]  # (K, H)
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
        scores = self.spans.scores(features)  # (B, L, W, 3)
        target = np.zeros(scores.shape[:3], dtype=np.int64)
        counted = np.zeros(scores.shape[:3], dtype=np.float32)
        for row, passage in enumerate(passages):
            counted[row, : len(passage)] = whole_words(passage.words, width)
            fits = passage.last - passage.first < width
            target[row, passage.first[fits], (passage.last - passage.first)[fits]] = passage.kind[fits] + 1
        loss = span_loss(scores, torch.from_numpy(target).to(self.device), torch.from_numpy(counted).to(self.device))
        return loss + self._gender_loss(passages, features) if self.config.spans.name_gender else loss

    def _gender_loss(self, passages: Sequence[AnnotatedPassage], features: Tensor) -> Tensor:
        """The loss of the gender of names, from features (B, L, D)."""
        names = [
            np.flatnonzero((each.feminine >= 0) & (each.last - each.first < self.config.spans.max_width))
            for each in passages
        ]
        row = self._joined([np.full(len(own), number) for number, own in enumerate(names)])
        first, last, feminine = (
            self._joined([getattr(each, name)[own] for each, own in zip(passages, names, strict=True)])
            for name in ("first", "last", "feminine")
        )
        scores = self.spans.feminine_scores_of(features[row, first], features[row, last], last - first)
        return gender_loss(scores, feminine)

    def span_scores(self, features: Tensor) -> Tensor:
        """The span head's scores of a text with features (L, D): (L, W, 3)."""
        return self.spans.scores(features[None])[0]

    def encode(self, passages: Sequence[AnnotatedPassage]) -> list[Tensor]:
        """The features (t, D) of passages, encoded in one batch."""
        split = [list(self.encoder.split(passage.token_ids)) for passage in passages]
        encoded = iter(self.encoder.encode_windows([window for of_passage in split for window in of_passage]))
        return [torch.cat([next(encoded) for _ in of_passage]) for of_passage in split]


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
