"""Relatives: "her mother", "Mamma" and "Mrs. Vale" are one person where they are the mother of one daughter.

Whose relative a nominal is, the mention at its beginning tells ("his", "Ada's"), or, of a
word alone in a quotation ("Mother, ..."), the speaker. Of a relative whom everybody has
once, all such mentions vote on who it is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from petra.consolidation.cast import Character
from petra.domain import Event
from petra.english import lexicon
from petra.linking.record import LinkRecord

Relative: TypeAlias = tuple[str, int]  # "mother", and of whom

_PLAIN = {word: plain for plain, others in lexicon.entries("relatives").items() for word in (plain, *others)}
# Set by hand: somebody with a name is elected with ..
_LEAST_VOTES = 2
_LEAST_SHARE = 0.1  # .. of all votes, and ..
_MAJORITY = 0.5  # .. of those for people with names


def relatives_of(
    events: Sequence[Event],
    records: Sequence[LinkRecord],
    people: Sequence[int],
    speaker_of: Callable[[int], int | None],
) -> dict[int, Relative]:
    """What relative of whom a mention is, by the place of the mention."""
    by_start: defaultdict[int, list[int]] = defaultdict(list)
    for place, event in enumerate(events):
        by_start[event.mention.start].append(place)
    found: dict[int, Relative] = {}
    for place, (event, record) in enumerate(zip(events, records, strict=True)):
        word = _PLAIN.get(record.cues.head or "")
        if word is None:
            continue
        inside = [
            people[other]
            for other in by_start[event.mention.start]
            if other != place and events[other].mention.end < event.mention.end
        ]
        if record.cues.kin is not None:
            speaker = speaker_of(place)
            inside = [] if speaker is None else [speaker]
        if inside and inside[0] != people[place]:
            found[place] = (word, inside[0])
    return found


def elect(
    relatives: Mapping[int, Relative], people: Sequence[int], characters: Mapping[int, Character]
) -> dict[Relative, int]:
    """Who each relative is: of those with a name the one with most votes, or else of all."""
    votes: defaultdict[Relative, Counter[int]] = defaultdict(Counter)
    for place, relative in relatives.items():
        votes[relative][people[place]] += 1
    elected: dict[Relative, int] = {}
    for relative, counts in votes.items():
        named = Counter({person: count for person, count in counts.items() if is_named(characters[person])})
        least = max(_LEAST_VOTES, _LEAST_SHARE * counts.total(), _MAJORITY * named.total())
        [(person, count)] = (named or counts).most_common(1)
        elected[relative] = person if count >= least else counts.most_common(1)[0][0]
    return elected


def join_relatives(
    relatives: Mapping[int, Relative], people: Sequence[int], characters: Mapping[int, Character]
) -> dict[int, int]:
    """The person that somebody without a name belongs to, who is mostly spoken of as a relative."""
    elected = elect(relatives, people, characters)
    own: defaultdict[int, Counter[Relative]] = defaultdict(Counter)
    for place, relative in relatives.items():
        own[people[place]][relative] += 1
    found: dict[int, int] = {}
    for person, counts in own.items():
        it = characters[person]
        relative, count = counts.most_common(1)[0]
        other = elected[relative]
        is_relative = not is_named(it) and 2 * counts.total() >= it.nominals and 2 * count >= counts.total()
        if (
            is_relative
            and other != person
            and is_named(characters[other])
            and it.gender * characters[other].gender >= 0
        ):
            found[person] = other
    return found


def is_named(it: Character) -> bool:
    """Whether somebody goes by names, and not only by one or two that stand beside many nominals."""
    return it.names.total() > it.nominals / 2
