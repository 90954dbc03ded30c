"""Splitting: somebody who goes by two roles written like names is two people: "the King", "the Gryphon".

Linking sometimes takes the next creature of a tale for the one before. Such roles are
used like names, so that one person has one of them; a role that mostly is somebody else's
does not belong to somebody with a name either. A mention without a role or name goes with
the last one of its person.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from petra.consolidation.cast import role_of
from petra.domain import Event
from petra.linking.record import LinkRecord

_LEAST_USES = 3  # of each role, by which somebody is divided
_NAMED = ""  # stands for the names of a person beside roles


def split_people(events: Sequence[Event], records: Sequence[LinkRecord]) -> list[LinkRecord]:
    """The records with people of several roles divided; the part that is mentioned first keeps the number."""
    roles = [role_of(record.cues, event.mention.text) for event, record in zip(events, records, strict=True)]
    divided = _divided(records, roles)
    if not divided:
        return list(records)
    numbers: dict[tuple[int, str], int] = {}
    current: dict[int, int] = {}  # the part of each person divided that was mentioned last
    unused = max(record.person for record in records) + 1
    split: list[LinkRecord] = []
    for record, role in zip(records, roles, strict=True):
        person = record.person
        if person in divided:
            its = divided[person]
            key = role if role in its else _NAMED if record.cues.kind == "name" and _NAMED in its else None
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


def _divided(records: Iterable[LinkRecord], roles: Sequence[str | None]) -> dict[int, frozenset[str]]:
    """The roles of people who have several, or a name and the role of somebody else."""
    uses: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for record, role in zip(records, roles, strict=True):
        if role is not None:
            uses[record.person][role] += 1
        elif record.cues.kind == "name":
            uses[record.person][_NAMED] += 1
    in_all = Counter(role for role in roles if role is not None)
    found: dict[int, frozenset[str]] = {}
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
