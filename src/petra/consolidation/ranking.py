"""Ranking: who a pronoun or a nominal is of, decided again with everybody and every speaker known.

Linking decides from left to right, and knows neither who says a quotation that is
attributed after it nor who will matter in the text. Here the candidates of a mention are
compared once more, by named features as in joining. A kind of mention has weights of its
own, learned from annotated novels (``petra.training.ranking``); the highest score wins.
All *I* of a paragraph of a quotation are decided on together, and so are all *you*.
"""

from __future__ import annotations

import math
import re
import sys
from bisect import bisect_right
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, MutableSequence, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal, NamedTuple, TypeAlias, get_args

from petra.consolidation.cast import Character, role_of
from petra.consolidation.relatives import elect, join_relatives, relatives_of
from petra.consolidation.spoken import SpokenText, people_of
from petra.domain import Event
from petra.english import lexicon
from petra.english.address import is_address
from petra.english.vocabulary import plain
from petra.errors import ModelError
from petra.linking.features import FeatureRow
from petra.linking.record import LinkRecord

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

RankedKind = Literal[
    "third_person", "saying", "quoted_third_person", "speaker", "addressee", "nominal", "quoted_nominal"
]
RANKED_KINDS: tuple[RankedKind, ...] = get_args(RankedKind)
RankWeights: TypeAlias = Mapping[RankedKind, Mapping[str, float]]

# Set by hand; twice as many of each change little.
_WINDOW = 60  # mentions before one, of which people are candidates and are counted
_LATEST = 4  # people mentioned last who are candidates
_LATEST_NAMED = 3  # people named last who are
_LEAST_SHARE = 0.01  # of linking, below which candidates do not differ
_ROUNDS = 2  # in the second, the mentions after one are known too
_CLAUSE = 40  # characters between two mentions of one clause, at most

_SENTENCE_END = re.compile(r"[.!?…][”\"’')]*\s")
_CLAUSE_END = re.compile(r"[,.;:!?—“”\"]|--|\b(?:and|or|but|that|who|whom|which|if|when|as|because)\b")
_PARAGRAPH_END = re.compile(r"\n[^\S\n]*\n")
_OBJECTS = lexicon.words("pronouns", "object") - lexicon.words("pronouns", "determiner")
_REFLEXIVES = lexicon.words("pronouns", "reflexive")
_SUBJECTS = lexicon.words("pronouns", "subject")

RANK_FEATURES: Mapping[str, str] = {
    "share": "The logarithm of the share that linking gave the candidate.",
    "share_now": "The same, where the share of somebody is of whom the last mention of that one is by now.",
    "linked": "Linking chose the candidate.",
    "follows": "The last mention before it that linking gave to the same person is the candidate's by now.",
    "begins": "*A man came in*: linking took the mention for the first of somebody.",
    "speaks": "*“I see him,” said Tom*: the candidate says the quotation.",
    "is_spoken_to": "*“Tom, you saw him”*: the quotation is said to the candidate.",
    "is_called": "*“Tom, you saw him”*: the quotation calls the candidate by name.",
    "is_i": "*“I saw him”*: the share of the candidate in the other *I* of the quotation.",
    "is_you": "*“You saw him”*: the share of the candidate in the other *you* of the quotation.",
    "is_spoken_of": "*“You saw Tom”*: the quotation mentions the candidate, neither as *I* or *you* nor in address.",
    "speaks_before": "The candidate says the quotation before.",
    "speaks_after": "The candidate says the next quotation.",
    "is_answered": "The candidate says the quotation before, to which this one replies.",
    "answers": "The candidate says the next quotation, which replies to this one.",
    "spoken_to_before": "The quotation before is said to the candidate.",
    "agreeing_gender": "*she* of somebody who is *she* elsewhere: certainty that the two agree.",
    "other_gender": "*she* of somebody who is *he* elsewhere: certainty that the two differ.",
    "is_addressed": "*“Yes, sir”*: the mention stands in address, and the quotation is said to the candidate.",
    "addresses": "*“Yes, sir”*: the mention stands in address, and the candidate says the quotation.",
    "acted_on": "*Tom saw him*: the candidate does to another what the clause tells.",
    "acted_on_self": "*Tom saw himself*: the candidate is who acts in the clause.",
    "named_lately": "1 for the person named last, 1/2 for the one before, and so on.",
    "named_last": "The person named last, of those who neither speak nor are spoken to.",
    "mentioned_lately": "1 for the person mentioned last, 1/2 for the one before, and so on.",
    "told_of_lately": "The same, of those mentioned outside of quotations.",
    "spoken_of_lately": "The same, of those mentioned in quotations, neither as *I* or *you* nor in address.",
    "spoken_of_last": "The last of these who neither speaks nor is spoken to.",
    "in_sentence": "The sentence mentions the candidate before.",
    "mentioned_often": "The logarithm of the candidate's mentions among those before.",
    "has_name": "The text has a name for the candidate.",
    "mentions_in_all": "The logarithm of the candidate's mentions in the whole text.",
    "is_relative": "*her mother*: the candidate is who the text mostly calls so.",
}


