"""The cast: what a whole text says about each person found in it, and the full names that it uses.

Everybody has the number that linking gave. Joining two people adds their counts.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple, TypeAlias, TypeVar

from petra.domain import Event
from petra.english import lexicon
from petra.english.gender import FEMININE_TITLES, MASCULINE_TITLES, Gender, given_name_gender
from petra.english.names import GIVEN_NAME_TITLES, NOBLE_TITLES, Name, full_title
from petra.english.nicknames import related
from petra.english.vocabulary import TITLES, is_capitalised
from petra.linking.cues import Cues
from petra.linking.record import LinkRecord

_K = TypeVar("_K")
PersonPair: TypeAlias = tuple[int, int]  # two people, the lower number first

_OWN_SHARE = 0.1  # of the uses of a person's usual name, that make another one the person's own
_HABIT = 0.2  # of the uses of a given name, that make a form of the full name usual
_NEAR = 500  # characters between names that stand near each other, at most
_SENTENCE = 200  # .. and of one sentence
_COUNTS = ("mentions", "nominals", "masculine", "feminine", "one", "many", "narrated", "narrates", "exchanges")
_ALL_TITLES = lexicon.words("titles")  # also foreign ones, which may be words elsewhere
_GENDERED_TITLES = MASCULINE_TITLES | FEMININE_TITLES
_SENTENCE_END = re.compile(r"[.!?“”\"]|\n\s*\n")


class FullName(NamedTuple):
    """A given name with a surname."""

    first: str
    last: str
    gender: Gender | None  # that the title says, or the given name


@dataclass(kw_only=True, slots=True)
class Character:
    """What is known of a person from all mentions in the text."""

    mentions: int = 0
    names: Counter[Name] = field(default_factory=Counter)
    roles: Counter[str] = field(default_factory=Counter)  # nominals written like names: "the Hatter"
    titles_alone: Counter[str] = field(default_factory=Counter)  # titles without a name: "the Doctor", "Mademoiselle"
    masculine: int = 0  # mentions other than names that say so, or names with a title that does
    feminine: int = 0
    one: int = 0
    many: int = 0
    nominals: int = 0
    narrated: int = 0  # names outside of quotations
    narrates: int = 0  # I outside of quotations
    exchanges: int = 0  # of quotations, in which the person speaks or is spoken to

    def add(self, other: Character) -> None:
        """Take over the counts of another who turned out to be the same."""
        self.names.update(other.names)
        self.roles.update(other.roles)
        self.titles_alone.update(other.titles_alone)
        for each in (
            "mentions",
            "nominals",
            "masculine",
            "feminine",
            "one",
            "many",
            "narrated",
            "narrates",
            "exchanges",
        ):
            setattr(self, each, getattr(self, each) + getattr(other, each))

    def note(self, record: LinkRecord, text: str) -> None:
        """Count one more mention, with its words."""
        cues = record.cues
        if (role := role_of(cues, text)) is not None:
            self.roles[role] += 1
        title = cues.phrase.removeprefix("the ") if cues.phrase is not None else _title_alone(cues.name)
        if title in _ALL_TITLES:
            self.titles_alone[full_title(title)] += 1
        self.mentions += 1
        self.nominals += cues.kind == "nominal"
        self.one += cues.number == "one"
        self.many += cues.number == "many"
        if cues.name is not None and cues.kind == "name":
            self.names[cues.name] += 1
            self.narrated += cues.turn is None
        gender = cues.gender if cues.kind != "name" else _title_gender(cues.name)
        self.masculine += gender == "masculine"
        self.feminine += gender == "feminine"
        self.narrates += cues.is_narrator and cues.turn is None

    @property
    def own_names(self) -> dict[Name, int]:
        """The names that the person goes by: not those used a few times by mistake."""
        by_words: Counter[tuple[str, ...]] = Counter()
        for name, count in self.names.items():
            by_words[name.words] += count
        least = _OWN_SHARE * max(by_words.values(), default=0)
        return {name: count for name, count in self.names.items() if by_words[name.words] >= least}

    @property
    def usual_role(self) -> str | None:
        """The role that stands for a name: used more than once, and more often than names."""
        role, count = self.roles.most_common(1)[0] if self.roles else (None, 0)
        return role if count > max(1, self.names.total()) else None

    @property
    def usual_title(self) -> str | None:
        """The title that stands for a name: used more than once, and for at least half of the names and titles."""
        title, count = self.titles_alone.most_common(1)[0] if self.titles_alone else (None, 0)
        named = sum(uses for name, uses in self.names.items() if _title_alone(name) is None)
        return title if count > max(1, named) else None

    @property
    def gender(self) -> float:
        """From -1, surely a man, to 1, surely a woman."""
        return (self.feminine - self.masculine) / (self.feminine + self.masculine + 1)

    @property
    def is_group(self) -> bool:
        return self.many > self.one


class FullNames:
    """The full names of a text: given names with surnames, and how often each is used.

    A surname is a word that stands alone after a title somewhere; a given name is one that
    is listed as such, or that stands alone without a title. Its gender is that of the
    pronouns of whoever is called by it, or else the one it is listed with. Noble titles go
    with given names, and their bearers go by them: Lady Catherine is not Catherine.
    """

    def __init__(self, names: Iterable[tuple[Name, int]], genders: Mapping[str, Gender]) -> None:
        known = [(name, count) for name, count in names if not name.is_group and name.title not in NOBLE_TITLES]
        alone = {name.words[0] for name, _ in known if len(name.words) == 1 and name.title is None}
        titled = {
            name.words[0]
            for name, _ in known
            if len(name.words) == 1
            and name.title is not None
            and not (name.title in GIVEN_NAME_TITLES and (name.words[0] in alone or given_name_gender(name.words[0])))
        }
        self._surnames = titled | {name.words[-1] for name, _ in known if len(name.words) > 1}
        surnames = titled | alone
        self._uses: Counter[FullName] = Counter()
        self._by_first: defaultdict[str, set[FullName]] = defaultdict(set)
        self._by_last: defaultdict[str, set[FullName]] = defaultdict(set)
        self._titles: defaultdict[str, set[str]] = defaultdict(set)  # of a given name, with or without surname
        self._of_first = Counter[str]()  # the uses of a first word of names
        self._with_title: Counter[tuple[str, str, str]] = Counter()  # title, given name and surname
        self._of_title: defaultdict[str, Counter[str]] = defaultdict(Counter)  # the surnames after a title
        for name, count in known:
            if name.title is not None:
                self._of_title[full_title(name.title)][name.words[-1]] += count
        for name, count in known:
            first, last = name.words[0], name.words[-1]
            self._of_first[first] += count
            is_given = given_name_gender(first) is not None or (first in alone and first not in titled)
            if not TITLES.isdisjoint(name.words[1:]):  # "Miss Bartlett, Miss Honeychurch"
                continue
            if name.title and is_given:
                self._titles[first].add(name.title)
            if len(name.words) > 1 and len(first) > 1 and is_given and first != last and last in surnames:
                by_title = name.gender if name.title in _GENDERED_TITLES else None
                full = FullName(first, last, by_title or genders.get(first) or given_name_gender(first))
                self._uses[full] += count
                if name.title is not None:
                    self._with_title[name.title, first, last] += count
                self._by_first[first].add(full)
                self._by_last[last].add(full)

    def is_given(self, word: str) -> bool:
        """Whether a word that stands alone is a given name and not a surname."""
        return word in self._by_first or (given_name_gender(word) is not None and word not in self._surnames)

    def is_first(self, word: str) -> bool:
        """Whether a word is a given name in full names, and nowhere a surname."""
        return word in self._by_first and word not in self._surnames

    def surnames(self, first: str) -> set[str]:
        """The surnames of a given name."""
        return {full.last for full in self._by_first.get(first, ())}

    def certainty(self, first: str, surname: Name) -> float:
        """How surely somebody called by a given name is who is called by a surname: Lucy, Miss Honeychurch.

        1 if the text has a full name of both, and no other that either could be short for; 0
        if it has none of both.
        """
        gender = surname.gender if surname.title else None
        of_first = self._by_first.get(first, set())
        of_last = {full for full in self._by_last.get(surname.words[-1], set()) if _agree(full.gender, gender)}
        uses = self._total(of_first & of_last)
        if not uses:
            return 0.0
        others = {full for full in of_last if full.first != first and full.first not in related(first)}
        return uses / self._total(of_first) * uses / (uses + self._total(others))

    def told_apart(self, first: str, surname: Name) -> float:
        """The share of a given name's uses that have title and surname: Mr. John Knightley, who is not Mr. Knightley.

        Whoever goes by title, given name and surname is told so from the one who goes by
        title and surname; a use now and then is for formality.
        """
        with_title = self._with_title[surname.title or "", first, surname.words[-1]]
        share = with_title / max(1, self._of_first[first])
        return share if share >= _HABIT else 0.0

    def bearer_share(self, title: str, names: Iterable[Name]) -> float:
        """The share of a title's uses before a name that are before one of these: Doctor Mandelet, of all doctors."""
        surnames = self._of_title.get(title, Counter())
        own = {name.words[-1] for name in names if name.title is not None and full_title(name.title) == title}
        return sum(surnames[surname] for surname in own) / max(1, surnames.total())

    def is_titled(self, first: str, title: str) -> bool:
        """Whether a title stands before the given name somewhere: "Miss Lucy Honeychurch"."""
        return title in self._titles.get(first, ())

    def _total(self, full_names: Iterable[FullName]) -> int:
        return sum(self._uses[full] for full in full_names)


