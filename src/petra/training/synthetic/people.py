"""People of a synthetic document: what each is called, in every gender, at first and later."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Literal

from petra.corpora.names import Names
from petra.domain import Kind
from petra.training.synthetic.pronouns import PronounSet

PATTERNS_FOLDER = Path(__file__).parent / "patterns"

Style = Literal["given", "full", "title", "initials", "middle", "nickname", "junior", "office"]
_STYLES: Mapping[Style, int] = {  # chosen to look like the news: whole names and given names rule
    "given": 34, "full": 40, "title": 8, "office": 6, "initials": 3, "middle": 4, "nickname": 3, "junior": 2,
}  # fmt: skip
_OFFICES = ("Dr.", "Prof.", "Judge", "Captain", "President", "Senator", "Inspector", "Sergeant", "Professor", "Doctor")
_NICKNAMES = ("Bee", "Ace", "Chip", "Sunny", "Red", "Ziggy", "Buzz", "Scout", "Lucky", "Smiley", "Dot", "Moss", "Spike")
_MASCULINE_ONLY: tuple[Style, ...] = ("junior",)

Shown = Literal["gendered", "open"]  # whether a name or noun gives the gender


@dataclass(frozen=True, kw_only=True, slots=True)
class Culture:
    """Names of one culture."""

    name: str
    family_first: bool
    men: tuple[str, ...]
    women: tuple[str, ...]
    either: tuple[str, ...]
    family: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class PersonaName:
    """A person's name: a given name for each gender, the rest the same for all."""

    givens: tuple[str, str, str]  # for he, for she, for all others
    family: str
    style: Style
    family_first: bool
    later_family: bool  # whether the family name stands alone later
    middle: str  # an initial
    office: str
    nickname: str
    married: bool  # Mrs. rather than Ms.

    def forms(self, pronouns: PronounSet) -> dict[str, str]:
        """Every form of the name, by what the patterns call it."""
        given = of_gender(self.givens, pronouns)
        full = f"{self.family} {given}" if self.family_first else f"{given} {self.family}"
        title = of_gender(("Mr.", "Mrs." if self.married else "Ms.", "Mx."), pronouns)
        family = self.family[0].upper() + self.family[1:]
        first = {
            "given": given,
            "title": f"{title} {self.family}",
            "upper": given.upper(),
            "office": f"{self.office} {full}" if self.married else f"{self.office} {self.family}",
            "initials": f"{given[0]}.{self.middle}. {self.family}",
            "middle": f"{given} {self.middle}. {self.family}",
            "nickname": f'{given} "{self.nickname}" {self.family}',
            "junior": f"{full} Jr." if pronouns.name == "he" else full,
        }.get(self.style, full)
        short = family if self.later_family else given
        if self.style in ("title", "office"):
            short = f"{title if self.style == 'title' else self.office} {self.family}"
        elif self.style == "initials":
            short = family
        elif self.style == "nickname" and not self.later_family:
            short = self.nickname
        elif self.style == "given":
            short = given
        return {
            "first": first,
            "plain": first,
            "intro": first,
            "short": short,
            "again": family if self.later_family else given,
            "full": full,
            "given": given,
            "family": family,
            "families": family + ("es" if family.endswith(("s", "x", "z", "ch", "sh")) else "s"),
            "title": f"{title} {self.family}",
            "upper": given.upper(),
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Noun:
    """A person known by a noun: what it is for each gender, and what is said beside it at first."""

    nouns: tuple[str, str, str]
    adjective: str
    tail: str
    definite: bool

    def forms(self, pronouns: PronounSet) -> dict[str, str]:
        noun = of_gender(self.nouns, pronouns)
        described = f"{self.adjective} {noun}".strip()
        first = f"the {described}" if self.definite else with_article(described)
        return {
            "first": f"{first} {self.tail}".strip(),
            "plain": first,
            "intro": f"the {noun}",
            "short": f"the {noun}",
            "again": f"the {noun}",
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Persona:
    """Somebody who takes part in a document, before the gender is settled."""

    called: PersonaName | Noun
    job: str

    @property
    def kind(self) -> Kind:
        return "name" if isinstance(self.called, PersonaName) else "nominal"

    def forms(self, pronouns: PronounSet) -> dict[str, str]:
        """Every form that a pattern can ask for."""
        return {
            **self.called.forms(pronouns),
            "job": self.job,
            "a_job": with_article(self.job),
            "the_job": f"the {self.job}",
        }


def of_gender(words: tuple[str, str, str], pronouns: PronounSet) -> str:
    """Of words for he, for she and for all others, the one that goes with a set of pronouns."""
    return words[("he", "she").index(pronouns.name)] if pronouns.name in ("he", "she") else words[2]


def with_article(noun: str) -> str:
    """A noun after "a" or "an"."""
    sounds_like_a_vowel = noun[0].lower() in "aeiou" and not noun.startswith(("uni", "eu", "one"))
    return f"{'an' if sounds_like_a_vowel or noun.startswith(('heir', 'hour')) else 'a'} {noun}"


class Casting:
    """Draws people who cannot be mistaken for one another."""

    def __init__(self, names: Names, rng: Random) -> None:
        self._rng = rng
        self._listed = (sorted(names.of("masculine")), sorted(names.of("feminine")), sorted(names.male & names.female))
        self._taken: set[str] = set()

    def start(self) -> None:
        """Forget who took part in the last document."""
        self._taken.clear()

    def named(self, shown: Shown, styles: Collection[Style] = ()) -> Persona:
        """A person with a name; an open name does not tell the gender."""
        rng, culture = self._rng, self._rng.choice(cultures())
        allowed = {it: weight for it, weight in _STYLES.items() if not styles or it in styles}
        if shown == "open":
            allowed = {it: weight for it, weight in allowed.items() if it not in ("title", *_MASCULINE_ONLY)}
        else:
            allowed = {it: weight for it, weight in allowed.items() if it != "initials"}
        style = rng.choices(list(allowed), list(allowed.values()))[0]
        return Persona(
            called=PersonaName(
                givens=self._givens(culture, shown),
                family=self._fresh(culture.family),
                style=style,
                family_first=culture.family_first,
                later_family=rng.random() < 0.4,
                middle=rng.choice("ABCDEFGHJKLMNPRSTW"),
                office=rng.choice(_OFFICES),
                nickname=self._fresh(_NICKNAMES),
                married=shown == "gendered" or rng.random() < 0.5,
            ),
            job=self._fresh(nouns()["jobs"]),
        )

    def noun(self, shown: Shown, *, job: bool = False) -> Persona:
        """A person known by a noun; a job or role never gives the gender."""
        rng = self._rng
        if shown == "gendered":
            drawn = self._fresh(nouns()["gendered"])
            men, women, others = drawn.split("/")
            triple = (men, women, others)
        else:
            drawn = self._fresh(nouns()["jobs"] if job or rng.random() < 0.75 else nouns()["roles"])
            triple = (drawn, drawn, drawn)
        chance = rng.random()
        noun = Noun(
            nouns=triple,
            adjective=self._fresh(nouns()["adjectives"]) if chance < 0.22 else "",
            tail=self._fresh(nouns()["tails"]) if chance > 0.92 else "",
            definite=chance > 0.92 or rng.random() < 0.72,
        )
        return Persona(called=noun, job=triple[0] if job else self._fresh(nouns()["jobs"]))

    def _givens(self, culture: Culture, shown: Shown) -> tuple[str, str, str]:
        listed = self._rng.random() < 0.25 and not culture.family_first
        men, women, either = self._listed if listed else (culture.men, culture.women, culture.either)
        other = self._fresh(either)
        return (self._fresh(men), self._fresh(women), other) if shown == "gendered" else (other, other, other)

    def _fresh(self, words: Sequence[str]) -> str:
        """A word that nobody in this document bears yet."""
        free = [it for it in self._rng.sample(words, min(len(words), 12)) if not self._close(it)]
        drawn = free[0] if free else self._rng.choice(words)
        self._taken.add(drawn)
        return drawn

    def _close(self, word: str) -> bool:
        return any(word == it or word in it.split() or it in word.split() for it in self._taken)


def sharing_family(persona: Persona, other: Persona) -> Persona:
    """The persona with the other's family name; each goes by the given name later."""
    if not isinstance(persona.called, PersonaName) or not isinstance(other.called, PersonaName):
        return persona
    called = replace(
        persona.called, family=other.called.family, family_first=other.called.family_first, later_family=False
    )
    return replace(persona, called=called)


def blocks(name: str) -> dict[str, list[str]]:
    """The lines of a file of the patterns under each heading, without remarks."""
    found: dict[str, list[str]] = {}
    for line in (PATTERNS_FOLDER / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            current = found.setdefault(line[3:].strip(), [])
        elif line.strip() and not line.startswith("#"):
            current.append(line)
    return found


@cache
def cultures() -> tuple[Culture, ...]:
    """Every culture of names.txt."""
    made = []
    for heading, lines in blocks("names.txt").items():
        parts = {key: tuple(it.replace("_", " ") for it in rest.split()) for key, _, rest in map(_split, lines)}
        made.append(
            Culture(
                name=heading.split(" (")[0],
                family_first="(family first)" in heading,
                men=parts["men"],
                women=parts["women"],
                either=parts["either"],
                family=parts["family"],
            )
        )
    return tuple(made)


def _split(line: str) -> tuple[str, str, str]:
    return line.partition(": ")


@cache
def nouns() -> Mapping[str, tuple[str, ...]]:
    """The lists of nouns.txt."""
    return {
        heading: tuple(it.strip() for line in lines for it in line.split("|"))
        for heading, lines in blocks("nouns.txt").items()
    }