class RankChoice(NamedTuple):
    """Mentions that are decided on together, the candidates for whom they are of, and the features of each."""

    mentions: tuple[int, ...]
    kind: RankedKind
    people: tuple[int, ...]
    rows: tuple[FeatureRow, ...]


class _Before(NamedTuple):
    """A mention before the one that is decided on."""

    row: int
    is_named: bool
    is_speech: bool  # I or you
    is_quoted: bool
    sentence: int


@cache
def learned_weights() -> RankWeights:
    """The weights that training found (``ranking.toml``): of each kind of mention, of the features that count."""
    return _weights("ranking.toml")


@cache
def initial_weights() -> RankWeights:
    """The weights that training begins with, and that its penalty is counted from (``ranking_initial.toml``)."""
    weights = _weights("ranking_initial.toml")
    return {kind: dict.fromkeys(RANK_FEATURES, 0.0) | dict(weights[kind]) for kind in RANKED_KINDS}


def _weights(name: str) -> RankWeights:
    text = (resources.files("petra.consolidation") / name).read_text(encoding="utf-8")
    weights = {kind: values for kind, values in tomllib.loads(text).items() if kind in RANKED_KINDS}
    if unknown := sorted({name for values in weights.values() for name in values} - RANK_FEATURES.keys()):
        raise ModelError(f"There are weights of unknown features: {', '.join(unknown)}. Install PeTra again.")
    return weights


def ranked_kind(record: LinkRecord) -> RankedKind | None:
    """How a mention is ranked; None for names, groups, the narrator and what tells nothing."""
    cues = record.cues
    is_quoted = cues.turn is not None
    if cues.kind == "pronoun" and cues.speech is None:
        if cues.gender is None:
            return None
        return "quoted_third_person" if is_quoted else "third_person"
    if cues.kind == "pronoun":
        return cues.speech if is_quoted and not cues.is_narrator else None
    if cues.kind == "nominal" and cues.number != "many":
        return "quoted_nominal" if is_quoted else "nominal"
    return None


@dataclass(frozen=True, slots=True)
class Decided:
    """What was decided before ranking: the person of each mention, the shares of candidates, and everybody."""

    records: Sequence[LinkRecord]
    shares: Sequence[Mapping[int, float]]  # of the candidates, by the people they belong to by now
    people: Sequence[int]
    of: Mapping[int, int]  # the person that everybody of linking belongs to by now
    characters: Mapping[int, Character]  # by the same

    def joined(self, others: Mapping[int, int]) -> Decided:
        """The same with some people joined to others."""
        if not others:
            return self
        characters: defaultdict[int, Character] = defaultdict(Character)
        for person, character in self.characters.items():
            characters[others.get(person, person)].add(character)
        shares: list[Mapping[int, float]] = []
        for its in self.shares:
            added: defaultdict[int, float] = defaultdict(float)
            for person, share in its.items():
                added[others.get(person, person)] += share
            shares.append(added)
        return Decided(
            self.records,
            shares,
            [others.get(person, person) for person in self.people],
            {person: others.get(root, root) for person, root in self.of.items()},
            characters,
        )


