"""Ranking: who a pronoun or a nominal is of, decided again with everybody and every speaker known.

Linking decides from left to right, and knows neither who says a quotation that is
attributed after it nor who will matter in the text. Here the candidates of a mention are
compared once more, by named features as in joining. A kind of mention has weights of its
own, learned from annotated novels (``petra.training.ranking``); the highest score wins.
"""

from __future__ import annotations

import math
import sys
from bisect import bisect_right
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias, get_args

from petra.consolidation.cast import Character
from petra.consolidation.relatives import elect, join_relatives, relatives_of
from petra.domain import Event
from petra.errors import ModelError
from petra.linking.record import LinkRecord
from petra.log.mentions import LoggedMention, LogMentions
from petra.speakers.attribute import attribute_quotations

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

RankedKind = Literal["third_person", "speaker", "addressee", "nominal"]
RANKED_KINDS: tuple[RankedKind, ...] = get_args(RankedKind)
RankWeights: TypeAlias = Mapping[RankedKind, Mapping[str, float]]

# Set by hand; twice as many of each change little.
_WINDOW = 60  # mentions before one, of which people are candidates and are counted
_LATEST: Mapping[RankedKind, int] = {"third_person": 4, "nominal": 2}  # people mentioned last who are candidates
_LATEST_NAMED = 3  # people named last who are
_LEAST_SHARE = 0.01  # of linking, below which candidates do not differ


class SpokenAround(NamedTuple):
    """Who speaks and is spoken to in the quotation that a mention stands in, and who speaks before and after it."""

    speaker: int | None = None
    addressee: int | None = None
    before: int | None = None
    after: int | None = None


class RankPlace(NamedTuple):
    """What stands around a mention."""

    around: SpokenAround
    feminine: float  # 1 for "she", -1 for "he", 0 where the mention does not say
    linked: int  # the person that linking chose
    begins: bool  # nobody mentioned that person before
    latest: Sequence[int]  # people before it whose gender may be that of the mention, the last one first
    named: Sequence[int]  # those of them who are named there
    counts: Mapping[int, int]  # mentions before it
    relative: int | None  # who the mention is of as somebody's relative, by all mentions that say so


class RankPair(NamedTuple):
    """A candidate at a mention."""

    person: int
    character: Character
    share: float  # that linking gave
    place: RankPlace


RankFeature: TypeAlias = Callable[[RankPair], float]
_FEATURES: dict[str, RankFeature] = {}


def _feature(function: RankFeature) -> RankFeature:
    _FEATURES[function.__name__] = function
    return function


@_feature
def share(it: RankPair) -> float:
    """The logarithm of the share that linking gave the candidate."""
    return math.log(it.share + _LEAST_SHARE)


@_feature
def speaks(it: RankPair) -> float:
    """*“I see him,” said Tom*: the candidate says the quotation."""
    return float(it.person == it.place.around.speaker)


@_feature
def is_spoken_to(it: RankPair) -> float:
    """*“Tom, you saw him”*: the quotation is said to the candidate."""
    return float(it.person == it.place.around.addressee)


@_feature
def speaks_before(it: RankPair) -> float:
    """The candidate says the quotation before."""
    return float(it.person == it.place.around.before)


@_feature
def speaks_after(it: RankPair) -> float:
    """The candidate says the next quotation."""
    return float(it.person == it.place.around.after)


@_feature
def agreeing_gender(it: RankPair) -> float:
    """*she* of somebody who is *she* elsewhere: certainty that the two agree."""
    return max(0.0, it.character.gender * it.place.feminine)


@_feature
def other_gender(it: RankPair) -> float:
    """*she* of somebody who is *he* elsewhere: certainty that the two differ."""
    return max(0.0, -it.character.gender * it.place.feminine)


@_feature
def named_lately(it: RankPair) -> float:
    """1 for the person named last, 1/2 for the one before, and so on."""
    return 1 / (1 + it.place.named.index(it.person)) if it.person in it.place.named else 0.0


