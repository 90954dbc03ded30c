"""Profiles: the names, genders, nominals and pronouns of one person so far, of bounded size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from petra.english.names import Name, Relation, relation
from petra.linking.cues import Cues

K = TypeVar("K")

SURE = 6.0  # log-odds of a gender that a noun or a title tells
PRONOUN = 3.0  # .. that a pronoun tells, which may be linked by mistake
_MOST_HEADS = 6  # of a person's nominals, the latest
_OWN_SHARE = 0.05  # of the uses of a person's usual name, that make another one the person's own
_MOST_NAMES = 12  # of a person, the most used; so many forms of one name are enough to know it by
_MOST_PHRASES = 4  # of a person, the latest


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
    """Counts over the mentions of a person so far."""

    mentions: int = 0
    names: tuple[tuple[Name, int], ...] = ()  # with how often each was used, in order of appearance
    masculine: int = 0  # titles and nouns that say so
    feminine: int = 0
    name_gender: float = 0.0  # log-odds of a woman by the name that tells most
    one: int = 0
    many: int = 0
    first_person: int = 0  # mentions outside of quotations by I
    third_person: int = 0  # .. and otherwise
    heads: tuple[str, ...] = ()  # of nominals
    phrases: tuple[str, ...] = ()
    kin: tuple[str, ...] = ()
    pronouns: tuple[tuple[str, int], ...] = ()  # third-person pronouns by set ("she", "they"), with how often

    def after(self, cues: Cues) -> Profile:
        """The profile with one more mention."""
        return Profile(
            mentions=self.mentions + 1,
            names=self.names if cues.name is None else _counted(self.names, cues.name),
            masculine=self.masculine + (cues.kind != "pronoun" and cues.gender == "masculine"),
            feminine=self.feminine + (cues.kind != "pronoun" and cues.gender == "feminine"),
            name_gender=max(self.name_gender, cues.name_gender, key=abs),
            one=self.one + (cues.number == "one"),
            many=self.many + (cues.number == "many"),
            first_person=self.first_person + (cues.turn is None and cues.is_narrator),
            third_person=self.third_person + (cues.turn is None and not cues.is_narrator and cues.number != "many"),
            heads=_latest(self.heads, cues.head, _MOST_HEADS),
            phrases=_latest(self.phrases, cues.phrase, _MOST_PHRASES),
            kin=_latest(self.kin, cues.kin, _MOST_PHRASES),
            pronouns=self.pronouns if cues.pronoun_set is None else _counted(self.pronouns, cues.pronoun_set),
        )

    @property
    def feminine_log_odds(self) -> float:
        """The log-odds of a woman rather than a man, by the names, titles, nouns and pronouns so far."""
        counts = dict(self.pronouns)
        by_pronouns = PRONOUN * (counts.get("she", 0) - counts.get("he", 0))
        return self.name_gender + SURE * (self.feminine - self.masculine) + by_pronouns

    def relation(self, name: Name) -> Relation | None:
        """The closest relation of a name to one of the person's own; None for a person without a name.

        Rare names do not count: whoever signs one letter Lydia Wickham is still Lydia Bennet.
        """
        least = _OWN_SHARE * max((count for _, count in self.names), default=0)
        return max((relation(name, known) for known, count in self.names if count >= least), default=None)

    def is_kin(self, kin: str) -> bool:
        """Whether the person was mentioned by a relation used like a name, or by it as a name: "papa", "Papa"."""
        return kin in self.kin or any(name.words == (kin,) for name, _ in self.names)

    def uses(self, name: Name) -> int:
        """How often the person was called by exactly the words of a name."""
        return sum(count for known, count in self.names if known.words == name.words)


def _latest(known: tuple[str, ...], new: str | None, most: int) -> tuple[str, ...]:
    """The latest of some words, each once."""
    return known if new is None else (*(word for word in known if word != new), new)[-most:]


def _counted(known: tuple[tuple[K, int], ...], one: K) -> tuple[tuple[K, int], ...]:
    counts = dict(known)
    counts[one] = counts.get(one, 0) + 1
    if len(counts) > _MOST_NAMES:
        del counts[min(list(counts)[:-1], key=counts.__getitem__)]
    return tuple(counts.items())
