"""Fits the span head of a trained adapted model a second time, on frozen features.

During training the span head sees all spans of novels, but of GAP only the names and
pronouns that instances mark. Fitted to all spans of both it also separates people from
things in encyclopedic text. The novels are read a second time in excerpts of a few
sentences: a short text has other features than the same words on a page, and would
otherwise be taken for an encyclopedic one, which has few nominals. This takes minutes,
because the encoder reads everything once.

Letters: T tokens, D features of a token, W tokens of the widest span.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
import torch
from torch import Tensor

from petra.corpora.annotated import AnnotatedDocument
from petra.corpora.gap import GapInstance, read_gap
from petra.corpora.gum import read_gum
from petra.corpora.litbank import read_litbank
from petra.corpora.names import read_names
from petra.domain import KINDS
from petra.encoder.adapter import adapter_of
from petra.encoder.pretrained import PretrainedEncoder
from petra.errors import ModelError
from petra.mentions.span_head import PREFIX, SpanHead, kind_probabilities, span_head_of, whole_words
from petra.runtime.progress import Report, silent
from petra.text.document import Document
from petra.trained import TrainedModel
from petra.training.adapted.passages import person_genders, short_parts
from petra.training.adapted.teacher_forcing import gender_loss, span_loss
from petra.training.data.instances.span_labels import SpanLabels, span_labels
from petra.training.data.training_data import FOLD
from petra.training.synthetic.documents import synthetic_documents

_EPOCHS = 3
_LEARNING_RATE = 1e-3
_DROPOUT = 0.1  # on the features
_TOGETHER = 2500  # tokens of a step
_SYNTHETIC = 2000  # synthetic documents, at most


LabelledNames: TypeAlias = list[tuple[int, int, int]]  # first and last token, 1 for feminine


class LabelledText(NamedTuple):
    """A document's features, and the labels of its spans."""

    features: Tensor  # (T, D) float16
    kind: Tensor  # (T, W)
    weight: Tensor  # (T, W)
    names: Tensor  # (n, 3) the first and last token of names whose gender is known, and 1 if it is feminine


def refit_spans(
    model: TrainedModel, data: Path, *, device: str | torch.device = "cpu", seed: int = 0, report: Report = silent
) -> TrainedModel:
    """The model with its span head fitted to annotated and synthetic documents and GAP.

    Report receives the number of documents encoded.
    """
    config = model.config
    kept = {name: value.half().float() for name, value in model.weights.items()}  # as a folder keeps them
    encoder = PretrainedEncoder.load(config.encoder, adapter=adapter_of(config.adapter, kept), device=device)
    head = span_head_of(config.spans, kept, encoder.size)
    if head is None:
        raise ModelError(f"The model {model.name} has no span head to fit. Train it with spans.max_width above 0.")
    width, names, random = config.spans.max_width, read_names(data), np.random.default_rng(seed)
    held_out = {"litbank": read_litbank(data, "validation", FOLD), "gum": read_gum(data, "dev")}
    marked = [*read_litbank(data, "training", FOLD), *read_gum(data, "train")]
    marked += [part for each in [*marked] for part in short_parts(each, random)]
    marked += synthetic_documents(names, min(_SYNTHETIC, config.supervision.synthetic_documents), seed)
    documents = [encoder.tokenizer.tokenize(each.text) for each in marked]
    labels = [whole_labels(document, each, width) for document, each in zip(documents, marked, strict=True)]
    gendered_names = [names_of(document, each) for document, each in zip(documents, marked, strict=True)]
    for instance in read_gap(data, "development"):
        documents.append(encoder.tokenizer.tokenize(instance.text))
        labels.append(span_labels(documents[-1], (instance.a, instance.b), names, width))
        gendered_names.append(_gap_names(documents[-1], instance))
    fit_spans(head.to(device), list(_encoded(encoder, documents, labels, gendered_names, report)), seed=seed)
    scores = {}
    for corpus, annotated in held_out.items():
        documents = [encoder.tokenizer.tokenize(each.text) for each in annotated]
        labels = [whole_labels(document, each, width) for document, each in zip(documents, annotated, strict=True)]
        gendered_names = [names_of(document, each) for document, each in zip(documents, annotated, strict=True)]
        scores[corpus] = span_f1(head, _encoded(encoder, documents, labels, gendered_names, silent))
    weights = {f"{PREFIX}{name}": value.cpu() for name, value in head.state_dict().items()}
    return replace(model, record={**model.record, "span_f1": scores}, weights={**kept, **weights})


