"""The people of an article and where it names them, by first names, surnames and the pronouns near them.

Precision comes first: what may be a place, or two people of one surname, is left out.
A person is known by a full name (a listed first name with a surname, or two names of
which the second often stands alone and does what people do), by the title of the
article, or by a first name that is used again and again, as in the plot of a film. A
name on its own then means the one person of the article who bears it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from petra.corpora.names import Names
from petra.english.gender import FEMININE_PRONOUNS, FEMININE_TITLES, MASCULINE_PRONOUNS, MASCULINE_TITLES, Gender
from petra.english.grammar import HUMAN_VERBS
from petra.english.not_people import NOT_ALONE, NOT_GIVEN_NAMES, NOT_PERSON_ENDINGS
from petra.english.sentences import Passage
from petra.english.vocabulary import PARTICLES
from petra.training.data.instances.runs import Run, find_runs

_LEAST_USES = 3  # of a name that is known without a listed first name and surname
_LEAST_DEEDS = 2  # of such a name, before verbs for what people do
_PLACE_SHARE = 0.2  # of the uses of a name, after "in" or "the", make it a place
_TELLING_VOTES = 5  # pronouns that settle a gender the first name leaves open
_LONGEST_NAME = 4
_PLACE_SIGNS = frozenset(("in", "at", "near", "the"))


@dataclass(frozen=True, slots=True)
class ArticlePerson:
    """A person of an article."""

    first: str
    last: str  # empty for one known by the first name alone
    gender: Gender
    sure: bool  # pronouns beside the name agree with the gender

    def may_be(self, other: ArticlePerson) -> bool:
        """Whether two people share a name, so that a reader might take them for one."""
        return bool({self.first, self.last} & {other.first, other.last} - {""})


@dataclass(frozen=True, slots=True)
class Naming:
    """One place where a person is named, in words of a passage."""

    person: ArticlePerson
    words: range  # without a title
    titles: int = 0  # how many words of title stand before


@dataclass(frozen=True, slots=True)
class ArticlePeople:
    """Who is named in the passages of an article."""

    namings: tuple[tuple[Naming, ...], ...]
    about: ArticlePerson | None  # the person the article is about, if its title names one


_Key = tuple[str, str]  # first name and surname


@dataclass(slots=True)
class _Uses:
    """How the names of an article are used."""

    names: Counter[str] = field(default_factory=Counter)
    after_place_sign: Counter[str] = field(default_factory=Counter)
    deeds: Counter[str] = field(default_factory=Counter)  # of the last word of a name
    titles: dict[_Key, set[str]] = field(default_factory=dict)  # of names of two words and more

    def places(self) -> set[str]:
        return {name for name, count in self.after_place_sign.items() if count > _PLACE_SHARE * self.names[name]}

    def does_what_people_do(self, name: str) -> bool:
        return self.deeds[name] >= _LEAST_DEEDS and self.names[name] >= _LEAST_USES


def find_people(title: str, passages: Sequence[Passage], names: Names) -> ArticlePeople:
    """The people of one article and where each passage names them, in the order of the text."""
    runs = [list(find_runs(passage)) for passage in passages]
    uses = _uses([run for each in runs for run in each])
    about = _person_of_title(title, uses)
    known = _known(uses, names, about)
    if about is not None and runs[0]:
        known -= _aliases(runs[0][0], about)
    alone = _borne_alone(known, uses.places(), about)
    keyed = [[(run, _key(run, known, alone)) for run in each] for each in runs]
    votes = _votes(passages, keyed)
    people = {key: person for key in known if (person := _person(key, uses.titles.get(key, set()), votes[key], names))}
    namings = (
        tuple(Naming(people[key], run.words, len(run.titles)) for run, key in each if key in people) for each in keyed
    )
    protagonist = people.get(about) if about is not None else None
    return ArticlePeople(tuple(namings), protagonist if protagonist is not None and protagonist.sure else None)


def _uses(runs: Sequence[Run]) -> _Uses:
    uses = _Uses()
    for run in runs:
        name = " ".join(run.name)
        uses.names[name] += 1
        uses.after_place_sign[name] += run.before in _PLACE_SIGNS and not run.titles
        uses.deeds[run.name[-1]] += run.after in HUMAN_VERBS
        if 1 < len(run.name) <= _LONGEST_NAME:
            uses.titles.setdefault((run.name[0], run.name[-1]), set()).update(run.titles)
    return uses


def _person_of_title(title: str, uses: _Uses) -> _Key | None:
    """The person a title names: "Ada Vale", "Ada Vale (sailor)", "Ada Vale, Countess of Kew"."""
    words = re.split(r" \(|,", title)[0].split()
    if not 1 <= len(words) <= _LONGEST_NAME or not all(it[0].isupper() or it in PARTICLES for it in words):
        return None
    used = uses.names[words[-1]] + uses.names[" ".join(words)] * (len(words) > 1)
    if uses.deeds[words[-1]] < _LEAST_DEEDS or used < _LEAST_USES:
        return None
    return (words[0], words[-1]) if len(words) > 1 else (words[0], "")


def _known(uses: _Uses, names: Names, about: _Key | None) -> set[_Key]:
    """The people of an article."""
    places = uses.places()
    known = {about} if about is not None else set()
    for first, last in uses.titles:
        if first in NOT_GIVEN_NAMES or last in NOT_PERSON_ENDINGS or len(last) == 1 or f"{first} {last}" in places:
            continue
        if first in names or (uses.does_what_people_do(last) and last not in places):
            known.add((first, last))
    taken = NOT_ALONE | NOT_GIVEN_NAMES | places | {part for key in known for part in key}
    return known | {
        (name, "") for name, count in uses.names.items() if count >= _LEAST_USES and name in names and name not in taken
    }


def _aliases(opening: Run, about: _Key) -> set[_Key]:
    """The name an article on a person opens with, where it is another than the title's: "Ada Stone "Nell" Vale"."""
    return {(opening.name[0], opening.name[-1])} - {about} if opening.words[0] == 0 else set()


