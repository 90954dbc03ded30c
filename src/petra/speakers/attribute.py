"""Attributing quotations: the speaker and the addressee of each quotation of a text."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from petra.domain import FoundBy
from petra.log.mentions import LogMentions
from petra.log.quotations import LoggedQuotation, LogQuotations
from petra.speakers.conversation import Conversation, Quoted
from petra.speakers.features import (
    TURN_FEATURES,
    FeatureRow,
    Scene,
    attributed_people,
    candidates,
    speaker_features,
    speech_features,
)
from petra.speakers.scorer import SpeakerWeights, learned_weights, shares, speech_probability

_LEAST_SPEECH = 0.5  # probability of a quotation that counts


class Decision(NamedTuple):
    """Who says a quotation."""

    person: int | None  # None for nobody of the text
    row: FeatureRow
    probability: float


class Attributed(NamedTuple):
    """A quotation with its speaker and addressee, as people."""

    quoted: Quoted
    decision: Decision
    addressee: int | None


def attribute(conversation: Conversation, weights: SpeakerWeights | None = None) -> list[Attributed]:
    """Every quotation that somebody says, in text order, with its speaker and addressee.

    Quotations are decided on in text order: candidates are the people around, features
    compare each with the quotation, and the best of the softmax is the speaker.
    """
    weights = learned_weights() if weights is None else weights
    quotations = conversation.quotations
    attributed = attributed_people(conversation)
    decided: list[Decision] = []
    spoken: list[int | None] = []
    for number, quoted in enumerate(quotations):
        scene = Scene(spoken=spoken, attributed=attributed, number=number, quoted=quoted)
        decided.append(decide(conversation, scene, weights))
        spoken.append(decided[-1].person)
    return [
        Attributed(quoted, decision, _addressee(quotations, spoken, number))
        for number, (quoted, decision) in enumerate(zip(quotations, decided, strict=True))
        if quoted.is_cued or speech_probability(speech_features(conversation, number), weights.speech) >= _LEAST_SPEECH
    ]


def attribute_quotations(text: str, mentions: LogMentions, weights: SpeakerWeights | None = None) -> LogQuotations:
    """Every quotation of a text with mentions of its speaker and addressee, given the mentions of the text's people."""
    conversation = Conversation(text, mentions)
    weights = learned_weights() if weights is None else weights
    heard = _Rows(conversation)
    return LogQuotations.of(
        LoggedQuotation(
            parts=quoted.ranges,
            speaker=heard.of(decision.person, quoted),
            addressee=heard.of(addressee, quoted),
            found_by=_found_by(quoted, decision, weights),
            probability=decision.probability,
        )
        for quoted, decision, addressee in attribute(conversation, weights)
    )


def decide(conversation: Conversation, scene: Scene, weights: SpeakerWeights) -> Decision:
    """The speaker of a quotation: the best of the candidates."""
    people = candidates(conversation, scene)
    rows = speaker_features(conversation, scene, people)
    found = shares(rows, weights.speaker)
    best = max(range(len(people)), key=found.__getitem__)
    return Decision(people[best], rows[best], found[best])


def _found_by(quoted: Quoted, decision: Decision, weights: SpeakerWeights) -> FoundBy:
    if quoted.is_cued:
        return "cue"
    named = quoted.named
    if named is not None and named.person == decision.person:
        return "explicit" if named.kind == "name" else "anaphoric"
    turn = sum(weights.speaker[name] * value for name, value in decision.row.items() if name in TURN_FEATURES)
    rest = sum(weights.speaker[name] * value for name, value in decision.row.items() if name not in TURN_FEATURES)
    return "turn" if turn > max(0.0, rest) else "implicit"


def _addressee(quotations: Sequence[Quoted], spoken: Sequence[int | None], number: int) -> int | None:
    """Whom a quotation is said to: whoever is called by name in it, is "you", or speaks on the other side."""
    quoted, speaker = quotations[number], spoken[number]
    called = Counter(mention.person for mention in quoted.addressed if mention.person != speaker)
    you = Counter({person: count for person, count in quoted.second.items() if person != speaker})
    for counts in (called, you):
        if counts:
            return counts.most_common(1)[0][0]
    for other in (number - 1, number + 1):
        if 0 <= other < len(quotations) and spoken[other] not in (None, speaker):
            step = quotations[max(number, other)].step
            if step == "reply":
                return spoken[other]
    return None


class _Rows:
    """The mentions of people near quotations."""

    def __init__(self, conversation: Conversation) -> None:
        self._by_person: dict[int, list[tuple[int, int]]] = {}
        for mention in conversation.mentions:
            self._by_person.setdefault(mention.person, []).append((mention.start, mention.row))

    def of(self, person: int | None, quoted: Quoted) -> int | None:
        """The mention of a person that stands for whoever speaks or is spoken to: the one named, else the nearest."""
        if person is None:
            return None
        for mention in (quoted.named, quoted.signed):
            if mention is not None and mention.person == person:
                return mention.row
        known = self._by_person[person]
        place = bisect_left(known, (quoted.start, 0))
        return min(known[max(0, place - 1) : place + 1], key=lambda each: abs(each[0] - quoted.start))[1]
