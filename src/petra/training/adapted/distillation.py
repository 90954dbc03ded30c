"""Distillation: a student learns from unlabelled text to give memory and span head what its teacher gives them.

The student takes over the teacher's memory and span head, but for the matrices that
depend on the encoder. These matrices and the student's adapter are trained until the
numbers that memory and span head receive are nearly the teacher's. Every token of a text
is a target, where labels would say something of a few tokens only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch

from petra.encoder.pretrained import PretrainedEncoder, WindowTokens
from petra.errors import ConfigError
from petra.runtime.progress import Report, silent
from petra.text.document import Document
from petra.text.windows import Window
from petra.training.adapted.distillation_loss import DistillationLoss
from petra.training.adapted.learner import AdaptedLearner
from petra.training.adapted.model import AdaptedModel
from petra.training.optimizer import linear_schedule_with_warmup

_BUCKET = 64  # texts are padded to a multiple of so many tokens
_WARMUP = 0.06  # share of the steps


class _Text(NamedTuple):
    """A text tokenized for both encoders."""

    student: WindowTokens
    teacher: WindowTokens


def distil(
    student: AdaptedLearner, teacher: AdaptedModel, texts: Sequence[str], *, report: Report = silent
) -> list[float]:
    """Train an untrained student on unlabelled texts; returns the loss of each step. Report receives the steps done."""
    config = student.config.distillation
    _copy_weights(student, teacher)
    memory, spans = student.network, student.spans
    adapter = [parameter for parameter in student.encoder.model.parameters() if parameter.requires_grad]
    learned = [*adapter, memory.recurrent_inputs, memory.recurrent_inputs_bias, spans.first, spans.last, spans.bias]
    optimizer = torch.optim.AdamW(learned, lr=config.learning_rate, weight_decay=0.01)
    schedule = linear_schedule_with_warmup(optimizer, config.steps, _WARMUP)
    most = min(model.encoder.config.window for model in (student, teacher))
    tokenized = _tokenize(texts, student.encoder, teacher.encoder, most)
    batches = _batches(tokenized, config.tokens, most, np.random.default_rng(student.seed))
    distillation_loss = DistillationLoss(teacher, student.encoder.model.dtype)
    student.encoder.set_training(True)
    losses = []
    for step in range(config.steps):
        batch = next(batches)
        tokens = _padded_length(max(len(text.student.token_ids) for text in batch), most)
        rows = max(1, config.tokens // tokens)
        optimizer.zero_grad(set_to_none=True)
        features = student.encode_padded([text.student for text in batch], tokens, rows)[: len(batch)]
        loss = distillation_loss.of_windows(student, features, [text.teacher for text in batch])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learned, 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.detach())
        report(step + 1, config.steps)
    optimizer.zero_grad(set_to_none=True)
    return [round(loss, 4) for loss in torch.stack(losses).tolist()]


@torch.no_grad()
def _copy_weights(student: AdaptedLearner, teacher: AdaptedModel) -> None:
    """Copy the teacher's memory, span head and linking, but for weights whose shape depends on the encoder."""
    student.linking.copy_(teacher.linking)
    pairs = [(student.network, teacher.network), (student.spans, teacher.spans)]
    for own, other in pairs:
        theirs = dict(other.named_parameters())
        for name, parameter in own.named_parameters():
            if parameter.shape == theirs[name].shape:
                parameter.copy_(theirs[name])


def _tokenize(texts: Sequence[str], student: PretrainedEncoder, teacher: PretrainedEncoder, most: int) -> list[_Text]:
    """Texts tokenized for both encoders, split into parts of at most so many tokens."""
    tokenized = []
    for text in texts:
        document, theirs = (encoder.tokenizer.tokenize(text) for encoder in (student, teacher))
        if not np.array_equal(document.starts, theirs.starts):
            raise ConfigError(
                "The encoder of the teacher (distillation.teacher) splits words into other tokens, so the features "
                "of tokens cannot be compared. Choose encoders with one vocabulary."
            )
        for start in range(0, len(document), most):
            tokenized.append(_Text(_part(document, start, start + most), _part(theirs, start, start + most)))
    return tokenized


def _part(document: Document, start: int, end: int) -> WindowTokens:
    token_ids = document.token_ids[start:end]
    return WindowTokens(token_ids, Window(0, len(token_ids), 0, len(token_ids)))


def _padded_length(length: int, most: int) -> int:
    """A length rounded up to a multiple of the bucket, and at most a window."""
    return min(-(-length // _BUCKET) * _BUCKET, most)


def _batches(texts: Sequence[_Text], tokens: int, most: int, random: np.random.Generator) -> Iterator[list[_Text]]:
    """Batches of texts of similar length, without end; each pass over the texts has a new order."""
    while True:
        order = random.permutation(len(texts))
        waiting: dict[int, list[_Text]] = {}
        for text in (texts[place] for place in order.tolist()):
            length = _padded_length(len(text.student.token_ids), most)
            waiting.setdefault(length, []).append(text)
            if len(waiting[length]) == max(1, tokens // length):
                yield waiting.pop(length)
        yield from waiting.values()
