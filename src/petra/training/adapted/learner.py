"""One adapted model learning: encoder's adapter, memory and span head in one step.

A step takes a batch of GAP instances, read token by token as the paper does, and
passages of LitBank, read mention by mention. On a GPU the memory's part of the first is
recorded once and replayed: it gives the gradient of the features, which is then
carried back through the encoder.

Letters: T tokens, B texts, L tokens of a passage, D features of a token, H hidden
size, N cells, W tokens of the widest span, K mentions of all passages together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from petra.config import RunConfig
from petra.encoder.adapter import trained_weights
from petra.encoder.pretrained import LaidWindow, PretrainedEncoder
from petra.encoder.recurrent import states_of_one
from petra.encoder.span_head import PREFIX, SpanHead, whole_words
from petra.memory.gates import mention_probability
from petra.memory.network import Network
from petra.text.windows import windows
from petra.training.adapted.batches import Snippet, make_batch
from petra.training.adapted.forced import chains, comparison_scores, link_loss, person_vectors, span_loss
from petra.training.adapted.passages import Passage, comparisons, previous
from petra.training.losses import Pairs, coreference_loss, mention_loss
from petra.training.replay import Replay

Dropout = Callable[[Tensor], Tensor]


class PassageLosses(NamedTuple):
    """What passages say: three losses, and the share of mentions whose person is found."""

    link: Tensor
    span: Tensor
    mention: Tensor
    right: Tensor


class AdaptedModel:
    """An adapted encoder, a memory and a span head: what is read and scored while it learns, and after."""

    def __init__(
        self,
        config: RunConfig,
        encoder: PretrainedEncoder,
        network: Network,
        spans: SpanHead,
        device: torch.device,
    ) -> None:
        self.config = config
        self.encoder = encoder
        self.network = network
        self.spans = spans
        self.device = device

    def passage_losses(self, passages: Sequence[Passage], dropout: Dropout | None = None) -> PassageLosses:
        """The losses of passages, differentiable; dropout takes h_t of all tokens and returns what is left of it."""
        encoded = self._encode([_laid(passage, self.config) for passage in passages])
        features = pad_sequence(encoded)  # (L, B, D)
        hidden = states_of_one(features, self.network.recurrent_weights)  # (L, B, H)
        if dropout is not None:
            hidden = dropout(hidden)
        mention_prob = mention_probability(hidden[None], self.network.mention_weights)[0]  # (L, B)
        is_head, is_real = torch.zeros_like(mention_prob), torch.zeros_like(mention_prob)
        for column, passage in enumerate(passages):
            is_head[torch.from_numpy(passage.head).to(self.device), column] = 1
            is_real[: len(passage), column] = 1
        mention = F.binary_cross_entropy(mention_prob.float().clamp(1e-6, 1 - 1e-6), is_head, is_real, reduction="sum")
        link, right = self._link_losses(passages, hidden)
        span = self._span_loss(passages, features.transpose(0, 1))
        return PassageLosses(link, span, mention / is_head.sum().clamp(min=1), right)

    def _link_losses(self, passages: Sequence[Passage], hidden: Tensor) -> tuple[Tensor, Tensor]:
        offsets = np.cumsum([0, *(len(passage.head) for passage in passages)])
        heads = np.concatenate([passage.head for passage in passages])
        columns = np.repeat(np.arange(len(passages)), np.diff(offsets))
        before = np.concatenate(
            [
                np.where((found := previous(passage)) >= 0, found + offset, -1)
                for passage, offset in zip(passages, offsets, strict=False)
            ]
        )
        rows = [comparisons(passage) for passage in passages]
        mention = np.concatenate([row.mention + offset for row, offset in zip(rows, offsets, strict=False)])
        latest = np.concatenate([row.latest + offset for row, offset in zip(rows, offsets, strict=False)])
        distance = np.concatenate([row.distance for row in rows])
        is_same = np.concatenate([row.is_same for row in rows])
        place = [torch.from_numpy(array).to(self.device) for array in (mention, latest, distance, is_same)]
        own = hidden[torch.from_numpy(heads).to(self.device), torch.from_numpy(columns).to(self.device)]  # (K, H)
        vectors = person_vectors(self.network, own, chains(before))
        scores = comparison_scores(self.network, own, vectors, *place[:3])
        return link_loss(scores, place[0], place[3], len(heads))

    def _span_loss(self, passages: Sequence[Passage], features: Tensor) -> Tensor:
        width = self.config.spans.max_width
        scores = self.spans.scores(features)  # (B, L, W, 3)
        target = np.zeros(scores.shape[:3], dtype=np.int64)
        counted = np.zeros(scores.shape[:3], dtype=np.float32)
        for row, passage in enumerate(passages):
            counted[row, : len(passage)] = whole_words(passage.words, width)
            fits = passage.last - passage.first < width
            target[row, passage.first[fits], (passage.last - passage.first)[fits]] = passage.kind[fits] + 1
        return span_loss(scores, torch.from_numpy(target).to(self.device), torch.from_numpy(counted).to(self.device))

    def span_scores(self, passage: Passage) -> Tensor:
        """The span head's scores of a passage: (L, W, 3)."""
        (features,) = self._encode([_laid(passage, self.config)])
        return self.spans.scores(features[None])[0]

    def _encode(self, laid: Sequence[Sequence[LaidWindow]]) -> list[Tensor]:
        """The features (t, D) of texts given as their windows, with gradients."""
        parts = iter(self.encoder.encode_windows([window for text in laid for window in text]))
        return [torch.cat([next(parts) for _ in text]) for text in laid]


