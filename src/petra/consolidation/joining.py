"""Joining: people whose names are of one character become one person.

Pairs that share a word of a name are scored by named features, as in linking; those with
the highest score are joined first, and a pair is scored anew when one of the two has grown.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from math import log
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from petra.consolidation.cast import Cast, Character, FullNames, pair
from petra.english.names import GIVEN_NAME_TITLES, NOBLE_TITLES, Name, Relation, full_title, relation, titles_conflict
from petra.english.nicknames import related


class JoinPair(NamedTuple):
    """Two people who may be one; ``one`` has more mentions."""

    one: Character
    other: Character
    cast: Cast
    together: int  # times that both are named in one sentence
    nearby: int  # .. or near each other
    excluded: int  # places that exclude that they are one
    converse: int  # exchanges of quotations between them


_MOST_BEARERS = 100  # of a word that are compared with each other, those mentioned most: pairs stay few
_FEW = 5  # uses of a name, of which half the evidence that both are one counts

# Of names near each other the share that stands in one sentence, in the annotation of LitBank's training documents:
# two names of one person, and the names of two people (petra.training.names_together).
_OF_ONE, _OF_TWO = 0.054, 0.156
_MOST_FOR_ONE = -1.0  # set by hand: members of a family may stand near each other for long

_COMMON_TITLES = frozenset(("mister", "mrs", "miss"))  # tell nobody from others

BIAS = -4.5  # two people are not one without a reason

JoinFeature: TypeAlias = Callable[[JoinPair], float]
_FEATURES: dict[str, JoinFeature] = {}

# Set by hand and checked on LitBank's training documents: a score above 0 joins.
WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "same_name": 6.0,
        "same_role": 6.0,
        "same_title": 6.0,
        "full_name": 6.0,
        "told_apart": -12.0,
        "nickname": 4.5,
        "agreeing_gender": 1.5,
        "other_gender": -8.0,
        "other_first_name": -8.0,
        "other_surname": -6.0,
        "other_title": -8.0,
        "named_together": -1.0,
        "kept_apart": -20.0,
        "converse": -6.0,
        "other_number": -8.0,
        "other_narration": -6.0,
    }
)


def _feature(function: JoinFeature) -> JoinFeature:
    _FEATURES[function.__name__] = function
    return function


@_feature
def same_name(it: JoinPair) -> float:
    """*Lucy* and *Lucy*, *Mr. Vyse* and *Vyse*: the share of the smaller one's names that are names of the other.

    *Sir Leicester* is the same name as *Sir Leicester Dedlock*.
    """
    ours = it.one.own_names
    theirs = it.other.own_names
    same = sum(count for name, count in theirs.items() if any(_is_same(name, known) for known in ours))
    return same / max(1, sum(theirs.values()))


@_feature
def same_role(it: JoinPair) -> float:
    """*the Hatter* and *the Hatter*: a nominal written like a name, which both go by."""
    return float(it.one.usual_role is not None and it.one.usual_role == it.other.usual_role)


@_feature
def same_title(it: JoinPair) -> float:
    """*the Doctor* and *Doctor Mandelet*: a title alone, and the share of its bearers that the other is."""
    return max(
        (
            it.cast.full_names.bearer_share(title, other.own_names)
            for one, other in ((it.one, it.other), (it.other, it.one))
            if (title := one.usual_title) is not None
        ),
        default=0.0,
    )


@_feature
def full_name(it: JoinPair) -> float:
    """*Lucy* and *Miss Honeychurch*: certainty that the full name *Lucy Honeychurch* is of both, and of nobody else.

    It counts as far as the names are not the same anyway. Where either name is rare, nothing
    may have told the two apart yet, and it counts less.
    """
    certainty = max(
        (
            share * it.cast.full_names.certainty(first, surname)
            for one, other in ((it.one, it.other), (it.other, it.one))
            for first, share in _first_names(one, it.cast.full_names).items()
            for surname in _surnames(other, it.cast.full_names)
            if _may_marry(it.cast, first, surname)
        ),
        default=0.0,
    )
    uses = min(it.one.names.total(), it.other.names.total())
    return max(0.0, certainty - same_name(it)) * uses / (uses + _FEW)


@_feature
def told_apart(it: JoinPair) -> float:
    """*Mr. John Knightley* and *Mr. Knightley*: the share of John's names that have the title and the surname."""
    return max(
        (
            it.cast.full_names.told_apart(first, surname)
            for one, other in ((it.one, it.other), (it.other, it.one))
            for first in _first_names(one, it.cast.full_names)
            for surname in _surnames(other, it.cast.full_names)
        ),
        default=0.0,
    )


@_feature
def nickname(it: JoinPair) -> float:
    """*Lizzy* and *Elizabeth*: the share of the names by which one is a nickname of the other."""
    ours, theirs = (_first_names(each, it.cast.full_names) for each in (it.one, it.other))
    return max(
        (ours[first] * theirs[other] for first in ours for other in theirs if first in related(other)), default=0.0
    )


