"""Profiles: what a text says about each of its people, in numbers.

A profile counts what was found and guesses nothing: names and pronouns as they are used,
where somebody is present, and with whom.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from petra.domain import KINDS, Kind, Mention, Person, Quotation
from petra.english.chapters import Chapter, find_chapters
from petra.english.sentences import paragraph_starts, sentence_starts
from petra.english.vocabulary import plain
from petra.people.cast import find_cast
from petra.people.naming import Alias, aliases_of

_PARTS = 10  # of a text without chapters


@dataclass(frozen=True, slots=True)
class Companion:
    """Somebody whom a person appears with."""

    id: int
    name: str
    sentences: int  # that mention both
    paragraphs: int


@dataclass(frozen=True, slots=True)
class Addressee:
    """Somebody whom a person speaks to."""

    id: int
    name: str
    quotations: int


@dataclass(frozen=True, kw_only=True, slots=True)
class PersonProfile:
    """A person of a text in numbers."""

    person: Person
    aliases: tuple[Alias, ...]  # other names, the most used first
    kinds: Mapping[Kind, int]  # mentions of each kind that there are
    presence: tuple[int, ...]  # mentions in each chapter or, in a text without chapters, in each tenth of it
    presence_by: Literal["chapter", "tenth"]
    companions: tuple[Companion, ...]  # of the cast, those of the most paragraphs first
    pronouns: Mapping[str, int]  # as they are used for the person, in lower case but for "I", the most used first
    quotations: int  # that the person speaks
    words_spoken: int
    addressees: tuple[Addressee, ...]  # the most addressed first

    @property
    def first(self) -> Mention:
        return self.person.mentions[0]

    @property
    def last(self) -> Mention:
        return self.person.mentions[-1]

    def to_dict(self) -> dict[str, Any]:
        """The profile as plain values."""
        return {
            "id": self.person.id,
            "name": self.person.name,
            "mentions": len(self.person.mentions),
            "kinds": dict(self.kinds),
            "aliases": [{"name": alias.name, "uses": alias.uses} for alias in self.aliases],
            "pronouns": dict(self.pronouns),
            "first": {"start": self.first.start, "end": self.first.end},
            "last": {"start": self.last.start, "end": self.last.end},
            "presence": {"by": self.presence_by, "mentions": list(self.presence)},
            "companions": [
                {"id": each.id, "name": each.name, "sentences": each.sentences, "paragraphs": each.paragraphs}
                for each in self.companions
            ],
            "quotations": self.quotations,
            "words_spoken": self.words_spoken,
            "addressees": [
                {"id": each.id, "name": each.name, "quotations": each.quotations} for each in self.addressees
            ],
        }


class Profiler:
    """Makes profiles of the people of one text, which is divided once for all of them."""

    def __init__(
        self,
        people: Sequence[Person],
        text: str,
        quotations: Iterable[Quotation] = (),
        chapters: Sequence[Chapter] | None = None,
    ) -> None:
        cast = find_cast(people, text)
        self._names = {person.id: person.name for person in people}
        self._spoken: Counter[int] = Counter()  # quotations by speaker
        self._words: Counter[int] = Counter()
        self._spoken_to: dict[int, Counter[int]] = {}
        for quotation in quotations:
            if quotation.speaker is not None:
                self._spoken[quotation.speaker] += 1
                self._words[quotation.speaker] += sum(len(text[a:b].split()) for a, b in quotation.parts)
                if quotation.addressee is not None:
                    self._spoken_to.setdefault(quotation.speaker, Counter())[quotation.addressee] += 1
        self._chapters = find_chapters(text) if chapters is None else chapters
        self._length = len(text)
        self._sentences = _Company(cast, sentence_starts(text))
        self._paragraphs = _Company(cast, paragraph_starts(text))

    def profile(self, person: Person) -> PersonProfile:
        """The profile of one of the people."""
        kinds = Counter(mention.kind for mention in person.mentions)
        return PersonProfile(
            person=person,
            aliases=aliases_of(person.mentions, person.name),
            kinds={kind: kinds[kind] for kind in KINDS if kinds[kind]},
            presence=self._presence(person.mentions),
            presence_by="chapter" if self._chapters else "tenth",
            companions=self._companions(person),
            pronouns=dict(Counter(_spelled(each) for each in person.mentions if each.kind == "pronoun").most_common()),
            quotations=self._spoken[person.id],
            words_spoken=self._words[person.id],
            addressees=tuple(
                Addressee(other, self._names[other], count)
                for other, count in self._spoken_to.get(person.id, Counter()).most_common()
            ),
        )

    def _presence(self, mentions: Iterable[Mention]) -> tuple[int, ...]:
        """The mentions in each part of the text; those before the first chapter are in none."""
        starts = [chapter.start for chapter in self._chapters]
        counts = [0] * (len(starts) or _PARTS)
        for mention in mentions:
            if not starts:
                counts[mention.start * _PARTS // self._length] += 1
            elif mention.start >= starts[0]:
                counts[bisect_right(starts, mention.start) - 1] += 1
        return tuple(counts)

    def _companions(self, person: Person) -> tuple[Companion, ...]:
        sentences, paragraphs = self._sentences.beside(person), self._paragraphs.beside(person)
        found = (Companion(other, self._names[other], sentences[other], count) for other, count in paragraphs.items())
        return tuple(sorted(found, key=lambda each: (-each.paragraphs, -each.sentences, each.id)))


def _spelled(pronoun: Mention) -> str:
    word = plain(pronoun.text)
    return "I" if word == "i" else word


class _Company:
    """Who is mentioned in each part of a text."""

    def __init__(self, people: Iterable[Person], starts: Sequence[int]) -> None:
        self._starts = starts
        self._present: dict[int, set[int]] = {}
        for person in people:
            for place in self._places(person):
                self._present.setdefault(place, set()).add(person.id)

    def beside(self, person: Person) -> Counter[int]:
        """In how many of the parts that mention a person others are mentioned."""
        present = (self._present.get(place, set()) for place in self._places(person))
        return Counter(other for others in present for other in others if other != person.id)

    def _places(self, person: Person) -> set[int]:
        return {bisect_right(self._starts, mention.start) for mention in person.mentions}
