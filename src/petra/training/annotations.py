"""Fine-tuning on annotations of one's own, on a CPU in minutes.

The encoder and its adapter stay as they are, so that every text is encoded once. Memory,
span head and the weights of linking learn on, mention by mention with teacher forcing as in
the model's own training. The annotated texts are parted in three: most are learned from, some
choose how much of what was learned is kept, and the rest, never looked at before, tell what
the model scores before and after.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from petra.config import RunConfig
from petra.corpora.annotated import AnnotatedDocument
from petra.errors import ConfigError, DataError
from petra.evaluation.gum import SpanAndHeadScore, score_both_ways
from petra.linking.scorer import PREFIX as LINKING
from petra.mentions.span_head import PREFIX as SPANS
from petra.runtime.progress import Report, silent
from petra.tracker import Tracker, tracker_of
from petra.trained import TrainedModel
from petra.training.adapted.calibration import EncodedPart, encode_part, people_in
from petra.training.adapted.learner import NAME_FEATURES
from petra.training.adapted.model import AdaptedModel, adapted_model
from petra.training.adapted.passages import FEATURE_NAMES, AnnotatedPassage, annotated_passage, long_parts

# Set by hand; twice the epochs at two and a half times the rate gained no more on the example of docs/annotations.md.
EPOCHS = 6
_RATE = 2e-4  # of memory and span head
_LINKING_RATE = 0.02
_BATCH = 2  # passages a step
_SHARES = (0.5, 1.0)  # of the way from the model to what it learned
_THRESHOLDS = (-0.1, 0.0, 0.1)  # added to the model's own
_LEAST_GAIN = 0.25  # points of CoNLL F1 on the texts that choose; with less the model stays as it is
_PART_TOKENS = 400  # of the parts of texts, where these are few
_FEW = 5  # texts
_LEAST_PARTS = 3
_PASSAGE_TOKENS = 1024


class Parts(NamedTuple):
    """Annotated texts by what they are for."""

    learned: tuple[AnnotatedDocument, ...]
    choosing: tuple[AnnotatedDocument, ...]
    held_out: tuple[AnnotatedDocument, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class FineTuned:
    """A model that learned from annotations, and its scores on texts that were held out."""

    model: TrainedModel
    parts: Parts
    before: SpanAndHeadScore
    after: SpanAndHeadScore
    share: float  # of what was learned that is kept; 0: the model stays as it was
    threshold: float


def fine_tune(
    model: TrainedModel,
    documents: Sequence[AnnotatedDocument],
    *,
    name: str,
    epochs: int = EPOCHS,
    seed: int = 1,
    device: str | torch.device = "cpu",
    report: Report = silent,
) -> FineTuned:
    """Let a model with a span head learn from annotated texts; report receives the steps of all epochs."""
    if not model.config.spans.max_width:
        raise ConfigError(
            f"The model {model.name} reads token by token; such models learn from recipes. Take base or small."
        )
    tracker = tracker_of(model, device=device)
    parts = part_documents(tracker, documents, seed)
    choosing, held_out = encode_part(tracker, parts.choosing), encode_part(tracker, parts.held_out)
    own = tracker.threshold
    before = _score(tracker, held_out, own)
    learned = _learn(model, tracker, parts.learned, epochs, seed, torch.device(device), report)
    best, best_conll = (0.0, own), _score(tracker, choosing, own).head.conll + _LEAST_GAIN
    for share in (0.0, *_SHARES):
        trial = tracker_of(_mixed(model, learned, share), device=device, encoder=tracker.encoder)
        for shift in _THRESHOLDS:
            threshold = round(min(0.9, max(0.05, own + shift)), 2)
            conll = _score(trial, choosing, threshold).head.conll
            if conll > best_conll:
                best, best_conll = (share, threshold), conll
    share, threshold = best
    chosen = _mixed(model, learned, share)
    after = _score(tracker_of(chosen, device=device, encoder=tracker.encoder), held_out, threshold)
    record = _record(model, threshold, share, parts, before, after)
    return FineTuned(
        model=replace(chosen, name=name, config=replace(model.config, name=name), record=record),
        parts=parts,
        before=before,
        after=after,
        share=share,
        threshold=threshold,
    )


def part_documents(tracker: Tracker, documents: Sequence[AnnotatedDocument], seed: int) -> Parts:
    """A fifth of the texts is held out, a fifth chooses, the others are learned from; few texts are cut first."""
    random = np.random.default_rng(seed)
    pieces = [document for document in documents if document.mentions]
    if len(pieces) < _FEW:
        tokenize = tracker.encoder.tokenizer.tokenize
        cut = (part for document in pieces for part in long_parts(document, _PART_TOKENS, tokenize, random))
        pieces = [part for part in cut if part.mentions]
    if len(pieces) < _LEAST_PARTS:
        raise DataError(
            f"The annotations are {len(pieces)} short texts; expected three texts, or some thousand words, so that "
            "one part can be learned from and another be held out."
        )
    order = [pieces[place] for place in random.permutation(len(pieces)).tolist()]
    fifth = max(1, len(order) // 5)
    return Parts(tuple(order[2 * fifth :]), tuple(order[fifth : 2 * fifth]), tuple(order[:fifth]))


def _learn(
    trained: TrainedModel,
    tracker: Tracker,
    documents: Sequence[AnnotatedDocument],
    epochs: int,
    seed: int,
    device: torch.device,
    report: Report,
) -> dict[str, Tensor]:
    """The weights of memory, span head and linking after some epochs over annotated texts."""
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    model = adapted_model(trained, device, tracker.encoder)
    passages = _passages(model.config, tracker, documents, random)
    with torch.no_grad():
        model.encoder.set_training(False)
        features = [model.encode([passage]) for passage in passages]
    model.network.requires_grad_(True)
    model.spans.requires_grad_(True)
    model.linking = model.linking.detach().clone().requires_grad_(True)
    weights = [*model.network.parameters(), *model.spans.parameters()]
    optimizer = torch.optim.AdamW(
        [{"params": weights, "lr": _RATE}, {"params": [model.linking], "lr": _LINKING_RATE, "weight_decay": 0.0}],
        weight_decay=0.01,
    )
    steps = epochs * -(-len(passages) // _BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / max(1, steps))
    kept = torch.tensor([name not in NAME_FEATURES for name in FEATURE_NAMES], device=device)
    done = 0
    for _ in range(epochs):
        order = random.permutation(len(passages)).tolist()
        for first in range(0, len(order), _BATCH):
            chosen = order[first : first + _BATCH]
            optimizer.zero_grad(set_to_none=True)
            _loss(model, [passages[place] for place in chosen], [features[place] for place in chosen]).backward()
            if model.linking.grad is not None and not model.config.supervision.learn_names:
                model.linking.grad *= kept
            torch.nn.utils.clip_grad_norm_(weights, model.config.training.clip_norm)
            optimizer.step()
            schedule.step()
            done += 1
            report(done, steps)
    memory = {name: value.detach() for name, value in model.network.named_parameters()}
    spans = {f"{SPANS}{name}": value.detach() for name, value in model.spans.named_parameters()}
    linking = {
        f"{LINKING}{name}": value.detach() for name, value in zip(FEATURE_NAMES, model.linking.detach(), strict=True)
    }
    return {name: value.cpu() for name, value in {**memory, **spans, **linking}.items()}


def _passages(
    config: RunConfig, tracker: Tracker, documents: Sequence[AnnotatedDocument], random: np.random.Generator
) -> list[AnnotatedPassage]:
    tokenize = tracker.encoder.tokenizer.tokenize
    most = config.supervision.passage_tokens or _PASSAGE_TOKENS
    made = (
        annotated_passage(tokenize(part.text), part, name_gender=config.spans.name_gender)
        for document in documents
        for part in long_parts(document, most, tokenize, random)
        if part.mentions
    )
    return [passage for passage in made if len(passage.head)]


def _loss(model: AdaptedModel, passages: Sequence[AnnotatedPassage], features: Sequence[Tensor]) -> Tensor:
    rate, weights = model.config.training.dropout, model.config.supervision
    drop = partial(torch.nn.functional.dropout, p=rate)
    losses = model.passage_losses(passages, torch.cat(list(features)), drop)
    loss = weights.link_weight * losses.link + weights.span_weight * losses.span
    return loss + weights.mention_weight * losses.mention


def _mixed(model: TrainedModel, learned: Mapping[str, Tensor], share: float) -> TrainedModel:
    """The model so far on its way to what was learned."""
    weights = {name: torch.lerp(value, learned.get(name, value), share) for name, value in model.weights.items()}
    return replace(model, weights=weights)


def _score(tracker: Tracker, part: EncodedPart, threshold: float) -> SpanAndHeadScore:
    return score_both_ways(part.annotated, list(people_in(tracker, part, threshold)))


def _record(
    model: TrainedModel,
    threshold: float,
    share: float,
    parts: Parts,
    before: SpanAndHeadScore,
    after: SpanAndHeadScore,
) -> dict[str, Any]:
    scores = {
        f"{when}_{what}": round(value, 2)
        for when, score in (("before", before), ("after", after))
        for what, value in (
            ("conll_by_head", score.head.conll),
            ("conll_by_span", score.exact.conll),
            ("mention_f1", score.exact.mentions.f1),
        )
    }
    counts = {name: len(documents) for name, documents in parts._asdict().items()}
    tuned = {"from": model.name, "share": share, "texts": counts, "held_out_scores": scores}
    return {**model.record, "people_threshold": threshold, "fine_tuned": tuned}