@_feature
def agreeing_gender(it: JoinPair) -> float:
    """*she* for both: certainty that the pronouns agree."""
    return max(0.0, it.one.gender * it.other.gender)


@_feature
def other_gender(it: JoinPair) -> float:
    """*he* for one and *she* for the other: certainty that the pronouns differ."""
    return max(0.0, -it.one.gender * it.other.gender)


@_feature
def other_first_name(it: JoinPair) -> float:
    """*Jane Bennet* and *Lydia Bennet*: given names that have nothing to do with each other."""
    ours, theirs = (_first_names(each, it.cast.full_names) for each in (it.one, it.other))
    if not ours or not theirs:
        return 0.0
    return float(not any(_is_form(one, other) for one in ours for other in theirs))


@_feature
def other_surname(it: JoinPair) -> float:
    """*Miss Bates* and *Miss Fairfax*: the same title before surnames that differ."""
    ours, theirs = (_titled_surnames(each, it.cast.full_names) for each in (it.one, it.other))
    titles = {title for title, _ in ours} & {title for title, _ in theirs}
    words, others = ({word for name in each.own_names for word in name.words} for each in (it.one, it.other))
    same = {surname for _, surname in ours} & others or {surname for _, surname in theirs} & words
    return float(bool(titles) and not same)


@_feature
def other_title(it: JoinPair) -> float:
    """*Mr. Bennet* and *Mrs. Bennet*: titles that make two people of one surname."""
    return float(
        any(
            titles_conflict(one.title, other.title) and one.words[-1] == other.words[-1]
            for one in it.one.own_names
            for other in it.other.own_names
        )
    )


@_feature
def named_together(it: JoinPair) -> float:
    """*George looked at Mr. Emerson*: how much likelier one sentence names both, where they are two people.

    The logarithm of the ratio: of names near each other as many stand in one sentence. Where many
    stand near each other and none in one sentence, that speaks for one person, but is not all.
    """
    apart = it.nearby - it.together
    found = it.together * log(_OF_TWO / _OF_ONE) + apart * log((1 - _OF_TWO) / (1 - _OF_ONE))
    return max(_MOST_FOR_ONE, found)


@_feature
def kept_apart(it: JoinPair) -> float:
    """*Mr. Emerson and George*: how often a place excludes that both are one."""
    return it.excluded / (min(it.one.mentions, it.other.mentions) + 3)


@_feature
def converse(it: JoinPair) -> float:
    """*“I said so, George.” “Did you?”*: how often they speak to each other, of the exchanges of the rarer."""
    return it.converse / (min(it.one.exchanges, it.other.exchanges) + 3)


@_feature
def other_number(it: JoinPair) -> float:
    """*the Miss Alans* and *Miss Alan*: one is a group."""
    return float(it.one.is_group != it.other.is_group)


@_feature
def other_narration(it: JoinPair) -> float:
    """*I* and *Holt*: one narrates, and the share of the other's names that the narration uses."""
    one, other = sorted((it.one, it.other), key=lambda each: each.narrated - each.narrates)
    return other.narrated / max(1, other.names.total()) if one.narrates > one.narrated else 0.0


JOIN_FEATURES: Mapping[str, JoinFeature] = MappingProxyType(_FEATURES)


def join_features(it: JoinPair) -> dict[str, float]:
    """The features of a pair that are not 0."""
    return {name: value for name, feature in _FEATURES.items() if (value := feature(it))}


def join_score(it: JoinPair) -> float:
    """The weighted features of a pair: above 0, both are one person."""
    return BIAS + sum(WEIGHTS[name] * value for name, value in join_features(it).items())


def join_people(cast: Cast) -> dict[int, int]:
    """The person that everybody with a name or a role belongs to: of those joined, the one mentioned most."""
    return _Joining(cast).run()


