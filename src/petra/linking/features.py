"""Features: what words and places say for a mention to be of a person, each a number with a name.

A feature is a function of the mention's cues, one candidate and the scene; its docstring
begins with an example. A model has a weight for each (``scorer.py``), so what a
feature of value v adds to the candidate's score is weight * v: the odds against a new
person are multiplied by e^(weight * v). A feature of the whole range 0 to 1 says how
sure it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from petra.english.gender import KIN
from petra.english.names import Name, Relation, titles_conflict
from petra.english.vocabulary import ANYBODY
from petra.linking.cues import Cues
from petra.linking.profile import Profile
from petra.linking.scene import Scene

_LOG_HUNDRED = math.log1p(100)
_OWN = (Relation.LONGER, Relation.NICKNAME, Relation.SHORTER, Relation.EXACT)
_OWN_SHARE = 0.25  # of the uses by whoever is called so most: less often, and the name was a slip


class Candidate(NamedTuple):
    """A person that a mention may be of."""

    person: int
    profile: Profile
    relation: Relation | None  # of the mention's name to those of the person, seen beside the other candidates
    is_described: bool = False  # the mention stands in apposition to the person's last mention, or is its predicate
    is_renamed: bool = False  # the text gives the mention as another name of the person
    recency: int | None = None  # 0 for the candidate mentioned last, 1 for the one before, and so on


Feature: TypeAlias = Callable[[Cues, Candidate, Scene], float]
FeatureRow: TypeAlias = dict[str, float]  # the features that are not 0

_FEATURES: dict[str, Feature] = {}
_NEW_PERSON: dict[str, Callable[[Cues], float]] = {}


def _feature(function: Feature) -> Feature:
    _FEATURES[function.__name__] = function
    return function


def _new_person(function: Callable[[Cues], float]) -> Callable[[Cues], float]:
    _NEW_PERSON[function.__name__] = function
    return function


# Names. A name that the text gives as another one is judged by that alone.


@_feature
def exact_name(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*Darcy* after *Mr. Darcy*: the person goes by this very name."""
    return _has(person, Relation.EXACT)