@dataclass(frozen=True, kw_only=True, slots=True)
class Cast:
    """Everybody of a text."""

    characters: dict[int, Character]
    together: Counter[PersonPair]  # how often both are named in one sentence outside of quotations
    nearby: Counter[PersonPair]  # .. and near each other, there or in another sentence
    excluded: Counter[
        PersonPair
    ]  # how often the place of a mention of one excludes the other: "Tom and Mary", "his mother"
    converse: Counter[PersonPair]  # exchanges of quotations in which both take part, on different sides
    full_names: FullNames


def make_cast(text: str, events: Sequence[Event], records: Sequence[LinkRecord]) -> Cast:
    """The cast of a text, given its mentions and the record of each."""
    characters: dict[int, Character] = {}
    excluded: Counter[PersonPair] = Counter()
    for event, record in zip(events, records, strict=True):
        characters.setdefault(record.person, Character()).note(record, event.mention.text)
        excluded.update(pair(record.person, other) for other in record.excludes if other != record.person)
    converse: Counter[PersonPair] = Counter()
    for sides in _exchanges(records).values():
        people = [Counter(side).most_common(1)[0][0] for side in sides.values()]
        for person in set(people):
            characters[person].exchanges += 1
        converse.update({pair(one, other) for one, other in combinations(people, 2) if one != other})
    together, nearby = Counter[PersonPair](), Counter[PersonPair]()
    narrated = ((row, it.person) for row, it in enumerate(records) if it.cues.kind == "name" and it.cues.turn is None)
    for one, other, in_one_sentence in names_nearby(text, events, narrated):
        nearby[pair(one, other)] += 1
        together[pair(one, other)] += in_one_sentence
    names = Counter(record.cues.name for record in records if record.cues.kind == "name" and record.cues.name)
    return Cast(
        characters=characters,
        together=together,
        nearby=nearby,
        excluded=excluded,
        converse=converse,
        full_names=FullNames(names.items(), _given_genders(characters.values())),
    )


