"""One adapted model learning: encoder's adapter, memory and span head in one step.

A step takes a batch of GAP instances, read token by token as the paper does, and
passages of LitBank, read mention by mention with teacher forcing. On a GPU forward and
backward pass of the memory over GAP are captured as a graph and replayed: that gives the
gradient of the features, and the backward pass through the encoder follows.

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
from petra.encoder.backends.choosing import cpu_has_bf16
from petra.encoder.pretrained import PretrainedEncoder, WindowTokens
from petra.linking.scorer import PREFIX as LINKING
from petra.linking.scorer import feature_weights, initial_weights
from petra.memory.network import Network
from petra.mentions.span_head import PREFIX, SpanHead
from petra.training.adapted.batches import Snippet, make_batch, padded_length
from petra.training.adapted.distillation_loss import DistillationLoss
from petra.training.adapted.model import AdaptedModel, PassageLosses, linking_tensor
from petra.training.adapted.passages import FEATURE_NAMES, AnnotatedPassage, by_length
from petra.training.checkpoint import copy_exactly
from petra.training.losses import Pairs, coreference_loss, mention_loss
from petra.training.optimizer import linear_schedule_with_warmup
from petra.training.replay import Replay

_CPU_SHORTEST, _GPU_SHORTEST = 32, 256  # tokens; shorter texts are padded alike
NAME_FEATURES = ("exact_name", "shorter_name", "longer_name", "nickname", "unrelated_name", "conflicting_name")


class AdaptedLearner(AdaptedModel):
    """An adapted model that learns, with its optimizer and its source of randomness."""

    def __init__(
        self, config: RunConfig, encoder: PretrainedEncoder, *, seed: int, steps: int, device: torch.device
    ) -> None:
        torch.manual_seed(seed)  # of the dropout in the encoder
        halved = device.type == "cuda" or cpu_has_bf16()
        encoder.make_trainable(config.adapter, seed=seed, dtype=torch.bfloat16 if halved else torch.float32)
        network = Network(config.memory, encoder.size, seeds=(seed,)).to(device)
        spans = SpanHead(config.spans, encoder.size, seed=seed).to(device)
        linking = nn.Parameter(linking_tensor(initial_weights(), device))
        if not config.supervision.learn_names:
            learned = torch.tensor([name not in NAME_FEATURES for name in FEATURE_NAMES], device=device)
            linking.register_hook(lambda gradient: gradient * learned)
        super().__init__(config, encoder, network, spans, linking, device)
        self.seed = seed
        self.generator = torch.Generator(device).manual_seed(seed)
        adapter = [parameter for parameter in encoder.model.parameters() if parameter.requires_grad]
        rest = [*self.network.parameters(), *self.spans.parameters()]
        self.parameters = [*adapter, *rest, linking]
        groups = [
            {"params": adapter, "lr": config.adapter.learning_rate},
            {"params": rest, "lr": config.training.learning_rate},
            {"params": [linking], "lr": config.supervision.linking_rate, "weight_decay": 0.0},
        ]
        self.optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
        self.schedule = linear_schedule_with_warmup(self.optimizer, steps, config.supervision.warmup)
        self._gradients = Replay(self._snippet_gradients, device)
        self._steps = 0
        # A CPU pays for padding, a GPU for every group.
        self._shortest = _GPU_SHORTEST if device.type == "cuda" else _CPU_SHORTEST
        self._distillation: DistillationLoss | None = None
        averaged = self.parameters if config.adapter.ema_decay else []
        self._average = [parameter.detach().clone() for parameter in averaged]

    @torch.no_grad()
    def initialise_from(self, weights: Mapping[str, Tensor]) -> None:
        """Copy the weights of a trained model of the same shape; what it does not have yet begins as drawn."""
        known = {**self._linking_weights(linking_tensor(feature_weights(weights), self.device)), **weights}
        for name, own in self.weights.items():
            if name in known:
                own.copy_(known[name])

    def add_distillation(self, teacher: AdaptedModel) -> None:
        """Add the distillation loss of a teacher to the loss on labelled text from now on."""
        self._distillation = DistillationLoss(teacher, self.encoder.model.dtype)

    @contextmanager
    def averaged(self) -> Iterator[None]:
        """Within this context the parameters are their exponential moving averages, if the recipe asks for these."""
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
        """All trained weights, by the names they have in a model's file."""
        memory = {name: value.detach() for name, value in self.network.named_parameters()}
        spans = {f"{PREFIX}{name}": value.detach() for name, value in self.spans.named_parameters()}
        linking = self._linking_weights(self.linking.detach())
        return {**memory, **spans, **linking, **trained_weights(self.encoder.model)}

    def _linking_weights(self, linking: Tensor) -> dict[str, Tensor]:
        return {f"{LINKING}{name}": weight for name, weight in zip(FEATURE_NAMES, linking, strict=True)}

    @property
    def steps(self) -> int:
        """The steps done."""
        return self._steps

    @property
    def tensors(self) -> dict[str, Tensor]:
        """The tensors that the next step depends on: parameters, their average, AdamW's moments, the generator."""
        tensors = {f"parameter.{place}": value.detach() for place, value in enumerate(self.parameters)}
        tensors |= {f"average.{place}": value for place, value in enumerate(self._average)}
        for place, parameter in enumerate(self.parameters):
            moments = self.optimizer.state[parameter]
            tensors |= {f"adam.{place}.{name}": moment for name, moment in moments.items()}
        return {**tensors, "generator": self.generator.get_state()}

    @torch.no_grad()
    def restore(self, tensors: Mapping[str, Tensor], steps: int) -> None:
        """Set a new learner to the state of one that was saved after some steps."""
        for place, parameter in enumerate(self.parameters):
            copy_exactly(parameter, tensors[f"parameter.{place}"])
            prefix = f"adam.{place}."
            moments = {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}
            self.optimizer.state[parameter] = {
                name: value.clone() if name == "step" else value.to(parameter.device, copy=True)
                for name, value in moments.items()
            }
        for place, average in enumerate(self._average):
            copy_exactly(average, tensors[f"average.{place}"])
        self.generator.set_state(tensors["generator"].clone())
        self._steps = self.schedule.last_epoch = steps
        for group, factor in zip(self.optimizer.param_groups, self.schedule.lr_lambdas, strict=True):
            group["lr"] = group["initial_lr"] * factor(steps)

    def step(
        self,
        snippets: Sequence[Snippet],
        passages: Sequence[AnnotatedPassage],
        temperature: float,
        short_texts: Sequence[AnnotatedPassage] = (),
        distant_texts: Sequence[AnnotatedPassage] = (),
    ) -> dict[str, float]:
        """Learn from a batch of snippets, some passages, short and distantly supervised texts; the losses by name."""
        if not self.encoder.model.training:
            self.encoder.model.train()
        self.optimizer.zero_grad(set_to_none=True)
        losses: dict[str, Tensor] = {}
        if snippets:
            losses["gap"] = self._learn_snippets(snippets, temperature)
        if passages:
            losses |= self._learn_passages(passages, self.encode(passages))._asdict()
        whole = sum(len(text.head) for text in short_texts)
        for group in by_length(short_texts, self._shortest):
            share = sum(len(text.head) for text in group) / whole
            found = self._learn_passages(group, self._encode_short(group), share)
            for name, value in found._asdict().items():
                losses[f"short_{name}"] = losses.get(f"short_{name}", 0) + share * value.detach()
        whole = sum(int(text.is_learned.sum()) for text in distant_texts)
        for group in by_length(distant_texts, self._shortest):
            share = sum(int(text.is_learned.sum()) for text in group) / whole
            link, right = self.distant_loss(group, self._encode_short(group), self._drop)
            (share * self.config.supervision.distant_weight * link).backward()
            for name, value in (("link", link), ("right", right)):
                losses[f"distant_{name}"] = losses.get(f"distant_{name}", 0) + share * value.detach()
        # The weights of features are of another order of magnitude, and their gradients too.
        nn.utils.clip_grad_norm_(self.parameters[:-1], self.config.training.clip_norm)
        self.optimizer.step()
        self.schedule.step()
        self._steps += 1
        if self._average:  # the mean of all steps, until these are more than the decay reaches back to
            decay = min(self.config.adapter.ema_decay, 1 - 1 / self._steps)
            get_ema_multi_avg_fn(decay)(self._average, self.parameters, self._steps)
        return {name: float(value.detach()) for name, value in losses.items()}

    def _learn_passages(
        self, passages: Sequence[AnnotatedPassage], encoded: Sequence[Tensor], share: float = 1.0
    ) -> PassageLosses:
        """Add the gradient of the losses on passages, which are a share of those of the step."""
        losses, weights = self.passage_losses(passages, encoded, self._drop), self.config.supervision
        loss = weights.link_weight * losses.link + weights.span_weight * losses.span
        (share * (loss + weights.mention_weight * losses.mention)).backward()
        return losses

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
        if self._distillation is not None:
            texts_first = features[0].transpose(0, 1)
            documents = [snippet.document for snippet in snippets]
            distilled = self._distillation.of_documents(self, texts_first, documents)
            if distilled.requires_grad:  # else every document is longer than a window
                roots.append(self.config.distillation.weight * distilled)
        torch.autograd.backward(roots, [grad_features, *[None] * (len(roots) - 1)])
        for parameter, gradient in zip(self.network.parameters(), gradients, strict=True):
            # Added to a copy: the recording's own gradient is overwritten by the next step.
            parameter.grad = gradient.clone() if parameter.grad is None else parameter.grad + gradient
        return loss

    def _encode_snippets(self, snippets: Sequence[Snippet], tokens: int, texts: int) -> Tensor:
        """The features of snippets, padded: (1, T, B, D)."""
        split = [list(self.encoder.split(snippet.document.token_ids)) for snippet in snippets]
        if any(len(of_snippet) != 1 for of_snippet in split):
            encoded = [torch.cat(self.encoder.encode_windows(of_snippet)) for of_snippet in split]
            features = F.pad(pad_sequence(encoded), (0, 0, 0, texts - len(encoded)))  # (longest, B, D)
            return F.pad(features, (0, 0, 0, 0, 0, tokens - len(features)))[None]
        return self.encode_padded([window for (window,) in split], tokens, texts).transpose(0, 1)[None]

    def _encode(self, token_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """The features (B, L, D) of a padded batch."""
        return self.encoder.features(token_ids.to(self.device), attention_mask.long().to(self.device))

    def encode_padded(self, windows: Sequence[WindowTokens], tokens: int, rows: int) -> Tensor:
        """The features of windows padded to so many tokens and rows, differentiable: (rows, tokens, D).

        Rows that only fill up the batch repeat the last window.
        """
        begin = len(self.encoder.tokenizer.prefix)
        return self._encode(*self.encoder.pad(windows, tokens=tokens, rows=rows))[:, begin : begin + tokens]

    def _encode_short(self, texts: Sequence[AnnotatedPassage]) -> list[Tensor]:
        """The features (t, D) of texts that fit into one window each."""
        windows = [window for text in texts for window in self.encoder.split(text.token_ids)]
        padded = self.encoder.pad(windows, tokens=padded_length([len(text) for text in texts]), rows=len(texts))
        return self.encoder.unpad(self._encode(*padded), windows)

    def _labelled_span_loss(self, snippets: Sequence[Snippet], features: Tensor) -> Tensor:
        """The mean cross entropy of the labelled spans of instances, from features (T, B, D)."""
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
    """The factors of inverted dropout: 0 where a uniform number is below the rate, else 1 / (1 - rate)."""
    return (uniform >= rate) / (1 - rate)
