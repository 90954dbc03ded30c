"""Who is in company with whom, or speaks to whom: people as nodes, and edges with weights.

*Company*: two people are mentioned in one sentence, paragraph or chapter; the weight is the
number of those. With a window of words, the weight is the number of pairs of mentions, one
of each, that begin so near to each other. *Speech*: quotations, from who speaks to who is spoken to.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from petra.domain import Person
from petra.english.sentences import paragraph_starts, sentence_starts
from petra.english.words import bare_words
from petra.report.export.format import ExportOptions
from petra.report.export.tracked import TrackedText

Pair = tuple[int, int]  # the ids of two people


@dataclass(frozen=True, kw_only=True, slots=True)
class PeopleNetwork:
    """A network of people."""

    people: tuple[Person, ...]
    quotations: Mapping[int, int]  # that each person speaks
    edges: Mapping[Pair, int]  # with their weights
    is_directed: bool


def people_network(tracked: TrackedText, options: ExportOptions) -> PeopleNetwork:
    """The network of the cast of a text, or of everybody in it."""
    people = tracked.people if options.everybody else tracked.cast
    known = {person.id for person in people}
    spoken = Counter(each.speaker for each in tracked.quotations if each.speaker in known)
    edges: Counter[Pair] = Counter()
    if options.network == "speech":
        for each in tracked.quotations:
            if each.speaker in known and each.addressee in known:
                assert each.speaker is not None
                assert each.addressee is not None
                edges[each.speaker, each.addressee] += 1
    elif isinstance(options.within, int):
        edges.update(_near(people, tracked.text, options.within))
    else:
        edges.update(_together(people, _part_starts(tracked, options.within)))
    return PeopleNetwork(
        people=tuple(people),
        quotations={person.id: spoken[person.id] for person in people},
        edges=dict(sorted(edges.items())),
        is_directed=options.network == "speech",
    )


def _part_starts(tracked: TrackedText, within: str) -> list[int]:
    if within == "chapter":
        return [chapter.start for chapter in tracked.chapters]
    return sentence_starts(tracked.text) if within == "sentence" else paragraph_starts(tracked.text)


def _together(people: Iterable[Person], starts: Sequence[int]) -> Iterator[Pair]:
    """Each pair of people once for each part of the text that mentions both."""
    present: dict[int, set[int]] = {}
    for person in people:
        for mention in person.mentions:
            present.setdefault(bisect_right(starts, mention.start), set()).add(person.id)
    for together in present.values():
        yield from combinations(sorted(together), 2)


def _near(people: Iterable[Person], text: str, words: int) -> Iterator[Pair]:
    """Each pair of people once for each two mentions of them with at most so many words from one to the other."""
    starts = [word.start for word in bare_words(text)]
    places = sorted((bisect_right(starts, each.start), person.id) for person in people for each in person.mentions)
    recent: deque[tuple[int, int]] = deque()
    for place, person in places:
        while recent and place - recent[0][0] > words:
            recent.popleft()
        for _, other in recent:
            if other != person:
                yield min(person, other), max(person, other)
        recent.append((place, person))