class Ranking:
    """The mentions of a text being ranked."""

    def __init__(self, text: str, events: Sequence[Event], decided: Decided) -> None:
        self.text, self.events = text, events
        self.speech = SpokenText(text, events, decided.records, decided.people)
        relatives = relatives_of(events, decided.records, decided.people, self._speaker_of)
        joined = join_relatives(relatives, decided.people, decided.characters)
        self.decided = decided = decided.joined(joined)
        self.speech.join(joined)
        relatives = {place: (word, joined.get(of, of)) for place, (word, of) in relatives.items()}
        elected = elect(relatives, decided.people, decided.characters)
        self.relatives = {place: elected[relative] for place, relative in relatives.items()}
        self.firsts: dict[int, int] = {}
        for place, person in enumerate(decided.people):
            self.firsts.setdefault(person, place)
        ends = [found.end() for found in _SENTENCE_END.finditer(text)]
        self.sentences = [bisect_right(ends, event.mention.start) for event in events]
        self.actors = [self._actor(row) for row in range(len(events))]
        self.groups = self._grouped(text)

    def run(self, weights: RankWeights) -> list[int]:
        """The person of each mention."""
        people = list(self.decided.people)
        for turn in range(_ROUNDS):
            if turn:
                self.speech = SpokenText(self.text, self.events, self.decided.records, people)
            for mentions, kind, candidates, rows in self.choices(people):
                its = weights.get(kind)
                if its:
                    scores = [sum(its.get(name, 0.0) * value for name, value in row.items()) for row in rows]
                    chosen = candidates[max(range(len(rows)), key=scores.__getitem__)]
                    for mention in mentions:
                        people[mention] = chosen
        return people

    def choices(self, people: MutableSequence[int]) -> Iterator[RankChoice]:
        """The candidates at each mention that has several, given the person of each other mention.

        The people may be changed between one choice and the next.
        """
        window: deque[_Before] = deque(maxlen=_WINDOW)
        lately: dict[int, int] = {}  # the last mention of everybody of linking
        for row, record in enumerate(self.decided.records):
            kind = None if self._is_role(row) else ranked_kind(record)
            if kind == "third_person" and row in self.speech.attributions:
                kind = "saying"
            mentions = self.groups.get(row, (row,))
            if kind is not None and mentions[0] == row:
                place = _Place(self, mentions, kind, people, window, lately)
                if len(place.candidates) > 1:
                    yield RankChoice(mentions, kind, place.candidates, tuple(map(place.features, place.candidates)))
            lately[record.person] = row
            cues = record.cues
            window.append(
                _Before(row, cues.kind == "name", cues.speech is not None, cues.turn is not None, self.sentences[row])
            )

    def _is_role(self, row: int) -> bool:
        """Whether a nominal is used like a name of the person that linking chose: "the Hatter"."""
        record = self.decided.records[row]
        role = role_of(record.cues, self.events[row].mention.text)
        return role is not None and self.decided.characters[self.decided.of[record.person]].roles[role] > 1

    def _speaker_of(self, row: int) -> int | None:
        return self.speech.at(row).speaker

    def _actor(self, row: int) -> int | None:
        """The mention before that acts in the clause of a pronoun which stands for whom it is done to."""
        mention = self.events[row].mention
        word = plain(mention.text)
        if mention.kind != "pronoun" or word not in _OBJECTS | _REFLEXIVES:
            return None
        for other in range(row - 1, max(-1, row - 4), -1):
            before = self.events[other].mention
            if not 0 < mention.start - before.end <= _CLAUSE or _CLAUSE_END.search(
                self.text, before.end, mention.start
            ):
                return None
            if before.kind != "pronoun" or plain(before.text) in _SUBJECTS:
                return None if self.text[before.end : before.end + 2] in ("'s", "’s") else other
        return None

    def _grouped(self, text: str) -> dict[int, tuple[int, ...]]:
        """The mentions that are decided on with each I and you: those of the same paragraph of a quotation."""
        ends = [found.end() for found in _PARAGRAPH_END.finditer(text)]
        groups: defaultdict[tuple[int, int, str], list[int]] = defaultdict(list)
        for row, record in enumerate(self.decided.records):
            quotation = self.speech.of[row]
            kind = ranked_kind(record)
            if quotation is not None and kind in ("speaker", "addressee"):
                groups[quotation, bisect_right(ends, self.events[row].mention.start), kind].append(row)
        return {row: tuple(rows) for rows in groups.values() for row in rows}