@_feature
def named_last(it: RankPair) -> float:
    """The person named last, of those who neither speak nor are spoken to."""
    around = it.place.around
    others = (person for person in it.place.named if person not in (around.speaker, around.addressee))
    return float(next(others, None) == it.person)


@_feature
def mentioned_lately(it: RankPair) -> float:
    """1 for the person mentioned last, 1/2 for the one before, and so on."""
    return 1 / (1 + it.place.latest.index(it.person)) if it.person in it.place.latest else 0.0


@_feature
def mentioned_often(it: RankPair) -> float:
    """The logarithm of the candidate's mentions among those before."""
    return math.log1p(it.place.counts.get(it.person, 0))


@_feature
def has_name(it: RankPair) -> float:
    """The text has a name for the candidate."""
    return float(bool(it.character.names))


@_feature
def mentions_in_all(it: RankPair) -> float:
    """The logarithm of the candidate's mentions in the whole text."""
    return math.log(max(1, it.character.mentions))


@_feature
def linked(it: RankPair) -> float:
    """Linking chose the candidate."""
    return float(it.person == it.place.linked)


@_feature
def is_relative(it: RankPair) -> float:
    """*her mother*: the candidate is who the text mostly calls so."""
    return float(it.person == it.place.relative)


@_feature
def begins(it: RankPair) -> float:
    """*A man came in*: linking took the mention for the first of somebody."""
    return float(it.person == it.place.linked and it.place.begins)


RANK_FEATURES: Mapping[str, RankFeature] = MappingProxyType(_FEATURES)


@cache
def learned_weights() -> RankWeights:
    """The weights that training found (``ranking.toml``): of each kind of mention, of the features that count."""
    text = (resources.files("petra.consolidation") / "ranking.toml").read_text(encoding="utf-8")
    weights = {kind: values for kind, values in tomllib.loads(text).items() if kind in RANKED_KINDS}
    if unknown := sorted({name for values in weights.values() for name in values} - RANK_FEATURES.keys()):
        raise ModelError(f"There are weights of unknown features: {', '.join(unknown)}. Install PeTra again.")
    return weights


