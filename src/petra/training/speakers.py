"""Learns the weights of the features of speakers: ``python -m petra.training.speakers --model small --out FILE``.

Two kinds of instances teach them. LitBank's annotated quotations (training documents of fold 0)
stand in running text, without paragraphs. Novels without annotation have paragraphs: there,
quotations with a name beside them ("said Jane") are taken with that name and its sentence
hidden, so that whoever it names has to be told from the rest. The pronouns I and me of such a
quotation are hidden too: the model that linked them saw the name.

The loss is the cross-entropy of the softmax over the candidates, with a penalty on the square of
the weights. Whether something in quotation marks is said at all is learned from LitBank, as a
logistic regression.

Letters: n instances, c candidates of an instance, F features.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from petra.corpora.litbank_quotations import QuotedDocument
from petra.evaluation.quotes import entities_of
from petra.log.mentions import LogMentions
from petra.people.finding import collect
from petra.speakers.attribute import decide
from petra.speakers.conversation import Around, Conversation, Quoted
from petra.speakers.features import (
    SPEAKER_FEATURES,
    SPEECH_FEATURES,
    FeatureRow,
    Scene,
    attributed_people,
    candidates,
    speaker_features,
    speech_features,
)
from petra.speakers.scorer import SpeakerWeights, complete, initial_weights

_PENALTY = 0.0005  # of the mean loss, per square of a weight; chosen by hand
_STEPS = 100


class SpeakerInstance(NamedTuple):
    """A quotation with the features of its candidates, and which of them are its speaker."""

    rows: Sequence[FeatureRow]
    right: Sequence[bool]


class SpeechInstance(NamedTuple):
    """Something in quotation marks, and whether somebody says it."""

    row: FeatureRow
    is_speech: bool


def litbank_instances(
    document: QuotedDocument, mentions: LogMentions, weights: SpeakerWeights | None = None
) -> tuple[list[SpeakerInstance], list[SpeechInstance]]:
    """The instances of an annotated document, given the mentions that a model found in it.

    The speakers of the quotations before are those annotated or, with ``weights``, those
    that the weights decide on: what is true of the text that features see in use.
    """
    conversation = Conversation(document.document.text, mentions)
    entities = entities_of(document.document, collect(mentions.events(document.document.text)))
    attributed = attributed_people(conversation)
    spoken: list[int | None] = []
    speakers: list[SpeakerInstance] = []
    speech: list[SpeechInstance] = []
    for number, quoted in enumerate(conversation.quotations):
        gold = {each.speaker for each in document.quotations if each.start < quoted.end and quoted.start < each.end}
        speech.append(SpeechInstance(speech_features(conversation, number), bool(gold)))
        scene = Scene(spoken=spoken, attributed=attributed, number=number, quoted=quoted)
        people = candidates(conversation, scene)
        right = [person is not None and entities.get(person) in gold for person in people]
        if people[-1] is None:
            right[-1] = not any(right)
        if gold and any(right):
            speakers.append(SpeakerInstance(speaker_features(conversation, scene, people), right))
        if weights is None:
            spoken.append(next((person for person, is_right in zip(people, right, strict=True) if is_right), None))
        else:
            spoken.append(decide(conversation, scene, weights).person)
    return speakers, speech


def masked_instances(text: str, mentions: LogMentions, weights: SpeakerWeights) -> Iterator[SpeakerInstance]:
    """Quotations of a text without annotation whose attribution is hidden; ``weights`` tell who says the others."""
    conversation = Conversation(text, mentions)
    attributed = attributed_people(conversation)
    spoken: list[int | None] = []
    for number, quoted in enumerate(conversation.quotations):
        named = quoted.named
        if named is not None and named.kind == "name" and not quoted.is_cued:
            others = [*attributed[:number], None, *attributed[number + 1 :]]
            scene = Scene(spoken=list(spoken), attributed=others, number=number, quoted=_masked(quoted))
            people = candidates(conversation, scene)
            if named.person in people:
                right = [person == named.person for person in people]
                yield SpeakerInstance(speaker_features(conversation, scene, people), right)
            spoken.append(named.person)
        else:
            scene = Scene(spoken=spoken, attributed=attributed, number=number, quoted=quoted)
            spoken.append(decide(conversation, scene, weights).person)


def fit_speakers(instances: Sequence[SpeakerInstance]) -> dict[str, float]:
    """The weights of the features of speakers with the least loss."""
    names = list(SPEAKER_FEATURES)
    widest = max(len(instance.rows) for instance in instances)
    values = torch.zeros(len(instances), widest, len(names))  # (n, c, F)
    right = torch.zeros(len(instances), widest, dtype=torch.bool)  # (n, c)
    absent = torch.ones(len(instances), widest, dtype=torch.bool)  # (n, c)
    for number, instance in enumerate(instances):
        absent[number, : len(instance.rows)] = False
        right[number, : len(instance.rows)] = torch.tensor(instance.right)
        for place, row in enumerate(instance.rows):
            values[number, place] = _vector(row, names)

    def loss(weights: Tensor) -> Tensor:
        scores = (values @ weights).masked_fill(absent, float("-inf"))  # (n, c)
        return -(scores.masked_fill(~right, float("-inf")).logsumexp(1) - scores.logsumexp(1)).mean()

    return _fitted(loss, initial_weights().speaker)


def fit_speech(instances: Sequence[SpeechInstance]) -> dict[str, float]:
    """The weights of the features of speech with the least loss."""
    names = list(SPEECH_FEATURES)
    values = torch.stack([_vector(instance.row, names) for instance in instances])  # (n, F)
    is_speech = torch.tensor([float(instance.is_speech) for instance in instances])  # (n,)

    def loss(weights: Tensor) -> Tensor:
        return torch.nn.functional.binary_cross_entropy_with_logits(values @ weights, is_speech)

    return _fitted(loss, initial_weights().speech)


def to_toml(weights: SpeakerWeights, comment: str) -> str:
    """The weights as the file that the package holds."""
    lines = [f"# {line}" for line in comment.splitlines()]
    for table, values in weights._asdict().items():
        lines += ["", f"[{table}]", *(f"{name} = {value:.2f}" for name, value in values.items() if abs(value) >= 0.005)]
    return "\n".join(lines) + "\n"


def _masked(quoted: Quoted) -> Quoted:
    """A quotation without its attribution, and without the sentences and pronouns that give it away."""
    hidden = quoted.named
    assert hidden is not None
    kept = {
        name: around
        for name in ("between", "before", "after")
        if hidden in (around := getattr(quoted, name)).all
    }
    return replace(
        quoted,
        named=None,
        first=Counter(),
        tail=Around(),
        lead=Around(),
        **{name: _without(around, hidden.start) for name, around in kept.items()},
    )


def _without(around: Around, start: int) -> Around:
    return Around(
        subjects=tuple(mention for mention in around.subjects if mention.start != start),
        others=tuple(mention for mention in around.others if mention.start != start),
    )


def _vector(row: FeatureRow, names: Iterable[str]) -> Tensor:
    return torch.tensor([row.get(name, 0.0) for name in names])


def _fitted(loss: Callable[[Tensor], Tensor], initial: Mapping[str, float]) -> dict[str, float]:
    """The weights of least loss, with the penalty on how far they are from the initial ones."""
    start = torch.tensor(list(initial.values()))
    weights = start.clone().requires_grad_()
    optimizer = torch.optim.LBFGS([weights], max_iter=_STEPS, line_search_fn="strong_wolfe")

    def closure() -> Tensor:
        optimizer.zero_grad()
        value = loss(weights) + _PENALTY * (weights - start).square().sum()
        value.backward()  # type: ignore[no-untyped-call]
        return value

    optimizer.step(closure)  # type: ignore[no-untyped-call]
    return {name: round(value, 2) for name, value in zip(initial, weights.tolist(), strict=True)}