class AdaptedLearner(AdaptedModel):
    """An adapted model that learns, with its optimizer and its source of randomness."""

    def __init__(
        self, config: RunConfig, encoder: PretrainedEncoder, *, seed: int, steps: int, device: torch.device
    ) -> None:
        encoder.make_trainable(
            config.adapter, seed=seed, dtype=torch.bfloat16 if device.type == "cuda" else torch.float32
        )
        network = Network(config.memory, encoder.size, seeds=(seed,)).to(device)
        spans = SpanHead(config.spans, encoder.size, seed=seed).to(device)
        super().__init__(config, encoder, network, spans, device)
        self.seed = seed
        self.generator = torch.Generator(device).manual_seed(seed)
        adapter = [parameter for parameter in encoder.model.parameters() if parameter.requires_grad]
        rest = [*self.network.parameters(), *self.spans.parameters()]
        self.parameters = [*adapter, *rest]
        groups = [
            {"params": adapter, "lr": config.adapter.learning_rate},
            {"params": rest, "lr": config.training.learning_rate},
        ]
        self.optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
        warmup = max(1, round(steps * config.supervision.warmup))
        self.schedule = torch.optim.lr_scheduler.LambdaLR(
            self.optimizer, lambda step: min((step + 1) / warmup, max(0.0, (steps - step) / max(1, steps - warmup)))
        )
        self._gradients = Replay(self._snippet_gradients, device)

    @property
    def weights(self) -> dict[str, Tensor]:
        """Everything that was learned, with the names that a model keeps it under."""
        memory = {name: value.detach() for name, value in self.network.named_parameters()}
        spans = {f"{PREFIX}{name}": value.detach() for name, value in self.spans.named_parameters()}
        return {**memory, **spans, **trained_weights(self.encoder.model)}

    def step(self, snippets: Sequence[Snippet], passages: Sequence[Passage], temperature: float) -> dict[str, float]:
        """Learn from a batch of snippets and some passages; returns the losses by name."""
        self.encoder.model.train()
        self.optimizer.zero_grad(set_to_none=True)
        losses = {"gap": self._learn_snippets(snippets, temperature)}
        if passages:
            found = self.passage_losses(passages, self._drop)
            weights = self.config.supervision
            loss = (
                weights.link_weight * found.link
                + weights.span_weight * found.span
                + weights.mention_weight * found.mention
            )
            loss.backward()
            losses |= dict(zip(PassageLosses._fields, found, strict=True))
        nn.utils.clip_grad_norm_(self.parameters, self.config.training.clip_norm)
        self.optimizer.step()
        self.schedule.step()
        return {name: float(value.detach()) for name, value in losses.items()}

    def _learn_snippets(self, snippets: Sequence[Snippet], temperature: float) -> Tensor:
        training = self.config.training
        batch = make_batch([snippet.example for snippet in snippets], training.batch_size, self.device)
        tokens, texts = batch.real.shape
        encoded = self._encode([list(self.encoder.lay(snippet.document)) for snippet in snippets])
        features = F.pad(pad_sequence(encoded), (0, 0, 0, texts - len(encoded)))  # (longest, B, D)
        features = F.pad(features, (0, 0, 0, 0, 0, tokens - len(features)))[None]  # (1, T, B, D)
        size, cells = self.config.memory.hidden_size, self.config.memory.num_cells
        loss, grad_features, *gradients = self._gradients(
            features.detach(),
            batch.real,
            batch.unlabelled,
            *batch.pairs,
            self._uniform(1, tokens, texts, size),
            self._uniform(1, tokens, texts, cells),
            torch.tensor(temperature, device=self.device),
        )
        spans = self.config.supervision.span_weight * self._labelled_span_loss(snippets, features[0])
        torch.autograd.backward([features, spans], [grad_features, None])
        for parameter, gradient in zip(self.network.parameters(), gradients, strict=True):
            parameter.grad = gradient.clone()  # the recording's own is written anew by the next step
        return loss

    def _labelled_span_loss(self, snippets: Sequence[Snippet], features: Tensor) -> Tensor:
        """The mean cross entropy of the spans that the instances tell of, from features (T, B, D)."""
        rows = [(*span, column) for column, snippet in enumerate(snippets) for span in snippet.spans]
        first, last, kind, column = torch.tensor(rows, device=self.device).t()
        scores = self.spans.scores_of(features[first, column], features[last, column], last - first)
        return F.cross_entropy(F.pad(scores, (1, 0)), kind)

    def _snippet_gradients(
        self,
        features: Tensor,
        real: Tensor,
        unlabelled: Tensor,
        first: Tensor,
        second: Tensor,
        label: Tensor,
        weight: Tensor,
        dropout_uniform: Tensor,
        gumbel_uniform: Tensor,
        temperature: Tensor,
    ) -> tuple[Tensor, ...]:
        """The paper's losses and their gradients with respect to the features and the memory's weights."""
        features = features.detach().requires_grad_()
        noise = -torch.log(-torch.log(gumbel_uniform.clamp(1e-7, 1 - 1e-7)))
        if self.config.training.tempered_noise:
            noise = noise / temperature
        dropout = _dropout(dropout_uniform, self.config.training.dropout)
        gates = self.network.train_step(features, real, dropout, noise, temperature)
        loss = coreference_loss(gates, Pairs(first, second, label, weight))
        loss = loss + self.config.training.mention_loss_weight * mention_loss(gates.mention_prob, unlabelled)
        return (loss.detach().sum(), *torch.autograd.grad(loss.sum(), [features, *self.network.parameters()]))

    def _drop(self, hidden: Tensor) -> Tensor:
        return hidden * _dropout(self._uniform(*hidden.shape), self.config.training.dropout)

    def _uniform(self, *shape: int) -> Tensor:
        return torch.empty(shape, device=self.device).uniform_(generator=self.generator)


def _laid(passage: Passage, config: RunConfig) -> list[LaidWindow]:
    return [
        LaidWindow(passage.token_ids[window.start : window.end], window)
        for window in windows(len(passage), config.encoder.window, config.encoder.margin)
    ]


def _dropout(uniform: Tensor, rate: float) -> Tensor:
    """What to multiply by: 0 at that rate, else what makes up for it."""
    return (uniform >= rate) / (1 - rate)
