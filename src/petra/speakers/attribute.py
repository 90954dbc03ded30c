"""Attributing quotations: the speaker and the addressee of each quotation of a text."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from petra.domain import FoundBy
from petra.linking.features import FeatureRow
from petra.log.mentions import LogMentions
from petra.log.quotations import LoggedQuotation, LogQuotations
from petra.speakers.conversation import Conversation, Quoted
from petra.speakers.features import (
    LATELY,
    RECENT,
    TURN_FEATURES,
    DialogueScene,
    attributed_people,
    candidates,
    features_around,
    people_around,
    recent_speakers,
    speaker_features,
    speech_features,
    turn_features,
    with_nobody,
)
from petra.speakers.scorer import SpeakerWeights, learned_weights, shares, speech_probability, total

_BEAM = 8  # possibilities that are followed; set by hand
_LEAST_SPEECH = 0.5  # probability of a quotation that counts


class SpeakerDecision(NamedTuple):
    """Who says a quotation."""

    person: int | None  # None for nobody of the text
    row: FeatureRow
    probability: float


class Attributed(NamedTuple):
    """A quotation with its speaker and addressee, as people."""

    quoted: Quoted
    decision: SpeakerDecision
    addressee: int | None


def attribute(conversation: Conversation, weights: SpeakerWeights | None = None) -> list[Attributed]:
    """Every quotation that somebody says, in text order, with its speaker and addressee.

    Candidates are the people around, and features compare each with the quotation. The
    speakers of all quotations are those that the softmax over the candidates, given who
    spoke before, makes most probable together.
    """
    weights = learned_weights() if weights is None else weights
    quotations = conversation.quotations
    decided = decode(conversation, weights)
    spoken = [decision.person for decision in decided]
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


class _Path(NamedTuple):
    """Speakers of the quotations so far, one of several possibilities."""

    score: float  # the logarithm of their probability
    spoken: tuple[int | None, ...]  # the last of them
    decision: SpeakerDecision | None
    before: _Path | None


def decode(conversation: Conversation, weights: SpeakerWeights) -> list[SpeakerDecision]:
    """The speakers of all quotations that are most probable together, by a beam search."""
    attributed = attributed_people(conversation)
    paths = [_Path(0.0, (), None, None)]
    for number, quoted in enumerate(conversation.quotations):
        scenes = [DialogueScene(spoken=it.spoken, attributed=attributed, number=number, quoted=quoted) for it in paths]
        around = people_around(conversation, scenes[0])
        people = [with_nobody(quoted, [*around, *recent_speakers(scene.spoken)]) for scene in scenes]
        rows = features_around(conversation, scenes[0], {person for each in people for person in each})
        scores = {person: total(row, weights.speaker) for person, row in rows.items()}
        best: dict[tuple[int | None, ...], _Path] = {}
        for path, scene, candidates_ in zip(paths, scenes, people, strict=True):
            turns: dict[int, FeatureRow] = {}
            for name, who, value in turn_features(scene):
                turns.setdefault(who, {})[name] = value
            own = {
                person: scores[person] + (total(turns[person], weights.speaker) if person in turns else 0.0)
                for person in candidates_
            }
            whole = _log_sum(own.values())
            for person, score in own.items():
                likely = path.score + score - whole
                spoken = (*path.spoken, person)[-LATELY:]
                known = best.get(spoken[-RECENT:])
                if known is None or likely > known.score:
                    row = rows[person] | (turns.get(person, {}) if person is not None else {})
                    decision = SpeakerDecision(person, row, math.exp(score - whole))
                    best[spoken[-RECENT:]] = _Path(likely, spoken, decision, path)
        paths = sorted(best.values(), key=lambda path: -path.score)[:_BEAM]
    decided: list[SpeakerDecision] = []
    end: _Path | None = paths[0]
    while end is not None and end.decision is not None:
        decided.append(end.decision)
        end = end.before
    return decided[::-1]


def _log_sum(scores: Iterable[float]) -> float:
    known = list(scores)
    highest = max(known)
    return highest + math.log(sum(math.exp(score - highest) for score in known))


def decide(conversation: Conversation, scene: DialogueScene, weights: SpeakerWeights) -> SpeakerDecision:
    """The speaker of a quotation, given those before: the best of the candidates."""
    people = candidates(conversation, scene)
    rows = speaker_features(conversation, scene, people)
    found = shares(rows, weights.speaker)
    best = max(range(len(people)), key=found.__getitem__)
    return SpeakerDecision(people[best], rows[best], found[best])


def _found_by(quoted: Quoted, decision: SpeakerDecision, weights: SpeakerWeights) -> FoundBy:
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
