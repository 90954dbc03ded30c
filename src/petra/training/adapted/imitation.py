"""A model with an encoder of its own taught to read as another does, from text that nobody has labelled.

A model can have another's memory and span head as they are, if what these take of its
own features, by matrices of its own, is nearly the same. Those matrices and the adapter
of its encoder learn to: every token of a text tells how, where labels would tell of a few.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch

from petra.config import RunConfig
from petra.encoder.pretrained import LaidWindow, PretrainedEncoder
from petra.errors import ConfigError
from petra.runtime.progress import Report, silent
from petra.text.document import Document
from petra.text.windows import Window
from petra.training.adapted.alike import check_alike
from petra.training.adapted.learner import AdaptedLearner
from petra.training.adapted.likeness import Likeness
from petra.training.adapted.model import AdaptedModel
from petra.training.optimizer import rise_and_fall

_BUCKET = 64  # texts are padded to a multiple of so many tokens
_WARMUP = 0.06  # share of the steps


class _Text(NamedTuple):
    """A text as both encoders read it."""

    own: LaidWindow
    imitated: LaidWindow


def imitate(
    learner: AdaptedLearner, imitated: AdaptedModel, texts: Sequence[str], *, report: Report = silent
) -> list[float]:
    """Teach a model that has learned nothing yet to read as another; returns what is left unexplained at each step.

    That is a share of the variance of the numbers imitated. Report is told of steps.
    """
    config = learner.config.imitation
    _take_over(learner, imitated)
    memory, spans = learner.network, learner.spans
    adapter = [parameter for parameter in learner.encoder.model.parameters() if parameter.requires_grad]
    learned = [*adapter, memory.recurrent_inputs, memory.recurrent_inputs_bias, spans.first, spans.last, spans.bias]
    optimizer = torch.optim.AdamW(learned, lr=config.learning_rate, weight_decay=0.01)
    schedule = rise_and_fall(optimizer, config.steps, _WARMUP)
    most = min(model.encoder.config.window for model in (learner, imitated))
    ready = _laid(texts, learner.encoder, imitated.encoder, most)
    batches = _batches(ready, config.tokens, most, np.random.default_rng(learner.seed))
    likeness = Likeness(imitated, learner.encoder.model.dtype)
    learner.encoder.model.train()
    left = []
    for step in range(config.steps):
        batch = next(batches)
        tokens = _padded(max(len(text.own.token_ids) for text in batch), most)
        rows = max(1, config.tokens // tokens)
        optimizer.zero_grad(set_to_none=True)
        features = learner.encode_padded([text.own for text in batch], tokens, rows)[: len(batch)]
        missed = likeness.missed(learner, features, [text.imitated for text in batch])
        missed.backward()
        torch.nn.utils.clip_grad_norm_(learned, 1.0)
        optimizer.step()
        schedule.step()
        left.append(missed.detach())
        report(step + 1, config.steps)
    optimizer.zero_grad(set_to_none=True)
    return [round(share, 4) for share in torch.stack(left).tolist()]


def check_imitation(config: RunConfig, imitated: RunConfig) -> None:
    """Whether a model can take over another's memory and span head."""
    check_alike(config, imitated, _ALIKE, "the model to be imitated")


_ALIKE = ("memory.variant", "memory.hidden_size", "memory.mlp_size", "spans.max_width", "spans.size")


@torch.no_grad()
def _take_over(learner: AdaptedLearner, imitated: AdaptedModel) -> None:
    """Give a model another's memory and span head, but for what depends on the encoder."""
    pairs = [(learner.network, imitated.network), (learner.spans, imitated.spans)]
    for own, other in pairs:
        theirs = dict(other.named_parameters())
        for name, parameter in own.named_parameters():
            if parameter.shape == theirs[name].shape:
                parameter.copy_(theirs[name])


def _laid(texts: Sequence[str], own: PretrainedEncoder, imitated: PretrainedEncoder, most: int) -> list[_Text]:
    """Texts as both encoders read them, those of more than so many tokens in several parts."""
    made = []
    for text in texts:
        document, theirs = (encoder.tokenizer.tokenize(text) for encoder in (own, imitated))
        if not np.array_equal(document.starts, theirs.starts):
            raise ConfigError(
                "The encoder of the model to be imitated cuts words otherwise, so its tokens cannot be compared. "
                "Choose encoders with one vocabulary."
            )
        for start in range(0, len(document), most):
            made.append(_Text(_part(document, start, start + most), _part(theirs, start, start + most)))
    return made


def _part(document: Document, start: int, end: int) -> LaidWindow:
    token_ids = document.token_ids[start:end]
    return LaidWindow(token_ids, Window(0, len(token_ids), 0, len(token_ids)))


def _padded(length: int, most: int) -> int:
    """The tokens that texts of about that length are padded to; a window has so many at most."""
    return min(-(-length // _BUCKET) * _BUCKET, most)


def _batches(texts: Sequence[_Text], tokens: int, most: int, random: np.random.Generator) -> Iterator[list[_Text]]:
    """Texts of about one length together, all of them again and again in another order."""
    while True:
        order = random.permutation(len(texts))
        waiting: dict[int, list[_Text]] = {}
        for text in (texts[place] for place in order.tolist()):
            length = _padded(len(text.own.token_ids), most)
            waiting.setdefault(length, []).append(text)
            if len(waiting[length]) == max(1, tokens // length):
                yield waiting.pop(length)
        yield from waiting.values()
