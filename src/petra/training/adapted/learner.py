"""One adapted model learning: encoder's adapter, memory and span head in one step.

A step takes a batch of GAP instances, read token by token as the paper does, and
passages of LitBank, read mention by mention. On a GPU the memory's part of the first is
recorded once and replayed: it gives the gradient of the features, which is then
carried back through the encoder.

Letters: T tokens, B texts, D features of a token, H hidden size, N cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence
from torch.optim.swa_utils import get_ema_multi_avg_fn

from petra.config import RunConfig
from petra.encoder.adapter import trained_weights
from petra.encoder.pretrained import LaidWindow, PretrainedEncoder
from petra.memory.network import Network
from petra.mentions.span_head import PREFIX, SpanHead
from petra.text.windows import windows
from petra.training.adapted.batches import Snippet, make_batch
from petra.training.adapted.likeness import Likeness
from petra.training.adapted.model import AdaptedModel, PassageLosses
from petra.training.adapted.passages import Passage
from petra.training.losses import Pairs, coreference_loss, mention_loss
from petra.training.optimizer import rise_and_fall
from petra.training.replay import Replay


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
        self.schedule = rise_and_fall(self.optimizer, steps, config.supervision.warmup)
        self._gradients = Replay(self._snippet_gradients, device)
        self._steps = 0
        self._likeness: Likeness | None = None
        self._average = [parameter.detach().clone() for parameter in self.parameters] if config.adapter.average else []

    @torch.no_grad()
    def go_on_from(self, weights: Mapping[str, Tensor]) -> None:
        """Begin with what a model of the same shape has learned."""
        for name, own in self.weights.items():
            own.copy_(weights[name])

    def go_on_imitating(self, imitated: AdaptedModel) -> None:
        """From now on, count what is missed of another model in the loss of labelled texts."""
        self._likeness = Likeness(imitated, self.encoder.model.dtype)

    @contextmanager
    def averaged(self) -> Iterator[None]:
        """Within, the parameters are their running averages, if the recipe asks for these."""
        if not self._average:
            yield
            return
        learned = [parameter.detach().clone() for parameter in self.parameters]
        self._set(self._average)
        try:
            yield
        finally:
            self._set(learned)

    @torch.no_grad()
    def _set(self, values: Sequence[Tensor]) -> None:
        for parameter, value in zip(self.parameters, values, strict=True):
            parameter.copy_(value)

    @property
    def weights(self) -> dict[str, Tensor]:
        """Everything that was learned, with the names that a model keeps it under."""
        memory = {name: value.detach() for name, value in self.network.named_parameters()}
        spans = {f"{PREFIX}{name}": value.detach() for name, value in self.spans.named_parameters()}
        return {**memory, **spans, **trained_weights(self.encoder.model)}

    def step(self, snippets: Sequence[Snippet], passages: Sequence[Passage], temperature: float) -> dict[str, float]:
        """Learn from a batch of snippets and some passages; returns the losses by name."""
        if not self.encoder.model.training:
            self.encoder.model.train()
        self.optimizer.zero_grad(set_to_none=True)
        losses = {"gap": self._learn_snippets(snippets, temperature)}
        if passages:
            found = self.passage_losses(passages, self._encode_passages(passages), self._drop)
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
        self._steps += 1
        if self._average:  # of all steps so far, until these are more than it reaches back to
            share = max(self.config.adapter.average, 1 / self._steps)
            get_ema_multi_avg_fn(1 - share)(self._average, self.parameters, self._steps)
        return {name: float(value.detach()) for name, value in losses.items()}

    def _learn_snippets(self, snippets: Sequence[Snippet], temperature: float) -> Tensor:
        training = self.config.training
        batch = make_batch([snippet.example for snippet in snippets], training.batch_size, self.device)
        tokens, texts = batch.real.shape
        features = self._encode_snippets(snippets, tokens, texts)
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
        roots: list[Tensor] = [features]
        if any(snippet.spans for snippet in snippets):  # there is a span head
            roots.append(self.config.supervision.span_weight * self._labelled_span_loss(snippets, features[0]))
        if self._likeness is not None:
            texts_first = features[0].transpose(0, 1)
            documents = [snippet.document for snippet in snippets]
            roots.append(
                self.config.imitation.weight * self._likeness.missed_of_documents(self, texts_first, documents)
            )
        torch.autograd.backward(roots, [grad_features, *[None] * (len(roots) - 1)])
        for parameter, gradient in zip(self.network.parameters(), gradients, strict=True):
            # Added to a copy: the recording's own gradient is written anew by the next step.
            parameter.grad = gradient.clone() if parameter.grad is None else parameter.grad + gradient
        return loss

    def _encode_snippets(self, snippets: Sequence[Snippet], tokens: int, texts: int) -> Tensor:
        """The features of snippets, (1, T, B, D); those of padding mean nothing."""
        laid = [list(self.encoder.lay(snippet.document)) for snippet in snippets]
        if any(len(of_snippet) != 1 for of_snippet in laid):
            encoded = [torch.cat(self.encoder.encode_windows(of_snippet)) for of_snippet in laid]
            features = F.pad(pad_sequence(encoded), (0, 0, 0, texts - len(encoded)))  # (longest, B, D)
            return F.pad(features, (0, 0, 0, 0, 0, tokens - len(features)))[None]
        return self.encode_padded([window for (window,) in laid], tokens, texts).transpose(0, 1)[None]

    def _encode(self, token_ids: Tensor, is_text: Tensor) -> Tensor:
        """The features (B, L, D) of framed windows."""
        return self.encoder.features(token_ids.to(self.device), is_text.long().to(self.device))

    def encode_padded(self, laid: Sequence[LaidWindow], tokens: int, rows: int) -> Tensor:
        """The features of so many tokens of so many windows, differentiable: (rows, tokens, D).

        Those past the end of a window mean nothing; rows that only fill up repeat the last.
        """
        begin = len(self.encoder.tokenizer.prefix)
        return self._encode(*self.encoder.frame(laid, tokens=tokens, rows=rows))[:, begin : begin + tokens]

    def _encode_passages(self, passages: Sequence[Passage]) -> list[Tensor]:
        """The features (t, D) of passages."""
        laid = [self.lay(passage) for passage in passages]
        every = [window for of_passage in laid for window in of_passage]
        encoder = self.config.encoder
        most = sum(1 for _ in windows(self.config.supervision.passage_tokens, encoder.window, encoder.margin))
        framed = self.encoder.frame(every, tokens=encoder.window, rows=most * len(passages))
        kept = iter(self.encoder.kept_of(self._encode(*framed), every))
        return [torch.cat([next(kept) for _ in of_passage]) for of_passage in laid]

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


def _dropout(uniform: Tensor, rate: float) -> Tensor:
    """What to multiply by: 0 at that rate, else what makes up for it."""
    return (uniform >= rate) / (1 - rate)
