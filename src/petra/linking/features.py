"""Features of linking: named numbers that compare a mention with a candidate.

A feature is a function of the mention's cues, one candidate and the scene. The first line
of its docstring is an example and its meaning; explanations and docs/linking.md show it.
A model has a weight for each feature (``scorer.py``): a feature of value v adds
weight * v to the candidate's score, which multiplies the odds against a new person by
e^(weight * v). Features are 0 or 1, or between the two where they measure a certainty.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from petra.english.gender import KIN
from petra.english.names import Name, Relation, titles_conflict
from petra.english.vocabulary import ANYBODY
from petra.linking.cues import Cues
from petra.linking.profile import Profile
from petra.linking.scene import Scene

_LOG_HUNDRED = math.log1p(100)
_SURELY = 6.0  # log-odds of one gender, or of two, that are as good as certain
_MOST_CERTAIN = 0.9999
_OWN = (Relation.LONGER, Relation.NICKNAME, Relation.SHORTER, Relation.EXACT)
_MOST_KNOWN = 100  # kinds of mentions whose features are kept
_OWN_SHARE = 0.25  # of the uses by whoever is called so most: less often, and the name was a slip


class Candidate(NamedTuple):
    """A person that a mention may refer to."""

    person: int
    profile: Profile
    relation: Relation | None  # of the mention's name to those of the person, given those of the other candidates
    is_described: bool = False  # the mention stands in apposition to the person's last mention, or is its predicate
    is_renamed: bool = False  # the text gives the mention as another name of the person
    recency: int | None = None  # 0 for the candidate mentioned last, 1 for the one before, and so on
    paragraphs: int = 0  # since the person's last mention
    is_nearest: bool = True  # no candidate was mentioned in a later paragraph


Feature: TypeAlias = Callable[[Cues, Candidate, Scene], float]
ProfileFeature: TypeAlias = Callable[[Cues, Profile], float]  # which nothing but the candidate's profile decides
FeatureRow: TypeAlias = dict[str, float]  # the features that are not 0

Condition: TypeAlias = Callable[[Cues], object]

_ALL: dict[str, Callable[..., float]] = {}  # in the order they are defined in
_FEATURES: dict[str, tuple[Feature, Condition]] = {}
_PROFILE_FEATURES: dict[str, tuple[ProfileFeature, Condition]] = {}
_NEW_PERSON: dict[str, Callable[[Cues], float]] = {}


def _feature(condition: Condition) -> Callable[[Feature], Feature]:
    """A feature that is 0 for every candidate of a mention without the condition, and not asked for then."""

    def registered(function: Feature) -> Feature:
        _ALL[function.__name__] = function
        _FEATURES[function.__name__] = function, condition
        return function

    return registered


def _profile_feature(condition: Condition) -> Callable[[ProfileFeature], ProfileFeature]:
    """The same, of a feature of the candidate's profile alone."""

    def registered(function: ProfileFeature) -> ProfileFeature:
        _ALL[function.__name__] = function
        _PROFILE_FEATURES[function.__name__] = function, condition
        return function

    return registered


def _new_person(function: Callable[[Cues], float]) -> Callable[[Cues], float]:
    _ALL[function.__name__] = _NEW_PERSON[function.__name__] = function
    return function


def _always(mention: Cues) -> bool:
    return True


def _has_name(mention: Cues) -> bool:
    return mention.name is not None


def _has_gender(mention: Cues) -> bool:
    return mention.gender is not None or mention.name_gender != 0


def _is_told_gender(mention: Cues) -> bool:
    return mention.gender is not None


def _has_pronoun_set(mention: Cues) -> bool:
    return mention.pronoun_set is not None


def _has_number(mention: Cues) -> bool:
    return mention.number is not None


def _has_head(mention: Cues) -> bool:
    return mention.head is not None


def _is_narration(mention: Cues) -> bool:
    return mention.turn is None and mention.number != "many"


def _is_you_outside(mention: Cues) -> bool:
    return mention.turn is None and mention.speech == "addressee"


def _is_speaker_beside(mention: Cues) -> bool:
    """Whether the mention stands beside a quotation, as its speaker: "said she"."""
    return mention.turn is None and mention.speaking_turn is not None