def _borne_alone(known: set[_Key], places: set[str], about: _Key | None) -> dict[str, _Key]:
    """Whom a name on its own means: its one bearer, or the person the article is about whoever else bears it."""
    bearers: dict[str, list[_Key]] = {}
    for key in known:
        for part in set(key) - places - {""}:
            bearers.setdefault(part, []).append(key)
    alone = {name: keys[0] for name, keys in bearers.items() if len(keys) == 1}
    return alone | ({about[1] or about[0]: about} if about is not None else {})


def _key(run: Run, known: set[_Key], alone: dict[str, _Key]) -> _Key | None:
    """Whom a run names; None where nobody known, or more than one, may be meant."""
    if len(run.name) == 1:
        return alone.get(run.name[0])
    key = (run.name[0], run.name[-1])
    return key if key in known else None


def _votes(
    passages: Sequence[Passage], keyed: Sequence[Sequence[tuple[Run, _Key | None]]]
) -> dict[_Key, Counter[Gender]]:
    """The pronouns in sentences that name one person only, counted by gender for that person."""
    votes: dict[_Key, Counter[Gender]] = defaultdict(Counter)
    for passage, each in zip(passages, keyed, strict=True):
        named: dict[int, set[_Key]] = {}
        for run, key in each:
            if key is not None:
                named.setdefault(passage.sentence_of(run.words), set()).add(key)
        for number, keys in named.items():
            if len(keys) == 1:
                lowers = [passage.words[place].lower for place in passage.sentences[number]]
                count = votes[next(iter(keys))]
                count["masculine"] += sum(word in MASCULINE_PRONOUNS for word in lowers)
                count["feminine"] += sum(word in FEMININE_PRONOUNS for word in lowers)
    return votes


def _person(key: _Key, titles: set[str], votes: Counter[Gender], names: Names) -> ArticlePerson | None:
    """The person of a key, if name, titles and pronouns agree on a gender."""
    genders: set[Gender] = set()
    listed = names.gender(key[0])
    if listed is not None:
        genders.add(listed)
    if titles & FEMININE_TITLES:
        genders.add("feminine")
    if titles & MASCULINE_TITLES:
        genders.add("masculine")
    masculine, feminine = votes["masculine"], votes["feminine"]
    most, least = max(masculine, feminine), min(masculine, feminine)
    sure = most > 2 * least
    if sure:
        genders.add("masculine" if masculine > feminine else "feminine")
    if len(genders) != 1 or (listed is None and most < _TELLING_VOTES):
        return None
    return ArticlePerson(*key, genders.pop(), sure)