class _Place:
    """Mentions being decided on together, one in most cases, and what stands around the first of them."""

    def __init__(
        self,
        ranking: Ranking,
        mentions: tuple[int, ...],
        kind: RankedKind,
        people: Sequence[int],
        window: Sequence[_Before],
        lately: Mapping[int, int],
    ) -> None:
        decided, speech, row = ranking.decided, ranking.speech, mentions[0]
        record = decided.records[row]
        self._characters = decided.characters
        self._feminine = {"feminine": 1.0, "masculine": -1.0}.get(record.cues.gender or "", 0.0)
        self._linked = decided.of[record.person]
        self._begins = ranking.firsts.get(self._linked) == row
        self._relative = ranking.relatives.get(row)
        self._follows = people[lately[record.person]] if record.person in lately else None
        excluded = {decided.of[person] for person in record.excludes if person in decided.of}
        self._shares: defaultdict[int, float] = defaultdict(float)
        self._shares_now: defaultdict[int, float] = defaultdict(float)
        for each in mentions:
            for person, share in decided.shares[each].items():
                self._shares[person] += share / len(mentions)
            for person, share in decided.records[each].shares:
                now = people[lately[person]] if person in lately else decided.of[person]
                if now not in excluded:
                    self._shares_now[now] += share / len(mentions)
        number = speech.attributions.get(row) if kind == "saying" else speech.of[row]
        self._around, self._said_before, self._said_after = (speech.beside(number, step) for step in (0, -1, 1))
        self._speakers = (self._around.speaker, self._around.addressee)
        own = set(mentions)
        self._first = people_of([it for it in self._around.first if it not in own], people)
        self._second = people_of([it for it in self._around.second if it not in own], people)
        is_speech = kind in ("speaker", "addressee")
        self._third = {people[it] for it in self._around.third} if is_speech or kind == "saying" else set()
        mention = ranking.events[row].mention
        self._is_address = kind == "quoted_nominal" and is_address(
            ranking.text[max(0, mention.start - 4) : mention.start], ranking.text[mention.end : mention.end + 1]
        )
        actor = ranking.actors[row]
        self._actor = None if actor is None else people[actor]
        self._is_reflexive = plain(mention.text) in _REFLEXIVES
        self._look_back(people, window, ranking.sentences[row], is_speech)
        found: list[int | None] = [*self._shares, *self._shares_now, self._follows, self._relative]
        if is_speech:
            found += self._speakers
            found += (self._said_before.speaker, self._said_before.addressee, self._said_after.speaker)
            found += self._around.called
            found += self._first if kind == "speaker" else self._second
        else:
            if kind == "saying":
                found += (*self._speakers, self._said_before.addressee, self._said_after.speaker)
            for ranks, count in (
                (self._latest, _LATEST),
                (self._named, _LATEST_NAMED),
                (self._spoken_of, _LATEST_NAMED),
                (self._told_of, _LATEST_NAMED),
            ):
                found += [person for person in ranks if person not in excluded][:count]
        self.candidates = tuple(person for person in dict.fromkeys(found) if person is not None)

    def _look_back(self, people: Sequence[int], window: Sequence[_Before], sentence: int, is_speech: bool) -> None:
        """Who was mentioned before: by last mention, with ranks from 0."""
        self._latest: dict[int, int] = {}
        self._named: dict[int, int] = {}
        self._told_of: dict[int, int] = {}
        self._spoken_of: dict[int, int] = {}
        self._counts: Counter[int] = Counter()
        self._in_sentence: set[int] = set()
        fitting: dict[int, bool] = {}
        for before in reversed(window):
            person = people[before.row]
            if before.is_speech and not is_speech:
                continue
            self._counts[person] += 1
            if person not in fitting:
                fitting[person] = self._characters[person].gender * self._feminine >= 0
            if not fitting[person]:
                continue
            self._latest.setdefault(person, len(self._latest))
            if before.is_named:
                self._named.setdefault(person, len(self._named))
            if not before.is_quoted:
                self._told_of.setdefault(person, len(self._told_of))
            elif not before.is_speech:
                self._spoken_of.setdefault(person, len(self._spoken_of))
            if before.sentence == sentence:
                self._in_sentence.add(person)
        self._named_last = next((person for person in self._named if person not in self._speakers), None)
        self._spoken_of_last = next((person for person in self._spoken_of if person not in self._speakers), None)

    def features(self, person: int) -> FeatureRow:
        """The features of a candidate that are not 0."""
        character = self._characters[person]
        around, before, after = self._around, self._said_before, self._said_after
        gender = character.gender * self._feminine
        row = {
            "share": math.log(self._shares.get(person, 0.0) + _LEAST_SHARE),
            "share_now": math.log(self._shares_now.get(person, 0.0) + _LEAST_SHARE),
            "linked": person == self._linked,
            "follows": person == self._follows,
            "begins": self._begins and person == self._linked,
            "speaks": person == around.speaker,
            "is_spoken_to": person == around.addressee,
            "is_called": person in around.called,
            "is_i": self._first.get(person, 0.0),
            "is_you": self._second.get(person, 0.0),
            "is_spoken_of": person in self._third,
            "speaks_before": person == before.speaker,
            "speaks_after": person == after.speaker,
            "is_answered": around.is_reply and person == before.speaker,
            "answers": after.is_reply and person == after.speaker,
            "spoken_to_before": person == before.addressee,
            "agreeing_gender": max(0.0, gender),
            "other_gender": max(0.0, -gender),
            "is_addressed": self._is_address and person == around.addressee,
            "addresses": self._is_address and person == around.speaker,
            "acted_on": person == self._actor and not self._is_reflexive,
            "acted_on_self": person == self._actor and self._is_reflexive,
            "named_lately": _inverse(self._named, person),
            "named_last": person == self._named_last,
            "mentioned_lately": _inverse(self._latest, person),
            "told_of_lately": _inverse(self._told_of, person),
            "spoken_of_lately": _inverse(self._spoken_of, person),
            "spoken_of_last": person == self._spoken_of_last,
            "in_sentence": person in self._in_sentence,
            "mentioned_often": math.log1p(self._counts.get(person, 0)),
            "has_name": bool(character.names),
            "mentions_in_all": math.log(max(1, character.mentions)),
            "is_relative": person == self._relative,
        }
        return {name: float(value) for name, value in row.items() if value}


def _inverse(ranks: Mapping[int, int], person: int) -> float:
    return 1 / (1 + ranks[person]) if person in ranks else 0.0