def whole_labels(document: Document, marked: AnnotatedDocument, max_width: int) -> SpanLabels:
    """The labels of a document in which every mention is marked."""
    kind = np.zeros((len(document), max_width), dtype=np.int64)
    for mention in marked.mentions:
        tokens = document.tokens_in(mention.start, mention.end)
        if len(tokens) <= max_width:
            kind[tokens[0], len(tokens) - 1] = KINDS.index(mention.kind) + 1
    return SpanLabels(kind, whole_words(document.words, max_width).astype(np.float32))


def names_of(document: Document, marked: AnnotatedDocument) -> LabelledNames:
    """The tokens of the names of people whose gender the document gives, and whether it is feminine."""
    genders = person_genders(marked)
    found = []
    for mention in marked.mentions:
        if mention.kind == "name" and mention.entity in genders:
            tokens = document.tokens_in(mention.start, mention.end)
            found.append((tokens[0], tokens[-1], int(genders[mention.entity] == "feminine")))
    return found


def _gap_names(document: Document, instance: GapInstance) -> LabelledNames:
    """Both names of an instance: they go with its pronoun."""
    found = []
    for span in (instance.a, instance.b):
        tokens = document.tokens_in(span.start, span.end)
        found.append((tokens[0], tokens[-1], int(instance.gender == "feminine")))
    return found


def fit_spans(head: SpanHead, texts: Sequence[LabelledText], *, seed: int = 0, epochs: int = _EPOCHS) -> None:
    """Train the span head on texts, short ones together; the learning rate falls to 0."""
    head.requires_grad_(True).train()
    device = head.bias.device
    generator = torch.Generator(device).manual_seed(seed)
    random = np.random.default_rng(seed)
    steps = [step for _ in range(epochs) for step in _steps(texts, random)]
    optimizer = torch.optim.AdamW(head.parameters(), lr=_LEARNING_RATE, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / len(steps))
    for step in steps:
        features = torch.cat([text.features for text in step]).to(device).float()
        kept = torch.rand(features.shape, generator=generator, device=device) >= _DROPOUT
        scores = head.scores((features * kept / (1 - _DROPOUT))[None])[0]  # (T, W, 3)
        kind, weight = (torch.cat(part).to(device) for part in zip(*(text[1:3] for text in step), strict=True))
        loss = span_loss(scores, kind, weight)
        if head.config.name_gender:
            loss = loss + _gender_loss(head, features * kept / (1 - _DROPOUT), step)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(head.parameters(), 1.0)
        optimizer.step()
        schedule.step()
    head.requires_grad_(False).eval()


def _gender_loss(head: SpanHead, features: Tensor, step: Sequence[LabelledText]) -> Tensor:
    """The loss of the gender of names in the texts of a step, whose features (T, D) are joined."""
    starts = np.cumsum([0, *(len(text.features) for text in step)]).tolist()
    names = torch.cat([text.names + torch.tensor([start, start, 0]) for text, start in zip(step, starts, strict=False)])
    first, last, feminine = names[names[:, 1] - names[:, 0] < head.config.max_width].to(features.device).t()
    return gender_loss(head.feminine_scores_of(features[first], features[last], last - first), feminine)


@torch.inference_mode()
def span_f1(head: SpanHead, texts: Iterable[LabelledText]) -> float:
    """The F1 of finding the mentions of texts, in percent."""
    hits = found = gold = 0
    for text in texts:
        scores = head.scores(text.features.to(head.bias.device).float()[None])[0]
        likely = (kind_probabilities(scores).sum(-1) >= 0.5).cpu() & (text.weight > 0)
        hits += int((likely & (text.kind > 0)).sum())
        found, gold = found + int(likely.sum()), gold + int((text.kind > 0).sum())
    return round(200 * hits / max(1, found + gold), 2)


def _encoded(
    encoder: PretrainedEncoder,
    documents: Sequence[Document],
    labels: Sequence[SpanLabels],
    names: Sequence[LabelledNames],
    report: Report,
) -> Iterator[LabelledText]:
    features = encoder.encode_many(documents)
    for done, (rows, label, gendered_names) in enumerate(zip(features, labels, names, strict=True), start=1):
        yield LabelledText(
            rows.half().cpu(),
            torch.from_numpy(label.kind),
            torch.from_numpy(label.weight),
            torch.tensor(gendered_names, dtype=torch.int64).reshape(-1, 3),
        )
        report(done, len(documents))


def _steps(texts: Sequence[LabelledText], random: np.random.Generator) -> Iterator[list[LabelledText]]:
    """All texts in a random order, as many at once as fill a step."""
    step: list[LabelledText] = []
    for index in random.permutation(len(texts)).tolist():
        step.append(texts[index])
        if sum(len(text.features) for text in step) >= _TOGETHER:
            yield step
            step = []
    if step:
        yield step