def ranked_kind(record: LinkRecord) -> RankedKind | None:
    """How a mention is ranked; None for names, groups, the narrator and what tells nothing."""
    cues = record.cues
    if cues.kind == "pronoun" and cues.speech is None:
        return "third_person" if cues.gender is not None else None
    if cues.kind == "pronoun":
        return None if cues.turn is None or cues.is_narrator else cues.speech
    return "nominal" if cues.kind == "nominal" and cues.number != "many" else None


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
        self._quotations = _Quotations(text, events, decided.people)
        relatives = relatives_of(
            events, decided.records, decided.people, lambda at: self._quotations.around(at).speaker
        )
        joined = join_relatives(relatives, decided.people, decided.characters)
        self._decided = decided = decided.joined(joined)
        self._quotations.join(joined)
        relatives = {place: (word, joined.get(of, of)) for place, (word, of) in relatives.items()}
        elected = elect(relatives, decided.people, decided.characters)
        self._relatives = {place: elected[relative] for place, relative in relatives.items()}
        self._starts = [event.mention.start for event in events]
        self._firsts: dict[int, int] = {}
        for place, person in enumerate(decided.people):
            self._firsts.setdefault(person, place)

    def run(self, weights: RankWeights) -> list[int]:
        """The person of each mention; those decided on before one count as what stands before it."""
        people = list(self._decided.people)
        for number, kind, pairs in self.candidates(people):
            its = weights.get(kind)
            if its:
                scores = [sum(weight * _FEATURES[name](it) for name, weight in its.items()) for it in pairs]
                people[number] = pairs[max(range(len(pairs)), key=scores.__getitem__)].person
        return people

    def candidates(self, people: Sequence[int]) -> Iterator[tuple[int, RankedKind, list[RankPair]]]:
        """The candidates at each mention that has several, given the person of each mention before."""
        window: deque[tuple[int, bool, bool]] = deque(maxlen=_WINDOW)  # people; whether named; whether "I" or "you"
        for number, record in enumerate(self._decided.records):
            kind = ranked_kind(record)
            if kind is not None:
                place = self._place(number, kind, window)
                pairs = [self._pair(person, number, place) for person in self._persons(number, kind, place)]
                if len(pairs) > 1:
                    yield number, kind, pairs
            window.append((people[number], record.cues.kind == "name", record.cues.speech is not None))

    def _pair(self, person: int, number: int, place: RankPlace) -> RankPair:
        return RankPair(person, self._decided.characters[person], self._decided.shares[number].get(person, 0.0), place)

    def _place(self, number: int, kind: RankedKind, window: deque[tuple[int, bool, bool]]) -> RankPlace:
        record = self._decided.records[number]
        feminine = {"feminine": 1.0, "masculine": -1.0}.get(record.cues.gender or "", 0.0)
        hears_speech = kind in ("speaker", "addressee")
        latest: dict[int, bool] = {}  # people in the order of their last mentions, and whether they are named
        counts: Counter[int] = Counter()
        for person, is_named, is_speech in reversed(window):
            if is_speech and not hears_speech:
                continue
            counts[person] += 1
            if self._decided.characters[person].gender * feminine >= 0:
                latest[person] = latest.get(person, False) or is_named
        named = dict.fromkeys(person for person, is_named, _ in reversed(window) if is_named and latest.get(person))
        linked = self._decided.of[record.person]
        return RankPlace(
            around=self._quotations.around(self._starts[number]),
            feminine=feminine,
            linked=linked,
            begins=self._firsts.get(linked) == number,
            latest=list(latest),
            named=list(named),
            counts=counts,
            relative=self._relatives.get(number),
        )

    def _persons(self, number: int, kind: RankedKind, place: RankPlace) -> list[int]:
        """Those that linking considered, and others whom the text around suggests."""
        record = self._decided.records[number]
        excluded = {self._decided.of[person] for person in record.excludes if person in self._decided.of}
        found: list[int | None] = [*self._decided.shares[number], place.relative]
        if kind in ("speaker", "addressee"):
            found += place.around
        else:
            others = [person for person in place.latest if person not in excluded]
            found += others[: _LATEST[kind]]
        if kind == "third_person":
            found += [person for person in place.named if person not in excluded][:_LATEST_NAMED]
        return [person for person in dict.fromkeys(found) if person is not None]


class _Quotations:
    """The quotations of a text with their speakers, by place."""

    def __init__(self, text: str, events: Sequence[Event], people: Sequence[int]) -> None:
        mentions = LogMentions.of(
            LoggedMention(
                event.mention.start, event.mention.end, event.mention.kind, 0, person, event.mention.probability
            )
            for event, person in zip(events, people, strict=True)
        )
        quotations = list(attribute_quotations(text, mentions))

        def at(row: int | None) -> int | None:
            return None if row is None else people[row]

        speakers = [None, *(at(it.speaker) for it in quotations), None]
        self._around = [
            SpokenAround(speakers[number], at(it.addressee), speakers[number - 1], speakers[number + 1])
            for number, it in enumerate(quotations, 1)
        ]
        parts = sorted((*part, number) for number, it in enumerate(quotations) for part in it.parts)
        self._starts = [start for start, _, _ in parts]
        self._parts = parts

    def join(self, others: Mapping[int, int]) -> None:
        """Take some people for others."""

        def of(person: int | None) -> int | None:
            return None if person is None else others.get(person, person)

        self._around = [SpokenAround(*map(of, around)) for around in self._around]

    def speaker_at(self, place: int) -> int | None:
        """Who says what stands at a place of the text."""
        return self.around(place).speaker

    def around(self, place: int) -> SpokenAround:
        """Who speaks around a place of the text; nobody outside of quotations."""
        number = bisect_right(self._starts, place) - 1
        if number < 0 or self._parts[number][1] <= place:
            return SpokenAround()
        return self._around[self._parts[number][2]]
