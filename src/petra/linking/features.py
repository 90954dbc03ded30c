"""Compatibility: how well the words of a mention fit a person, as a number to add to the memory's score.

The memory compares vectors and has a feeling for who is meant; words know that Miss
Bennet is not Mr. Bennet. What words say is added to sim_t^i before the softmax of
equation 4, so a weight of w multiplies the odds against a new person by e^w.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petra.english.gender import KIN
from petra.english.names import Name, Relation, titles_conflict
from petra.english.vocabulary import ANYBODY
from petra.linking.cues import Cues, Profile

_OWN = (Relation.FULLER, Relation.NICKNAME, Relation.CALLED, Relation.EXACT)
_OWN_SHARE = 0.25  # of the uses by whoever is called so most: less often, and the name was a slip


@dataclass(frozen=True, kw_only=True, slots=True)
class Weights:
    """How much each kind of evidence counts, in units of the memory's score."""

    exact_name: float = 12.0  # the person goes by this very name, so that hardly a score outweighs it
    called: float = 8.0  # a shorter form of the person's name: Darcy
    fuller: float = 8.0  # a longer form: Robert Fripp after Fripp
    nickname: float = 9.0  # Lizzy, Elizabeth
    family_name: float = 0.5  # the person or a relative: Winnie Verloc after Mr. Verloc
    strange_name: float = -30.0  # the person has other names only
    clashing_name: float = -30.0  # Jane Bennet, Elizabeth Bennet
    other_name: float = 12.0  # Mark Twain after "Samuel Clemens, better known as", whatever the names are
    title_conflict: float = -30.0  # Mr. Bennet, Mrs. Bennet
    gender_conflict: float = -15.0  # at full certainty; less where the person's mentions disagree
    number_conflict: float = -6.0  # at full certainty
    same_phrase: float = 1.5  # the turnkey, the turnkey
    same_kin: float = 6.0  # papa, papa: used like a name
    same_head: float = 1.0  # the old turnkey, the turnkey
    other_kin: float = -3.0  # his aunt, her mother
    other_trade: float = -8.0  # the striker, the referee
    description: float = 10.0  # the judge, Peter Lowe; she was a nurse: for whoever the mention before is of
    narrator: float = 12.0  # I outside quotations, as before, so that hardly a score outweighs it
    own_story: float = -6.0  # a name, he or she outside quotations for the narrator, at full certainty; I for others
    same_speaker: float = 4.0  # I again on one side of an exchange; you on the other
    other_voice: float = -4.0  # I for whoever is spoken to, you for the speaker
    own_speech: float = -4.0  # he or she for the speaker of the quotation
    caller: float = -6.0  # "said he" for whoever is called by name in what is said
    new_name: float = 0.0  # for a new person, by the kind of the mention; the memory's own score of one is 0
    new_nominal: float = 1.0
    new_pronoun: float = 0.0
    new_indefinite: float = 1.5  # a nominal such as "an old man", besides

    def new_person(self, cues: Cues) -> float:
        """What counts for a mention to be of a new person."""
        by_kind = {"name": self.new_name, "nominal": self.new_nominal, "pronoun": self.new_pronoun}
        return by_kind[cues.kind] + self.new_indefinite * cues.is_indefinite


def evidence(
    cues: Cues, profiles: Sequence[Profile], described: Sequence[bool], renamed: Sequence[bool], weights: Weights
) -> list[float]:
    """What the words of a mention say for each of the people that it may be of, who are told by their profiles.

    As its place tells, some of them are described by it, and some are given it as another name.
    """
    relations = _relations(cues.name, profiles) if cues.name else [None] * len(profiles)
    by_relation = {
        None: 0.0,
        Relation.STRANGE: weights.strange_name,
        Relation.FAMILY: weights.family_name,
        Relation.FULLER: weights.fuller,
        Relation.CLASH: weights.clashing_name,
        Relation.NICKNAME: weights.nickname,
        Relation.CALLED: weights.called,
        Relation.EXACT: weights.exact_name,
    }
    return [
        (weights.other_name if is_renamed else by_relation[related])
        + _agreement(cues, profile, weights)
        + _description(cues.head, profile, is_described, weights)
        for related, profile, is_described, is_renamed in zip(relations, profiles, described, renamed, strict=True)
    ]


def _relations(name: Name, profiles: Sequence[Profile]) -> list[Relation | None]:
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
            found = Relation.CALLED
        relations.append(found)
    if any(found in _OWN for found in relations):
        relations = [Relation.STRANGE if found is Relation.FAMILY else found for found in relations]
    shared = name.title is None and len(name.words) == 1
    if shared and Relation.EXACT in relations:
        relations = [
            Relation.EXACT if found is Relation.CALLED and _is_first_name(name.words[0], profile) else found
            for found, profile in zip(relations, profiles, strict=True)
        ]
    return relations


def _is_first_name(word: str, profile: Profile) -> bool:
    return any(len(known.words) > 1 and known.words[0] == word for known, _ in profile.names)


def _agreement(cues: Cues, profile: Profile, weights: Weights) -> float:
    """What titles, gender, number and phrase say."""
    total = weights.title_conflict * _title_conflict(cues.name, profile) if cues.name else 0.0
    if cues.gender is not None:
        counts = (profile.masculine, profile.feminine)
        same, other = counts if cues.gender == "masculine" else counts[::-1]
        total += weights.gender_conflict * _certainty(same, other)
    if cues.number is not None:
        counts = (profile.one, profile.many)
        same, other = counts if cues.number == "one" else counts[::-1]
        total += weights.number_conflict * _certainty(same, other)
    if cues.turn is None and cues.number != "many":
        counts = (profile.tells, profile.told)
        same, other = counts if cues.tells else counts[::-1]
        total += weights.own_story * _certainty(same, other)
    if cues.head is not None:
        kin = KIN.intersection(profile.heads)
        total += weights.same_head * (cues.head in profile.heads)
        total += weights.other_kin * (cues.head in KIN and bool(kin) and cues.head not in kin)
    total += weights.same_kin * (cues.kin is not None and profile.is_kin(cues.kin))
    return total + weights.same_phrase * (cues.phrase is not None and cues.phrase in profile.phrases)


def _description(head: str | None, profile: Profile, is_described: bool, weights: Weights) -> float:
    """What counts for a mention that describes a person, and against one of another trade: the striker, the referee."""
    if is_described:
        return weights.description
    trades = [known for known in profile.heads if known not in ANYBODY | KIN]
    is_other = head is not None and head not in ANYBODY | KIN and bool(trades) and head not in trades
    return weights.other_trade * is_other


def _title_conflict(name: Name, profile: Profile) -> float:
    """How surely the person's titles before this surname say that somebody else is meant, from 0 to 1."""
    alike = [(known, count) for known, count in profile.names if known.words[-1] == name.words[-1]]
    same = sum(count for known, count in alike if known.title == name.title)
    other = sum(count for known, count in alike if titles_conflict(known.title, name.title))
    return max(0.0, other - same) / max(1, other + same)


def _certainty(same: int, other: int) -> float:
    """How surely a person is otherwise than a mention says, given how many mentions said either; from 0 to 1.

    A single earlier mention may be of somebody else by mistake: it counts half.
    """
    return max(0, other - same) / (other + same + 1)
