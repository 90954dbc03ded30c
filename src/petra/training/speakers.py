"""Learns the weights of the features of speakers: ``python -m petra.training.speakers --model small --out FILE``.

Two kinds of instances teach them. LitBank's annotated quotations (training documents of fold 0)
stand in running text, without paragraphs. Novels without annotation have paragraphs: there,
quotations with a name beside them ("said Jane") are taken with that name and its sentence
hidden, so that whoever it names has to be told from the rest. The pronouns I and me of such a
quotation are hidden too: the model that linked them saw the name.

The loss is the cross-entropy of the softmax over the candidates, with a penalty on the square of
the weights. Whether something in quotation marks is said at all is learned from LitBank, as a
logistic regression.

Letters: n instances, F features.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from petra.corpora.litbank_quotations import QuotedDocument, read_litbank_quotations
from petra.corpora.places import data_folder
from petra.corpora.texts import titled_texts
from petra.evaluation.quotes import entities_of
from petra.linking.features import FeatureRow
from petra.log.mentions import LogMentions
from petra.people.finding import collect
from petra.runtime.files import write_atomically
from petra.runtime.progress import Report, silent
from petra.speakers.attribute import decide
from petra.speakers.conversation import Around, Conversation, Quoted
from petra.speakers.features import (
    SPEECH_FEATURES,
    DialogueScene,
    attributed_people,
    candidates,
    speaker_features,
    speech_features,
)
from petra.speakers.scorer import SpeakerWeights, complete, initial_weights
from petra.tracker import Tracker, load
from petra.training.choices import Choice, fit, fit_choices, tables, vector

_PENALTY = (
    0.003  # of the mean loss, per square of what a weight moves; one of four that tie on LitBank's validation part
)
_ROUNDS = 3
_SHORTEST_NOVEL = 200_000  # characters
_EVERY = 3  # of the novels that long, one in so many is read ..
_EXCERPT = 50_000  # .. by so many characters, from a third of the novel on


class SpeechInstance(NamedTuple):
    """Something in quotation marks, and whether somebody says it."""

    row: FeatureRow
    is_speech: bool


def learn_weights(tracker: Tracker, data: Path, report: Report = silent) -> SpeakerWeights:
    """The weights learned from LitBank and novels, with the mentions that a model finds in them.

    In the first round the speakers of earlier quotations are those annotated; in the next
    ones those that the weights of the round before decide on, as when they are used.
    """
    documents = read_litbank_quotations(data, "training")
    texts = [*(each.document.text for each in documents), *_excerpts(data)]
    found: list[LogMentions] = []
    for tracking in tracker.track_many(texts):
        assert tracking.log.mentions is not None
        found.append(tracking.log.mentions)
        report(len(found), len(texts))
    annotated = list(zip(documents, found, strict=False))
    novels = list(zip(texts, found, strict=True))[len(documents) :]
    return learn_from(annotated, novels)


def learn_from(
    annotated: Sequence[tuple[QuotedDocument, LogMentions]], novels: Sequence[tuple[str, LogMentions]]
) -> SpeakerWeights:
    """The weights learned from annotated documents and from novels, given the mentions found in each."""
    weights: SpeakerWeights | None = None
    for _ in range(_ROUNDS):
        instances = [litbank_instances(document, mentions, weights) for document, mentions in annotated]
        speakers = [each for found, _ in instances for each in found]
        for text, mentions in novels:
            speakers += masked_instances(text, mentions, weights or initial_weights())
        speech = [each for _, found in instances for each in found]
        weights = complete(SpeakerWeights(fit_speakers(speakers), fit_speech(speech)))
    assert weights is not None
    return weights


def litbank_instances(
    document: QuotedDocument, mentions: LogMentions, weights: SpeakerWeights | None = None
) -> tuple[list[Choice], list[SpeechInstance]]:
    """The instances of an annotated document, given the mentions that a model found in it.

    The speakers of the quotations before are those annotated or, with ``weights``, those
    that the weights decide on: what is true of the text that features see in use.
    """
    conversation = Conversation(document.document.text, mentions)
    entities = entities_of(document.document, collect(mentions.events(document.document.text)))
    attributed = attributed_people(conversation)
    spoken: list[int | None] = []
    speakers: list[Choice] = []
    speech: list[SpeechInstance] = []
    for number, quoted in enumerate(conversation.quotations):
        gold = {each.speaker for each in document.quotations if each.start < quoted.end and quoted.start < each.end}
        speech.append(SpeechInstance(speech_features(conversation, number), bool(gold)))
        scene = DialogueScene(spoken=spoken, attributed=attributed, number=number, quoted=quoted)
        people = candidates(conversation, scene)
        right = [person is not None and entities.get(person) in gold for person in people]
        if people[-1] is None:
            right[-1] = not any(right)
        if gold and any(right):
            speakers.append(Choice(speaker_features(conversation, scene, people), right))
        if weights is None:
            spoken.append(next((person for person, is_right in zip(people, right, strict=True) if is_right), None))
        else:
            spoken.append(decide(conversation, scene, weights).person)
    return speakers, speech


def masked_instances(text: str, mentions: LogMentions, weights: SpeakerWeights) -> Iterator[Choice]:
    """Quotations of a text without annotation whose attribution is hidden; ``weights`` tell who says the others."""
    conversation = Conversation(text, mentions)
    attributed = attributed_people(conversation)
    spoken: list[int | None] = []
    for number, quoted in enumerate(conversation.quotations):
        named = quoted.named
        if named is not None and named.kind == "name" and not quoted.is_cued:
            others = [*attributed[:number], None, *attributed[number + 1 :]]
            scene = DialogueScene(spoken=list(spoken), attributed=others, number=number, quoted=_masked(quoted))
            people = candidates(conversation, scene)
            if named.person in people:
                right = [person == named.person for person in people]
                yield Choice(speaker_features(conversation, scene, people), right)
            spoken.append(named.person)
        else:
            scene = DialogueScene(spoken=spoken, attributed=attributed, number=number, quoted=quoted)
            spoken.append(decide(conversation, scene, weights).person)


def fit_speakers(instances: Sequence[Choice]) -> dict[str, float]:
    """The weights of the features of speakers with the least loss."""
    return fit_choices(instances, initial_weights().speaker, _PENALTY)


def fit_speech(instances: Sequence[SpeechInstance]) -> dict[str, float]:
    """The weights of the features of speech with the least loss."""
    names = list(SPEECH_FEATURES)
    values = torch.stack([vector(instance.row, names) for instance in instances])  # (n, F)
    is_speech = torch.tensor([float(instance.is_speech) for instance in instances])  # (n,)

    def loss(weights: Tensor) -> Tensor:
        return torch.nn.functional.binary_cross_entropy_with_logits(values @ weights, is_speech)

    return fit(loss, initial_weights().speech, _PENALTY)


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn the weights and write them to a file."""
    parser = ArgumentParser(description="Learn the weights of the features of speakers.")
    parser.add_argument("--model", help="whose mentions are read (default: the one shipped)")
    parser.add_argument("--data", type=Path, help="folder of the corpora (default: $PETRA_DATA)")
    parser.add_argument("--out", type=Path, required=True, help="file of the weights")
    given = parser.parse_args(arguments)
    tracker = load(given.model)
    weights = learn_weights(tracker, data_folder(given.data))
    comment = (
        "Weights of the features of speakers, learned from LitBank's training documents and from novels:\n"
        f"python -m petra.training.speakers --model {tracker.name} --out FILE"
    )
    write_atomically(given.out, tables(weights._asdict(), comment).encode("utf-8"))


def _excerpts(data: Path) -> Iterator[str]:
    """Parts of novels, each from the beginning of a paragraph on."""
    long = [text for _, text in titled_texts(data, "novels") if len(text) >= _SHORTEST_NOVEL]
    for text in long[_EVERY - 1 :: _EVERY]:
        begin = len(text) // 3
        excerpt = text[begin : begin + _EXCERPT]
        yield excerpt[excerpt.find("\n\n") + 2 :]


def _masked(quoted: Quoted) -> Quoted:
    """A quotation without its attribution, and without the sentences and pronouns that give it away."""
    hidden = quoted.named
    assert hidden is not None
    return replace(
        quoted,
        named=None,
        verb=None,
        first=Counter(),
        tail=Around(),
        lead=Around(),
        between=_without(quoted.between, hidden.start),
        before=_without(quoted.before, hidden.start),
        after=_without(quoted.after, hidden.start),
    )


def _without(around: Around, start: int) -> Around:
    return Around(
        subjects=tuple(mention for mention in around.subjects if mention.start != start),
        others=tuple(mention for mention in around.others if mention.start != start),
    )


if __name__ == "__main__":
    main()