@_feature
def shorter_name(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*Fripp* after *Robert Fripp*: a shorter form of the person's name."""
    return _has(person, Relation.SHORTER)


@_feature
def longer_name(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*Robert Fripp* after *Fripp*: a longer form of the person's name."""
    return _has(person, Relation.LONGER)


@_feature
def nickname(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*Lizzy* after *Elizabeth*: a nickname of the person's name, or the other way round."""
    return _has(person, Relation.NICKNAME)


@_feature
def family_name(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*Winnie Verloc* after *Mr. Verloc*: the person or a relative."""
    return _has(person, Relation.FAMILY)


@_feature
def unrelated_name(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*Jane* after *Lydia*: the person has other names only."""
    return _has(person, Relation.UNRELATED)


@_feature
def conflicting_name(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*Jane Bennet* after *Lydia Bennet*: a name in common, and another that differs."""
    return _has(person, Relation.CLASH)


@_feature
def alias(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*Samuel Clemens, better known as Mark Twain*: the text says that it is another name of the person."""
    return float(person.is_renamed)


@_feature
def title_conflict(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*Mrs. Bennet* after *Mr. Bennet*: how surely titles before this surname say that somebody else is meant."""
    if mention.name is None:
        return 0.0
    surname = mention.name.words[-1]
    alike = [(known, count) for known, count in person.profile.names if known.words[-1] == surname]
    same = sum(count for known, count in alike if known.title == mention.name.title)
    other = sum(count for known, count in alike if titles_conflict(known.title, mention.name.title))
    return max(0.0, other - same) / max(1, other + same)


# Gender, number and grammatical person, each at the certainty that the person's mentions give.


@_feature
def gender_conflict(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*she* after *Mr. Darcy*."""
    if mention.gender is None:
        return 0.0
    counts = (person.profile.masculine, person.profile.feminine)
    return _certainty(*(counts if mention.gender == "masculine" else counts[::-1]))


@_feature
def gender_agreement(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*she* after *Mrs. Bennet*."""
    if mention.gender is None:
        return 0.0
    counts = (person.profile.feminine, person.profile.masculine)
    return _certainty(*(counts if mention.gender == "masculine" else counts[::-1]))


@_feature
def same_pronouns(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*their* after *they* for the same person, *xyr* after *xe*: how surely the person goes by these pronouns."""
    same, other = _pronouns(mention, person.profile)
    return _certainty(other, same)


@_feature
def other_pronouns(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*her* after *they*: how surely the person goes by other pronouns."""
    same, other = _pronouns(mention, person.profile)
    return _certainty(same, other)


@_feature
def number_conflict(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*they* after *Jane*."""
    if mention.number is None:
        return 0.0
    counts = (person.profile.one, person.profile.many)
    return _certainty(*(counts if mention.number == "one" else counts[::-1]))


@_feature
def number_agreement(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*they* after *the sisters*."""
    if mention.number is None:
        return 0.0
    counts = (person.profile.many, person.profile.one)
    return _certainty(*(counts if mention.number == "one" else counts[::-1]))


@_feature
def narration_conflict(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*she* outside quotations for the narrator, or *I* there for somebody of whom the story is told."""
    if mention.turn is not None or mention.number == "many":
        return 0.0
    counts = (person.profile.first_person, person.profile.third_person)
    return _certainty(*(counts if mention.is_narrator else counts[::-1]))


# Nominals.


@_feature
def same_head(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*the old turnkey* after *the turnkey*."""
    return float(mention.head is not None and mention.head in person.profile.heads)


@_feature
def other_kin(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*her mother* after *his aunt*."""
    if mention.head is None or mention.head not in KIN:
        return 0.0
    kin = KIN.intersection(person.profile.heads)
    return float(bool(kin) and mention.head not in kin)


@_feature
def same_kin(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*papa* after *Papa*: a relation used like a name."""
    return float(mention.kin is not None and person.profile.is_kin(mention.kin))


@_feature
def same_phrase(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*the turnkey* after *the turnkey*."""
    return float(mention.phrase is not None and mention.phrase in person.profile.phrases)


@_feature
def apposition(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*the judge, Peter Lowe,* and *she was a nurse*: the mention describes the person, or is described."""
    return float(person.is_described)


@_feature
def other_occupation(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*the referee* after *the striker*."""
    if person.is_described or mention.head is None or mention.head in ANYBODY or mention.head in KIN:
        return 0.0
    known = [head for head in person.profile.heads if head not in ANYBODY and head not in KIN]
    return float(bool(known) and mention.head not in known)


# How present a person is.


@_feature
def last_mentioned(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*he* for whoever was mentioned last."""
    return float(person.recency == 0)


@_feature
def mentioned_before_last(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*he* for whoever was mentioned last but one."""
    return float(person.recency == 1)


@_feature
def often_mentioned(mention: Cues, person: Candidate, scene: Scene) -> float:
    """The main character of a book: the logarithm of how often the person was mentioned, 1 for a hundred times."""
    return math.log1p(person.profile.mentions) / _LOG_HUNDRED


# The scene: who narrates, who speaks and who is spoken to.


@_feature
def narrator(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*I* outside quotations, for whoever said so before."""
    return float(mention.is_narrator and person.person == scene.narrator)


@_feature
def addressed_speaker(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*“Come, Darcy,” said he*, for Darcy: nobody calls himself by name."""
    turn = mention.speaking_turn
    return float(mention.turn is None and turn is not None and scene.addressed == (turn.other, person.person))


@_feature
def same_speaker(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*I* again on one side of an exchange, and *you* on the other."""
    turn = mention.speaking_turn
    return float(mention.turn is not None and turn is not None and person.person == scene.speaker_of(turn))


@_feature
def other_speaker(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*I* for whoever is spoken to, *you* for the speaker."""
    turn = mention.speaking_turn
    return float(mention.turn is not None and turn is not None and person.person == scene.speaker_of(turn.other))


@_feature
def speaker_in_third_person(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*he* or a name inside a quotation, for its speaker."""
    if mention.turn is None or mention.speaking_turn is not None or mention.number == "many":
        return 0.0
    return float(person.person == scene.speaker_of(mention.turn))


# A new person, by the kind of the mention; the memory's own score of one is 0.


@_new_person
def new_name(mention: Cues) -> float:
    """*Jane*."""
    return float(mention.kind == "name")


@_new_person
def new_nominal(mention: Cues) -> float:
    """*the turnkey*."""
    return float(mention.kind == "nominal")


@_new_person
def new_pronoun(mention: Cues) -> float:
    """*she*."""
    return float(mention.kind == "pronoun")


@_new_person
def new_indefinite(mention: Cues) -> float:
    """*an old man*, *nobody*: it brings in somebody."""
    return float(mention.is_indefinite)


FEATURES: Mapping[str, Callable[..., float]] = MappingProxyType({**_FEATURES, **_NEW_PERSON})


def candidate_features(mention: Cues, person: Candidate, scene: Scene) -> FeatureRow:
    """The features of a mention for one candidate that are not 0."""
    return {name: value for name, feature in _FEATURES.items() if (value := feature(mention, person, scene))}


def new_person_features(mention: Cues) -> FeatureRow:
    """The features of a mention for a new person that are not 0."""
    return {name: value for name, feature in _NEW_PERSON.items() if (value := feature(mention))}


def name_relations(name: Name, profiles: Sequence[Profile]) -> list[Relation | None]:
    """How a name goes with the names of each person, seen beside the others.

    A name is exactly that of whoever is usually called so. But a first name belongs to
    everybody who has it: after Jane Bennet and Jane Fairfax, Jane is the exact name of both.
    Where it goes with somebody's own name, relatives of that person are not meant: after
    Elizabeth and Mrs. Bennet, Elizabeth Bennet is not the latter.
    """
    uses = [profile.uses(name) for profile in profiles]
    least = _OWN_SHARE * max(uses, default=0)
    relations: list[Relation | None] = []
    for profile, used in zip(profiles, uses, strict=True):
        found = profile.relation(name)
        if found is Relation.EXACT and used < least:
            found = Relation.SHORTER
        relations.append(found)
    if any(found in _OWN for found in relations):
        relations = [Relation.UNRELATED if found is Relation.FAMILY else found for found in relations]
    shared = name.title is None and len(name.words) == 1
    if shared and Relation.EXACT in relations:
        relations = [
            Relation.EXACT if found is Relation.SHORTER and _is_first_name(name.words[0], profile) else found
            for found, profile in zip(relations, profiles, strict=True)
        ]
    return relations


def _is_first_name(word: str, profile: Profile) -> bool:
    return any(len(known.words) > 1 and known.words[0] == word for known, _ in profile.names)


def _has(person: Candidate, relation: Relation) -> float:
    return float(person.relation is relation and not person.is_renamed)


def _pronouns(mention: Cues, profile: Profile) -> tuple[int, int]:
    """How often a person was mentioned by pronouns of the mention's set, and by those of other sets."""
    if mention.pronoun_set is None:
        return 0, 0
    same = sum(count for known, count in profile.pronouns if known == mention.pronoun_set)
    return same, sum(count for _, count in profile.pronouns) - same


def _certainty(same: int, other: int) -> float:
    """How surely a person is otherwise than a mention says, given how many mentions said either; from 0 to 1.

    A single earlier mention may be of somebody else by mistake: it counts half.
    """
    return max(0, other - same) / (other + same + 1)
