"""One adapted model learning: encoder's adapter, memory and span head in one step.

A step takes a batch of GAP instances, read token by token as the paper does, and annotated
passages, read mention by mention with teacher forcing. All are encoded together. On a GPU
forward and backward pass of the memory over GAP are captured as a graph and replayed: that
gives the gradient of the features, and one backward pass through the encoder follows.

Letters: N tokens of all texts together; of GAP T tokens, B texts; D features of a token, H
hidden size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.optim.swa_utils import get_ema_multi_avg_fn

from petra.config import RunConfig
from petra.encoder.adapter import trained_weights
from petra.encoder.backends.choosing import cpu_has_bf16
from petra.encoder.frozen import FrozenEncoder
from petra.encoder.pretrained import PretrainedEncoder, WindowTokens
from petra.linking.scorer import PREFIX as LINKING
from petra.linking.scorer import initial_weights
from petra.memory.network import Network
from petra.mentions.span_head import PREFIX, SpanHead
from petra.training.adapted.batches import Snippet, make_batch
from petra.training.adapted.distillation_loss import DistillationLoss
from petra.training.adapted.model import AdaptedModel, linking_tensor
from petra.training.adapted.passages import FEATURE_NAMES, AnnotatedPassage
from petra.training.checkpoint import copy_exactly
from petra.training.losses import Pairs, coreference_loss, mention_loss
from petra.training.optimizer import linear_schedule_with_warmup
from petra.training.replay import Replay

_CPU_TOKENS, _GPU_TOKENS = 4096, 65536  # encoded and learned from at once: as many as there is memory for
NAME_FEATURES = ("exact_name", "shorter_name", "longer_name", "nickname", "unrelated_name", "conflicting_name")


class _Group(NamedTuple):
    """Texts of one kind, and their share of that kind in the step."""

    kind: str  # what the names of its losses begin with
    texts: Sequence[AnnotatedPassage]
    share: float


class _LearnedTogether(NamedTuple):
    """What is encoded at once."""

    snippets: Sequence[Snippet]
    groups: list[_Group]


class AdaptedLearner(AdaptedModel):
    """An adapted model that learns, with its optimizer and its source of randomness."""

    def __init__(
        self, config: RunConfig, encoder: PretrainedEncoder, *, seed: int, steps: int, device: torch.device
    ) -> None:
        torch.manual_seed(seed)  # of the dropout in the encoder
        halved = device.type == "cuda" or cpu_has_bf16()
        adapter: list[nn.Parameter] = []
        if not config.adapter.frozen:
            encoder.make_trainable(config.adapter, seed=seed, dtype=torch.bfloat16 if halved else torch.float32)
            adapter = [parameter for parameter in encoder.model.parameters() if parameter.requires_grad]
        network = Network(config.memory, encoder.size, seeds=(seed,)).to(device)
        spans = SpanHead(config.spans, encoder.size, seed=seed).to(device)
        linking = nn.Parameter(linking_tensor(initial_weights(), device))
        if not config.supervision.learn_names:
            learned = torch.tensor([name not in NAME_FEATURES for name in FEATURE_NAMES], device=device)
            linking.register_hook(lambda gradient: gradient * learned)
        super().__init__(config, encoder, network, spans, linking, device)
        self.seed = seed
        self.generator = torch.Generator(device).manual_seed(seed)
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
        self._at_once = _GPU_TOKENS if device.type == "cuda" else _CPU_TOKENS
        self._distillation: DistillationLoss | None = None
        averaged = self.parameters if config.adapter.ema_decay else []
        self._average = [parameter.detach().clone() for parameter in averaged]

    @torch.no_grad()
    def initialise_from(self, weights: Mapping[str, Tensor]) -> None:
        """Copy the weights of a trained model of the same shape; features new to it have initial weights."""
        known = {**self._linking_weights(linking_tensor(initial_weights(), self.device)), **weights}
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
        return {**memory, **spans, **linking, **self._adapter_weights}

    @property
    def _adapter_weights(self) -> Mapping[str, Tensor]:
        if isinstance(self.encoder, FrozenEncoder):
            return self.encoder.adapter_weights
        return trained_weights(self.encoder.model)

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
    ) -> dict[str, Tensor]:
        """Learn from a batch of snippets, some passages, short and distantly supervised texts; the losses by name.

        The losses are left on the device, so that the next step can be made ready before this one is done.
        """
        self.encoder.set_training(True)
        self.optimizer.zero_grad(set_to_none=True)
        losses: dict[str, Tensor] = {}
        texts = {"": passages, "short_": short_texts, "distant_": distant_texts}
        for part in self._parts(snippets, texts):
            self._learn(part, temperature, losses)
        # The weights of features are of another order of magnitude, and their gradients too.
        nn.utils.clip_grad_norm_(self.parameters[:-1], self.config.training.clip_norm)
        self.optimizer.step()
        self.schedule.step()
        self._steps += 1
        if self._average:  # the mean of all steps, until these are more than the decay reaches back to
            decay = min(self.config.adapter.ema_decay, 1 - 1 / self._steps)
            get_ema_multi_avg_fn(decay)(self._average, self.parameters, self._steps)
        return losses

    def _parts(
        self, snippets: Sequence[Snippet], texts: Mapping[str, Sequence[AnnotatedPassage]]
    ) -> Iterator[_LearnedTogether]:
        """All that a step learns from, in parts that are encoded at once."""
        part, tokens = _LearnedTogether(snippets, []), sum(len(snippet.document) for snippet in snippets)
        for kind, of_kind in texts.items():
            weight = sum(map(_weight, of_kind))
            group: list[AnnotatedPassage] = []
            for text in of_kind:
                if tokens and tokens + len(text) > self._at_once:
                    part.groups.append(_Group(kind, group, sum(map(_weight, group)) / max(1, weight)))
                    yield part
                    part, group, tokens = _LearnedTogether((), []), [], 0
                group.append(text)
                tokens += len(text)
            part.groups.append(_Group(kind, group, sum(map(_weight, group)) / max(1, weight)))
        yield part

    def _learn(self, part: _LearnedTogether, temperature: float, losses: dict[str, Tensor]) -> None:
        """Add the gradient of the losses on a part of a step, and the losses to those so far."""
        groups = [group for group in part.groups if group.texts]
        token_ids = [snippet.document.token_ids for snippet in part.snippets]
        token_ids += [text.token_ids for group in groups for text in group.texts]
        if not token_ids:
            return
        sizes = [sum(len(snippet.document) for snippet in part.snippets)]
        sizes += [sum(map(len, group.texts)) for group in groups]
        of_snippets, *of_groups = self.encoder.encode_together(token_ids).split(sizes)
        roots = [torch.zeros((), device=self.device)]
        if part.snippets:
            losses["gap"], root = self._snippet_loss(part.snippets, of_snippets, temperature)
            roots.append(root)
        for (kind, texts, share), features in zip(groups, of_groups, strict=True):
            if kind == "distant_":
                link, right = self.distant_loss(texts, features, self._drop)
                found = {"link": link, "right": right}
                root = self.config.supervision.distant_weight * link
            else:
                found = self.passage_losses(texts, features, self._drop)._asdict()
                weights = self.config.supervision
                root = weights.link_weight * found["link"] + weights.span_weight * found["span"]
                root = root + weights.mention_weight * found["mention"]
            roots.append(share * root)
            for name, value in found.items():
                losses[f"{kind}{name}"] = losses.get(f"{kind}{name}", 0) + share * value.detach()
        whole = torch.stack(roots).sum()
        if whole.requires_grad:  # a frozen encoder leaves snippets without spans nothing to learn here
            whole.backward()

    def _snippet_loss(self, snippets: Sequence[Snippet], encoded: Tensor, temperature: float) -> tuple[Tensor, Tensor]:
        """The paper's loss on snippets with features (N, D), and what has the gradient of all that they teach.

        The gradient of the memory's weights is added here.
        """
        training = self.config.training
        batch = make_batch([snippet.example for snippet in snippets], training.batch_size, self.device)
        tokens, texts = batch.real.shape
        features = self._padded(encoded, snippets, tokens, texts)  # (T, B, D)
        size, cells = self.config.memory.hidden_size, self.config.memory.num_cells
        loss, grad_features, *gradients = self._gradients(
            features.detach()[None],
            batch.real,
            batch.unlabelled,
            *batch.pairs,
            self._uniform(1, tokens, texts, size),
            self._uniform(1, tokens, texts, cells),
            torch.tensor(temperature, device=self.device),
        )
        for parameter, gradient in zip(self.network.parameters(), gradients, strict=True):
            # Added to a copy: the recording's own gradient is overwritten by the next step.
            parameter.grad = gradient.clone() if parameter.grad is None else parameter.grad + gradient
        root = (features * grad_features[0].clone()).sum()
        if any(snippet.spans for snippet in snippets):  # there is a span head
            root = root + self.config.supervision.span_weight * self._labelled_span_loss(snippets, features)
        if self._distillation is not None:
            documents = [snippet.document for snippet in snippets]
            distilled = self._distillation.of_documents(self, features.transpose(0, 1), documents)
            root = root + self.config.distillation.weight * distilled
        return loss.clone(), root

    def _padded(self, encoded: Tensor, snippets: Sequence[Snippet], tokens: int, texts: int) -> Tensor:
        """The features (N, D) of snippets, one after the other, as (T, B, D) with 0 for padding."""
        rows = np.zeros((tokens, texts), dtype=np.int64)
        is_real = np.zeros((tokens, texts, 1), dtype=np.float32)
        begin = 0
        for column, snippet in enumerate(snippets):
            length = len(snippet.document)
            rows[:length, column] = np.arange(begin, begin + length)
            is_real[:length, column] = 1
            begin += length
        chosen = encoded.index_select(0, torch.from_numpy(rows).flatten().to(self.device))
        return chosen.view(tokens, texts, -1) * torch.from_numpy(is_real).to(self.device)

    def encode_padded(self, windows: Sequence[WindowTokens], tokens: int, rows: int) -> Tensor:
        """The features of windows padded to so many tokens and rows, differentiable: (rows, tokens, D).

        Rows that only fill up the batch repeat the last window.
        """
        begin = len(self.encoder.tokenizer.prefix)
        token_ids, attention_mask = self.encoder.pad(windows, tokens=tokens, rows=rows)
        features = self.encoder.features(token_ids.to(self.device), attention_mask.long().to(self.device))
        return features[:, begin : begin + tokens]

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


def _weight(text: AnnotatedPassage) -> int:
    """The mentions whose links are learned."""
    return int(text.is_learned.sum())


def _dropout(uniform: Tensor, rate: float) -> Tensor:
    """The factors of inverted dropout: 0 where a uniform number is below the rate, else 1 / (1 - rate)."""
    return (uniform >= rate) / (1 - rate)