def _is_speaker_inside(mention: Cues) -> bool:
    """Whether the mention stands in a quotation, as somebody who takes part: I, you."""
    return mention.turn is not None and mention.speaking_turn is not None


def _is_spoken_of(mention: Cues) -> bool:
    """Whether the mention stands in a quotation, as somebody else."""
    return mention.turn is not None and mention.speaking_turn is None and mention.number != "many"


def _is_told_pronoun(mention: Cues) -> bool:
    """Whether the mention is a third-person pronoun outside of quotations."""
    return mention.turn is None and mention.pronoun_set is not None


def _is_other_pronoun(mention: Cues) -> bool:
    """Whether it is another pronoun: I, you, or one inside a quotation."""
    return mention.kind == "pronoun" and not _is_told_pronoun(mention)


# Names. Where the text gives a name as an alias, ``alias`` replaces the other features of names.


@_feature(_has_name)
def exact_name(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*Darcy* after *Mr. Darcy*: the person goes by this name."""
    return _has(person, Relation.EXACT)


@_feature(_has_name)
def shorter_name(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*Fripp* after *Robert Fripp*: a shorter form of the person's name."""
    return _has(person, Relation.SHORTER)


@_feature(_has_name)
def longer_name(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*Robert Fripp* after *Fripp*: a longer form of the person's name."""
    return _has(person, Relation.LONGER)


@_feature(_has_name)
def nickname(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*Lizzy* after *Elizabeth*: a nickname of the person's name, or the other way round."""
    return _has(person, Relation.NICKNAME)


@_feature(_has_name)
def family_name(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*Winnie Verloc* after *Mr. Verloc*: the person or a relative."""
    return _has(person, Relation.FAMILY)


@_feature(_has_name)
def unrelated_name(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*Jane* after *Lydia*: the person has other names only."""
    return _has(person, Relation.UNRELATED)


@_feature(_has_name)
def conflicting_name(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*Jane Bennet* after *Lydia Bennet*: a name in common, and another that differs."""
    return _has(person, Relation.CLASH)


@_feature(_has_name)
def alias(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*Samuel Clemens, better known as Mark Twain*: the text gives it as another name of the person."""
    return float(person.is_renamed)


@_profile_feature(_has_name)
def title_conflict(mention: Cues, person: Profile) -> float:
    """*Mrs. Bennet* after *Mr. Bennet*: certainty that titles before this surname differ."""
    if mention.name is None:
        return 0.0
    surname = mention.name.words[-1]
    namesakes = [(known, count) for known, count in person.names if known.words[-1] == surname]
    same = sum(count for known, count in namesakes if known.title == mention.name.title)
    other = sum(count for known, count in namesakes if titles_conflict(known.title, mention.name.title))
    return max(0.0, other - same) / max(1, other + same)


# Gender, number and grammatical person; each is the certainty that the person's earlier mentions give.


@_profile_feature(_has_gender)
def gender_conflict(mention: Cues, person: Profile) -> float:
    """*she* after *Mr. Darcy*: certainty that the person is of another gender."""
    return min(1.0, max(0.0, -_same_gender(mention, person)) / _SURELY)


@_profile_feature(_is_told_gender)
def told_gender_conflict(mention: Cues, person: Profile) -> float:
    """*he* after *the landlady*: titles and nouns of the person tell the other gender, and none tells this one."""
    same, other = person.feminine, person.masculine
    if mention.gender == "masculine":
        same, other = other, same
    return float(other > 0 and same == 0)


@_profile_feature(_has_gender)
def gender_agreement(mention: Cues, person: Profile) -> float:
    """*she* after *Mrs. Bennet*: certainty that the person is of the same gender."""
    return min(1.0, max(0.0, _same_gender(mention, person)) / _SURELY)


@_profile_feature(_has_pronoun_set)
def same_pronouns(mention: Cues, person: Profile) -> float:
    """*their* after *they*, *xyr* after *xe*: certainty that the person goes by these pronouns."""
    same, other = _pronouns(mention, person)
    return _certainty(other, same)


@_profile_feature(_has_pronoun_set)
def other_pronouns(mention: Cues, person: Profile) -> float:
    """*her* after *they*: certainty that the person goes by other pronouns."""
    same, other = _pronouns(mention, person)
    return _certainty(same, other)


@_profile_feature(_has_number)
def number_conflict(mention: Cues, person: Profile) -> float:
    """*they* after *Jane*: certainty that one is a person and the other a group."""
    counts = (person.one, person.many)
    return _certainty(*(counts if mention.number == "one" else counts[::-1]))


@_profile_feature(_has_number)
def number_agreement(mention: Cues, person: Profile) -> float:
    """*they* after *the sisters*: certainty that both are a group, or both one person."""
    counts = (person.many, person.one)
    return _certainty(*(counts if mention.number == "one" else counts[::-1]))


@_profile_feature(_is_narration)
def narration_conflict(mention: Cues, person: Profile) -> float:
    """*I* outside quotations for a character, or *she* for the narrator: certainty of the other grammatical person."""
    counts = (person.first_person, person.third_person)
    return _certainty(*(counts if mention.is_narrator else counts[::-1]))


# Nominals.


@_profile_feature(_has_head)
def same_head(mention: Cues, person: Profile) -> float:
    """*the old turnkey* after *the turnkey*: the same head word."""
    return float(mention.head in person.heads)


@_profile_feature(_has_head)
def other_kin(mention: Cues, person: Profile) -> float:
    """*her mother* after *his aunt*: another relation."""
    if mention.head not in KIN:
        return 0.0
    kin = KIN.intersection(person.heads)
    return float(bool(kin) and mention.head not in kin)


@_profile_feature(_has_head)
def same_kin(mention: Cues, person: Profile) -> float:
    """*papa* after *Papa*: a relation used like a name."""
    return float(mention.kin is not None and person.is_kin(mention.kin))


@_profile_feature(_has_head)
def same_phrase(mention: Cues, person: Profile) -> float:
    """*the turnkey* after *the turnkey*: the same definite nominal."""
    return float(mention.phrase is not None and mention.phrase in person.phrases)


@_feature(_always)
def apposition(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*the judge, Peter Lowe,* or *she was a nurse*: an apposition or a predicate of the person's last mention."""
    return float(person.is_described)


@_feature(_has_head)
def other_occupation(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*the referee* after *the striker*: another occupation."""
    if person.is_described or mention.head in ANYBODY or mention.head in KIN:
        return 0.0
    known = [head for head in person.profile.heads if head not in ANYBODY and head not in KIN]
    return float(bool(known) and mention.head not in known)


# Salience.


@_feature(_always)
def last_mentioned(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*he* for the candidate mentioned last."""
    return float(person.recency == 0)


@_feature(_always)
def mentioned_before_last(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*he* for the candidate mentioned last but one."""
    return float(person.recency == 1)


@_profile_feature(_always)
def often_mentioned(mention: Cues, person: Profile) -> float:
    """*she* for the main character: the logarithm of the number of mentions so far, 1 for a hundred."""
    return math.log1p(person.mentions) / _LOG_HUNDRED


@_feature(_is_told_pronoun)
def earlier_paragraph(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*she* for somebody last mentioned in an earlier paragraph than another candidate."""
    return float(not person.is_nearest)


@_feature(_is_told_pronoun)
def paragraphs_since(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*she* some paragraphs after the last mention: the logarithm of their number plus one."""
    return math.log1p(person.paragraphs)


@_feature(_is_other_pronoun)
def paragraphs_since_spoken(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*I*, *you*, or a pronoun in a quotation, some paragraphs after the last mention: the same logarithm."""
    return math.log1p(person.paragraphs)


@_feature(_has_head)
def paragraphs_since_nominal(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*the old man* some paragraphs after the last mention: the same logarithm."""
    return math.log1p(person.paragraphs)


# The scene: narrator, speaker and addressee.


@_feature(lambda mention: mention.is_narrator)
def narrator(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*I* outside quotations, for the narrator so far."""
    return float(person.person == scene.narrator)


@_feature(lambda mention: mention.is_narrator)
def greeted_narrator(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*Dear Ms Eze, I write*: *I* outside quotations, for the one greeted."""
    return float(person.person == scene.greeted)


@_feature(_is_you_outside)
def greeted_addressee(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*Dear Ms Eze, would you*: *you* outside quotations, for the one greeted."""
    return float(person.person == scene.greeted)


@_feature(_is_you_outside)
def addressed_narrator(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*I wrote to you*: *you* outside quotations, for the narrator."""
    return float(person.person == scene.narrator)


@_feature(_is_speaker_beside)
def addressed_speaker(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*“Come, Darcy,” said he*, for Darcy: the speaker is not the addressee."""
    turn = mention.speaking_turn
    return float(turn is not None and scene.addressed == (turn.other, person.person))


@_feature(_is_speaker_inside)
def same_speaker(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*I* again on one side of an exchange, or *you* from the other: the speaker of that side."""
    turn = mention.speaking_turn
    return float(turn is not None and person.person == scene.speaker_of(turn))


@_feature(_is_speaker_inside)
def other_speaker(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*I* for the addressee, *you* for the speaker."""
    turn = mention.speaking_turn
    return float(turn is not None and person.person == scene.speaker_of(turn.other))


@_feature(_is_spoken_of)
def speaker_in_third_person(mention: Cues, person: Candidate, scene: Scene) -> float:
    """*he* or a name inside a quotation, for its speaker: speakers are *I* there."""
    return float(mention.turn is not None and person.person == scene.speaker_of(mention.turn))


# A new person, whose memory score is 0.


@_new_person
def new_name(mention: Cues) -> float:
    """*Jane*: a name, for a new person."""
    return float(mention.kind == "name")


@_new_person
def new_nominal(mention: Cues) -> float:
    """*the turnkey*: a nominal, for a new person."""
    return float(mention.kind == "nominal")


@_new_person
def new_pronoun(mention: Cues) -> float:
    """*she*: a pronoun, for a new person."""
    return float(mention.kind == "pronoun")


@_new_person
def new_indefinite(mention: Cues) -> float:
    """*an old man*, *nobody*: an indefinite nominal, for a new person."""
    return float(mention.is_indefinite)


FEATURES: Mapping[str, Callable[..., float]] = MappingProxyType(_ALL)
_CONDITIONS = tuple(
    dict.fromkeys(condition for _, condition in (*_FEATURES.values(), *_PROFILE_FEATURES.values()))
)  # each once: features share them


def _conditions_met(mention: Cues) -> tuple[bool, ...]:
    """Which of the conditions a mention meets."""
    return tuple([bool(condition(mention)) for condition in _CONDITIONS])


@cache
def _asked(met: tuple[bool, ...]) -> tuple[tuple[str, Feature], ...]:
    """The features of mentions that meet these conditions."""
    kept = {condition for condition, is_met in zip(_CONDITIONS, met, strict=True) if is_met}
    return tuple((name, feature) for name, (feature, condition) in _FEATURES.items() if condition in kept)


@cache
def _asked_of_profiles(met: tuple[bool, ...]) -> tuple[tuple[str, ProfileFeature], ...]:
    """The same, of the features of profiles."""
    kept = {condition for condition, is_met in zip(_CONDITIONS, met, strict=True) if is_met}
    return tuple((name, feature) for name, (feature, condition) in _PROFILE_FEATURES.items() if condition in kept)


def candidate_features(
    mention: Cues, people: Sequence[Candidate], scene: Scene, known: KnownRows | None = None
) -> list[FeatureRow]:
    """The features of a mention that are not 0, for each of its candidates; ``known`` are rows of earlier mentions."""
    met = _conditions_met(mention)
    asked = _asked(met)
    rows = []
    for row, it in zip((KnownRows() if known is None else known).of(mention, people, met), people, strict=True):
        found = row.copy()
        for name, feature in asked:
            if value := feature(mention, it, scene):
                found[name] = value
        rows.append(found)
    return rows


class KnownRows:
    """The features of profiles, worked out once for mentions alike: "she" is compared with the same people again."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], dict[int, tuple[Profile, FeatureRow]]] = {}

    def of(self, mention: Cues, people: Sequence[Candidate], met: tuple[bool, ...]) -> list[FeatureRow]:
        """The features of a mention that the profiles of its candidates decide, given the conditions that it meets."""
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        known = self._known.setdefault(_words_of(mention), {})
        asked = _asked_of_profiles(met)
        rows = []
        for it in people:
            profile, row = known.get(it.person, _NOBODY)
            if profile is not it.profile:
                profile, row = it.profile, {}
                for name, feature in asked:
                    if value := feature(mention, profile):
                        row[name] = value
                known[it.person] = profile, row
            rows.append(row)
        return rows


_NOBODY = (Profile(), FeatureRow())


def _words_of(mention: Cues) -> tuple[object, ...]:
    """All of a mention that the features of profiles look at."""
    return (
        mention.name,
        mention.gender,
        mention.name_gender,
        mention.number,
        mention.pronoun_set,
        mention.head,
        mention.phrase,
        mention.kin,
        mention.is_narrator,
        mention.turn is None,
    )


def new_person_features(mention: Cues) -> FeatureRow:
    """The features of a mention for a new person that are not 0."""
    return {name: value for name, feature in _NEW_PERSON.items() if (value := feature(mention))}


def name_relations(name: Name, profiles: Sequence[Profile]) -> list[Relation | None]:
    """The relation of a name to the names of each person, given those of the others.

    A name is exactly that of whoever is usually called so. But a first name belongs to
    everybody who has it: after Jane Bennet and Jane Fairfax, Jane is the exact name of both.
    Where it goes with somebody's own name, relatives of that person are not meant: after
    Elizabeth and Mrs. Bennet, Elizabeth Bennet is not the latter. A given name of the other gender
    is a relative's: after Mr. Bennet, called Bennet, Elizabeth Bennet is not he.
    """
    uses = [profile.uses(name) for profile in profiles]
    least = _OWN_SHARE * max(uses, default=0)
    relations: list[Relation | None] = []
    for profile, used in zip(profiles, uses, strict=True):
        found = profile.relation(name)
        if found is Relation.EXACT and used < least:
            found = Relation.SHORTER
        if found is Relation.LONGER and _is_of_other_gender(name, profile):
            found = Relation.FAMILY
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


def _is_of_other_gender(name: Name, profile: Profile) -> bool:
    """Whether a name tells the other gender than the titles and nouns of a person."""
    if name.gender is None or profile.masculine == profile.feminine:
        return False
    return (name.gender == "feminine") != (profile.feminine > profile.masculine)


def _is_first_name(word: str, profile: Profile) -> bool:
    return any(len(known.words) > 1 and known.words[0] == word for known, _ in profile.names)


def _has(person: Candidate, relation: Relation) -> float:
    return float(person.relation is relation and not person.is_renamed)


def _same_gender(mention: Cues, person: Profile) -> float:
    """The log-odds that a mention and a person are of one gender; 0 where one of them does not tell."""
    feminine = person.feminine_log_odds
    if mention.gender is not None:
        return feminine if mention.gender == "feminine" else -feminine
    if person.names and mention.name is not None and len(mention.name.words) == 1:
        return 0.0  # "Darcy" after "Mr. Darcy": the names decide
    both = math.tanh(mention.name_gender / 2) * math.tanh(feminine / 2)
    return 2 * math.atanh(max(-_MOST_CERTAIN, min(_MOST_CERTAIN, both)))


def _pronouns(mention: Cues, profile: Profile) -> tuple[int, int]:
    """How often a person was mentioned by pronouns of the mention's set, and by those of other sets."""
    same = sum(count for known, count in profile.pronouns if known == mention.pronoun_set)
    return same, sum(count for _, count in profile.pronouns) - same


def _certainty(same: int, other: int) -> float:
    """The certainty, 0 to 1, that a person differs from a mention.

    ``same`` earlier mentions of the person agree with the mention, ``other`` do not. A single
    earlier mention may have been linked by mistake, so one alone gives 1/2.
    """
    return (other - same) / (other + same + 1) if other > same else 0.0
