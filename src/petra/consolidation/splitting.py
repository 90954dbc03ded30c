"""Splitting: somebody who goes by what is of two people is two people.

Linking sometimes takes the next person for the one before, and never takes it back. Of two people are

- two roles written like names, "the King" and "the Gryphon", each used like a name;
- a name and a role that mostly is somebody else's;
- names of both genders, "Mr. Pontellier" and "Edna";
- one title before two surnames, "Mr. Hall" and "Mr. Henfrey";
- two given names that stand in one sentence, "Lucy looked at Charlotte".

Each of them is the key of a part. A mention without a key goes with the last part of its person.
A name that is somebody else's is given back before: "Oak", of somebody called Bathsheba.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from petra.consolidation.cast import names_nearby, role_of
from petra.domain import Event
from petra.english.gender import Gender, given_name_gender
from petra.english.names import Name, Relation, relation
from petra.english.nicknames import related
from petra.linking.record import LinkRecord

_LEAST_USES = 3  # of each role or name, by which somebody is divided
_LEAST_SHARE = 0.05  # of a person's names, that make a gender or a surname more than a slip
_NAMED = ""  # stands for the names of a person beside roles
_AROUND = 50  # mentions before and after one that may overlap it
_USUAL = 0.2  # of a person's names: what the person is usually called
_LEAST_TOGETHER = 2  # sentences that have two given names of one person: a single one may give an alias

Key: TypeAlias = str
Uses: TypeAlias = dict[int, Counter[Name]]  # the names of each person


class _Parts(NamedTuple):
    """What divides a person: the roles, genders, surnames or given names that are the keys of its parts."""

    by: str
    keys: frozenset[Key]


def return_names(events: Sequence[Event], records: Sequence[LinkRecord]) -> list[LinkRecord]:
    """The records with names given to whom they belong, of people whose usual names have nothing to do with them."""
    uses = _names(records)
    owners: dict[Name, int] = {}  # who goes by each name most often
    for person, its in uses.items():
        for name, count in its.items():
            if name not in owners or count > uses[owners[name]][name]:
                owners[name] = person
    strange = {
        (person, name): owners[name]
        for person, its in uses.items()
        for name, count in its.items()
        if uses[owners[name]][name] > count and name in _usual(uses[owners[name]]) and _is_strange(name, its)
    }
    returned = list(records)
    for place, record in enumerate(records):
        owner = strange.get((record.person, record.cues.name)) if record.cues.name is not None else None
        if owner is not None and all(
            owner not in (records[other].person, returned[other].person) for other in _overlapping(events, place)
        ):
            returned[place] = record._replace(person=owner)
    return returned


def _overlapping(events: Sequence[Event], place: int) -> Iterator[int]:
    """The mentions that overlap one."""
    own = events[place].mention
    for other in range(max(0, place - _AROUND), min(len(events), place + _AROUND + 1)):
        mention = events[other].mention
        if other != place and mention.start < own.end and own.start < mention.end:
            yield other


def split_people(text: str, events: Sequence[Event], records: Sequence[LinkRecord]) -> list[LinkRecord]:
    """The records with such people divided; the part that is mentioned first keeps the number."""
    roles = [role_of(record.cues, event.mention.text) for event, record in zip(events, records, strict=True)]
    names = _names(records)
    divided = {
        **{person: _Parts("given name", keys) for person, keys in _by_given_name(text, events, records).items()},
        **{person: _Parts("role", keys) for person, keys in _by_role(records, roles).items()},
        **{person: _Parts("surname", keys) for person, keys in _by_surname(names).items()},
        **{person: _Parts("gender", keys) for person, keys in _by_gender(names).items()},
    }
    if not divided:
        return list(records)
    numbers: dict[tuple[int, Key], int] = {}
    current: dict[int, int] = {}  # the part of each person divided that was mentioned last
    unused = max(record.person for record in records) + 1
    split: list[LinkRecord] = []
    for record, role in zip(records, roles, strict=True):
        person = record.person
        key = _key(record, role, divided[person]) if person in divided else None
        if key is not None:
            if (person, key) not in numbers:
                is_first = all(known != person for known, _ in numbers)
                numbers[person, key] = person if is_first else unused
                unused += not is_first
            current[person] = numbers[person, key]
        split.append(
            record._replace(
                person=current.get(person, person),
                shares=tuple((current.get(each, each), share) for each, share in record.shares),
                excludes=frozenset(current.get(each, each) for each in record.excludes),
            )
        )
    return split


def _key(record: LinkRecord, role: str | None, parts: _Parts) -> Key | None:
    """The part of its person that a mention is of, by its words."""
    cues = record.cues
    name = cues.name if cues.kind == "name" else None
    if parts.by == "gender":
        return cues.gender if name is None else _gender(name)
    if parts.by == "surname":
        return name.words[-1] if name is not None and name.words[-1] in parts.keys else None
    if parts.by == "given name":
        given = None if name is None else _given(name)
        return given if given in parts.keys else None
    if role in parts.keys:
        return role
    return _NAMED if name is not None and _NAMED in parts.keys else None


def _names(records: Iterable[LinkRecord]) -> Uses:
    found: defaultdict[int, Counter[Name]] = defaultdict(Counter)
    for record in records:
        if record.cues.kind == "name" and record.cues.name is not None and not record.cues.name.is_group:
            found[record.person][record.cues.name] += 1
    return dict(found)


def _by_role(records: Iterable[LinkRecord], roles: Sequence[str | None]) -> dict[int, frozenset[Key]]:
    """The roles of people who have several, or a name and the role of somebody else."""
    uses: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for record, role in zip(records, roles, strict=True):
        if role is not None:
            uses[record.person][role] += 1
        elif record.cues.kind == "name":
            uses[record.person][_NAMED] += 1
    in_all = Counter(role for role in roles if role is not None)
    found: dict[int, frozenset[Key]] = {}
    for person, counts in uses.items():
        usual = {role: count for role, count in counts.items() if count >= _LEAST_USES}
        named = usual.pop(_NAMED, 0)
        heads = {role.split()[-1] for role in usual}
        others = {role for role, count in usual.items() if named and 2 * count < in_all[role]}
        if len(heads) > 1:
            found[person] = frozenset(usual) | ({_NAMED} if named else set())
        elif others:
            found[person] = frozenset(others | {_NAMED})
    return found


def _by_gender(names: Uses) -> dict[int, frozenset[Key]]:
    """Both genders, of people with a title that tells one and titles or given names that tell the other.

    A given name that stands after a title of the other gender somewhere in the text says nothing,
    and given names alone divide nobody: somebody may have borne both.
    """
    titled = {(name.words[0], name.gender) for uses in names.values() for name in uses if name.has_gendered_title}
    found: dict[int, frozenset[Key]] = {}
    for person, uses in names.items():
        counts: Counter[Gender] = Counter()
        for name, count in uses.items():
            gender = _gender(name)
            opposite: Gender = "masculine" if gender == "feminine" else "feminine"
            if gender is not None and (name.has_gendered_title or (name.words[0], opposite) not in titled):
                counts[gender] += count
        has_title = any(name.has_gendered_title for name in uses)
        if has_title and len(counts) == 2 and _is_usual(min(counts.values()), counts.total()):
            found[person] = frozenset(counts)
    return found


def _by_surname(names: Uses) -> dict[int, frozenset[Key]]:
    """The surnames of people who have several after the same title."""
    found: dict[int, frozenset[Key]] = {}
    for person, uses in names.items():
        by_title: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for name, count in uses.items():
            if name.title is not None and (len(name.words) > 1 or given_name_gender(name.words[0]) is None):
                by_title[name.title][name.words[-1]] += count
        for surnames in by_title.values():
            usual = {word for word, count in surnames.items() if _is_usual(count, uses.total())}
            if len(usual) > 1:
                found[person] = found.get(person, frozenset()) | usual
    return found


def _by_given_name(text: str, events: Sequence[Event], records: Sequence[LinkRecord]) -> dict[int, frozenset[Key]]:
    """The given names of people who have several that sentences tell apart, and that are no forms of each other."""
    names = [None if it.cues.kind != "name" or it.cues.name is None else _given(it.cues.name) for it in records]
    keyed = [(row, (records[row].person, given)) for row, given in enumerate(names) if given is not None]
    uses: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for _, (person, given) in keyed:
        uses[person][given] += 1
    together: Counter[tuple[int, frozenset[str]]] = Counter()
    for (person, one), (same, other), in_one_sentence in names_nearby(text, events, keyed):
        if in_one_sentence and person == same and one not in related(other):
            together[person, frozenset((one, other))] += 1
    found: dict[int, frozenset[Key]] = {}
    for (person, both), count in together.items():
        its = uses[person]
        if count >= _LEAST_TOGETHER and all(_is_usual(its[each], its.total()) for each in both):
            found[person] = found.get(person, frozenset()) | both
    return found


def _given(name: Name) -> str | None:
    """The given name that a name without a title opens with; of one word the word."""
    return name.words[0] if name.title is None and not name.is_group and name.words else None


def _is_strange(name: Name, uses: Counter[Name]) -> bool:
    """Whether a name has nothing to do with what somebody is usually called."""
    usual = _usual(uses)
    unlike = (Relation.UNRELATED, Relation.CLASH)
    return bool(usual) and name not in usual and all(relation(name, other) in unlike for other in usual)


def _usual(uses: Counter[Name]) -> set[Name]:
    """What somebody is usually called."""
    return {name for name, count in uses.items() if count >= _USUAL * uses.total()}


def _gender(name: Name) -> Gender | None:
    """The gender that a title tells or, without a title, a listed given name."""
    if name.has_gendered_title:
        return name.gender
    return given_name_gender(name.words[0]) if name.title is None else None


def _is_usual(uses: int, of: int) -> bool:
    return uses >= max(_LEAST_USES, _LEAST_SHARE * of)
