"""Consolidation: who each mention of a whole text is of, decided again with everybody known.

1. Names that are somebody else's are given back, and whoever goes by two roles is divided (``splitting.py``).
2. The narrator is told from those whom the narration tells of (``narrator.py``).
3. People whose names are of one character are joined (``joining.py``).
4. Mentions other than names are decided again: the shares of people who are one by now add up.
5. With the speakers of quotations known, their candidates are ranked (``ranking.py``).

The work is on mentions and people, not on tokens, and linear in the text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from petra.consolidation.cast import Character, make_cast
from petra.consolidation.joining import join_people
from petra.consolidation.narrator import detach_narrator, find_narrator, name_narrator
from petra.consolidation.ranking import Decided, Ranking, learned_weights
from petra.consolidation.splitting import return_names, split_people
from petra.domain import Event
from petra.linking.record import LinkRecord


def consolidate(text: str, events: Sequence[Event], records: Sequence[LinkRecord]) -> list[int]:
    """The person of each mention, by the linker's numbers, given the mentions of a text and the record of each."""
    decided = join(text, events, records)
    people = Ranking(text, events, decided).run(learned_weights())
    return _without_overlaps(events, decided.records, people)


def join(text: str, events: Sequence[Event], records: Sequence[LinkRecord]) -> Decided:
    """All but the last step: people joined, and mentions decided by the shares that add up."""
    records = split_people(text, events, return_names(events, records))
    narrator = find_narrator(records)
    if narrator is not None:
        records, narrator = detach_narrator(records, narrator)
    cast = make_cast(text, events, records)
    of = join_people(cast)
    of = {person: of.get(person, person) for person in cast.characters}
    called = None if narrator is None else name_narrator(records, of, narrator)
    if narrator is not None and called is not None:
        of = {person: called if root == of[narrator] else root for person, root in of.items()}
    shares = [shares_of_people(record, of) for record in records]
    people = [
        of[record.person] if record.cues.kind == "name" else _likeliest(of[record.person], its)
        for record, its in zip(records, shares, strict=True)
    ]
    characters: defaultdict[int, Character] = defaultdict(Character)
    for person, character in cast.characters.items():
        characters[of[person]].add(character)
    return Decided(records, shares, people, of, characters)


def shares_of_people(record: LinkRecord, of: Mapping[int, int]) -> dict[int, float]:
    """The share of everybody that a mention may refer to: those of candidates who are one by now add up."""
    known = of[record.person]
    shares: dict[int, float] = {known: 0.0}
    excluded = {of[person] for person in record.excludes} - {known}
    for person, share in record.shares:
        if of[person] not in excluded:
            shares[of[person]] = shares.get(of[person], 0.0) + share
    if all(person != record.person for person, _ in record.shares):  # a new person
        shares[known] += record.share_of_new
    return shares


def _likeliest(known: int, shares: Mapping[int, float]) -> int:
    """The person with the largest share; of equals the one that linking chose."""
    return max(shares, key=lambda person: (shares[person], person == known))


def _without_overlaps(events: Sequence[Event], records: Sequence[LinkRecord], people: Sequence[int]) -> list[int]:
    """The people of mentions, where one that overlaps another of its person goes back to whom linking chose."""
    decided = list(people)
    open_: list[int] = []  # mentions that later ones may overlap
    for place, event in enumerate(events):
        open_ = [other for other in open_ if events[other].mention.end > event.mention.start]
        for other in open_:
            if decided[other] == decided[place]:
                back = place if records[place].person != decided[place] else other
                decided[back] = records[back].person
        open_.append(place)
    return decided