class _Joining:
    """People being joined, the best pair first."""

    def __init__(self, cast: Cast) -> None:
        self._cast = cast
        self._groups = {
            person: it for person, it in cast.characters.items() if it.names or it.usual_role or it.usual_title
        }
        self._of = {person: person for person in self._groups}
        self._counters = tuple(counter.copy() for counter in (cast.together, cast.nearby, cast.excluded, cast.converse))
        self._partners: defaultdict[int, set[int]] = defaultdict(set)  # of the counters
        for one, other in {both for counter in self._counters for both in counter}:
            self._partners[one].add(other)
            self._partners[other].add(one)
        self._by_key: defaultdict[str, set[int]] = defaultdict(set)
        for person, it in self._groups.items():
            for key in self._keys(it):
                self._by_key[key].add(person)
        for key, people in self._by_key.items():
            if len(people) > _MOST_BEARERS:
                by_mentions = sorted(people, key=lambda person: (-self._groups[person].mentions, person))
                self._by_key[key] = set(by_mentions[:_MOST_BEARERS])

    def run(self) -> dict[int, int]:
        waiting = [
            (-score, *both, self._size(*both))
            for both in {pair(one, other) for person in self._groups for one, other in self._pairs(person)}
            if (score := self._score(*both)) > 0
        ]
        heapq.heapify(waiting)
        while waiting:
            _, one, other, size = heapq.heappop(waiting)
            if one not in self._groups or other not in self._groups or size != self._size(one, other):
                continue
            kept = self._join(one, other)
            for _, partner in list(self._pairs(kept)):
                both = pair(kept, partner)
                if (score := self._score(*both)) > 0:
                    heapq.heappush(waiting, (-score, *both, self._size(*both)))
        return {person: self._root(person) for person in self._of}

    def _pairs(self, person: int) -> Iterator[tuple[int, int]]:
        found = {other for key in self._keys(self._groups[person]) for other in self._by_key[key]}
        return ((person, other) for other in found if other != person and other in self._groups)

    def _size(self, one: int, other: int) -> int:
        return self._groups[one].mentions + self._groups[other].mentions

    def _score(self, one: int, other: int) -> float:
        first, second = sorted((self._groups[one], self._groups[other]), key=lambda it: -it.mentions)
        both = pair(one, other)
        return join_score(JoinPair(first, second, self._cast, *(counter[both] for counter in self._counters)))

    def _join(self, one: int, other: int) -> int:
        kept, gone = sorted((one, other), key=lambda person: (-self._groups[person].mentions, person))
        joined = Character()
        for person in (kept, gone):
            joined.add(self._groups[person])
        del self._groups[gone]
        self._groups[kept] = joined
        self._of[gone] = kept
        for counter in self._counters:
            for partner in self._partners[gone]:
                count = counter.pop(pair(gone, partner), 0)
                if count and partner != kept:
                    counter[pair(kept, partner)] += count
        for partner in self._partners.pop(gone, set()):
            self._partners[partner].discard(gone)
            if partner != kept:
                self._partners[partner].add(kept)
                self._partners[kept].add(partner)
        for key in self._keys(joined):
            self._by_key[key].discard(gone)
            self._by_key[key].add(kept)
        return kept

    def _keys(self, it: Character) -> set[str]:
        """What two people that may be one have in common: a word of their names, a nickname, or a surname."""
        words = {word for name in it.names for word in name.words if len(word) > 1}
        firsts = _first_names(it, self._cast.full_names)
        surnames = (self._cast.full_names.surnames(first) for first in firsts)
        role = set() if it.usual_role is None else {it.usual_role}
        titles = {full_title(name.title) for name in it.names if name.title is not None} | set(it.titles_alone)
        return words.union(role, titles - _COMMON_TITLES, *(related(first) for first in firsts), *surnames)

    def _root(self, person: int) -> int:
        while self._of[person] != person:
            person = self._of[person]
        return person


def _first_names(it: Character, names: FullNames) -> dict[str, float]:
    """The given names that a person goes by, with the share of the person's names that have each."""
    uses: Counter[str] = Counter()
    for name, count in it.own_names.items():
        is_given = names.is_given(name.words[0]) if len(name.words) > 1 else _is_given(name, names)
        if is_given and name.title not in NOBLE_TITLES:
            uses[name.words[0]] += count
    whole = sum(it.own_names.values())
    return {first: count / whole for first, count in uses.items()}


def _surnames(it: Character, names: FullNames) -> list[Name]:
    """The names of a person that have no given name: "Miss Honeychurch", "Vyse"."""
    return [name for name in it.own_names if len(name.words) == 1 and not _is_given(name, names)]


def _titled_surnames(it: Character, names: FullNames) -> set[tuple[str, str]]:
    """The titles and surnames of a person."""
    return {
        (name.title, name.words[-1]) for name in it.own_names if name.title is not None and not _is_given(name, names)
    }


def _is_given(name: Name, names: FullNames) -> bool:
    """Whether a name of one word is a given name: "Lucy", "Sir Harry", "Mr. Thaddeus"."""
    may_be = name.title is None or name.title in GIVEN_NAME_TITLES
    word = name.words[0]
    return len(name.words) == 1 and (names.is_given(word) if may_be else names.is_first(word))


def _is_same(name: Name, known: Name) -> bool:
    """Whether two names are the same and not of relatives: "Vyse" and "Mr. Vyse", not "Mrs. Joe" and "Joe"."""
    if name.title == known.title and name.title in GIVEN_NAME_TITLES:
        shorter, longer = sorted((name.words, known.words), key=len)
        return shorter in (longer, longer[:1])
    is_noble = (name.title in NOBLE_TITLES, known.title in NOBLE_TITLES)
    return name.words == known.words and relation(name, known) is Relation.EXACT and is_noble[0] == is_noble[1]


def _is_form(one: str, other: str) -> bool:
    return one == other or one in related(other)


def _may_marry(cast: Cast, first: str, surname: Name) -> bool:
    """Whether whoever has the given name may have the title of the surname: Lucy, who is Miss Lucy, is no Mrs."""
    if surname.title == "mrs":
        return not cast.full_names.is_titled(first, "miss")
    return surname.title != "miss" or not cast.full_names.is_titled(first, "mrs")