def role_of(cues: Cues, text: str) -> str | None:
    """The role that a mention of these words has in place of a name: "the hatter" of "The Hatter"."""
    return cues.phrase if cues.phrase is not None and is_capitalised(text.split()[-1]) and not text.isupper() else None


def pair(one: int, other: int) -> PersonPair:
    return (one, other) if one < other else (other, one)


def names_nearby(text: str, events: Sequence[Event], keyed: Iterable[tuple[int, _K]]) -> Iterator[tuple[_K, _K, bool]]:
    """Keys of names that stand near each other, two at a time, and whether they stand in one sentence.

    Names are given by their rows, in order; each is compared with the last name of every other key.
    """
    latest: dict[_K, int] = {}  # where the last name of each key ends
    for row, key in keyed:
        mention = events[row].mention
        latest = {other: end for other, end in latest.items() if mention.start - end <= _NEAR}
        for other, end in latest.items():
            if other != key and end <= mention.start:
                is_close = mention.start - end <= _SENTENCE
                yield other, key, is_close and not _SENTENCE_END.search(text, end, mention.start)
        latest[key] = mention.end


def _exchanges(records: Iterable[LinkRecord]) -> dict[int, dict[int, list[int]]]:
    """Who is "I" or "you" on each side of each exchange."""
    found: dict[int, dict[int, list[int]]] = {}
    for record in records:
        turn = record.cues.speaking_turn
        if turn is not None:
            found.setdefault(turn.exchange, {}).setdefault(turn.side, []).append(record.person)
    return found


def _given_genders(characters: Iterable[Character]) -> dict[str, Gender]:
    """The gender that pronouns say of those who are called by a word alone."""
    balance: Counter[str] = Counter()
    for character in characters:
        for name in character.own_names:
            if len(name.words) == 1 and name.title is None:
                balance[name.words[0]] += character.feminine - character.masculine
    return {word: "feminine" if count > 0 else "masculine" for word, count in balance.items() if count}


def _title_alone(name: Name | None) -> str | None:
    """The title that a name consists of: "Mademoiselle"."""
    return (
        name.words[0]
        if name is not None and name.title is None and name.words[1:] == () and name.words[0] in _ALL_TITLES
        else None
    )


def _title_gender(name: Name | None) -> Gender | None:
    title = None if name is None else name.title or _title_alone(name)
    if title in MASCULINE_TITLES:
        return "masculine"
    return "feminine" if title in FEMININE_TITLES else None


def _agree(one: Gender | None, other: Gender | None) -> bool:
    return one is None or other is None or one == other
