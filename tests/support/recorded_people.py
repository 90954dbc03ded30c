"""Mentions of a text with records of linking, written by hand: for the second pass.

    recorded("Jane met Tom. She smiled.", ("Jane", "name", 1), ("Tom", "name", 2), ("She", "pronoun", 1))

A mark is for the next place where its words stand or, with a ">" before them, for one
inside the last mark without it. The number is the person that linking chose; shares of
the candidates may follow, else the person has all.
"""

from __future__ import annotations

from dataclasses import dataclass

from petra.consolidation.consolidate import consolidate
from petra.domain import Event, Kind, Mention
from petra.linking.context import Context
from petra.linking.record import LinkRecord

Mark = tuple[str, Kind, int] | tuple[str, Kind, int, dict[int, float]]


@dataclass(frozen=True)
class _Span:
    start: int
    end: int
    kind: Kind


def recorded(text: str, *marks: Mark) -> tuple[list[Event], list[LinkRecord]]:
    """The events and records of a text, in text order."""
    spans, outer, end = [], (0, 0), 0
    for words, kind, person, *rest in marks:
        inner = words.startswith(">")
        start = text.index(words.removeprefix(">"), outer[0] if inner else end)
        span = _Span(start, start + len(words.removeprefix(">")), kind)
        if not inner:
            outer, end = (span.start, span.end), span.end
        spans.append((span, person, rest[0] if rest else {person: 1.0}))
    context = Context()
    context.feed(text)
    context.finish()
    events, records, known = [], [], set[int]()
    for span, person, shares in sorted(spans, key=lambda item: (item[0].start, item[0].end)):
        found = context.of(span)
        context.commit(span, person)
        is_new = person not in known
        known.add(person)
        events.append(Event(person, Mention(span.start, span.end, text[span.start : span.end], span.kind, 1.0), is_new))
        best = sorted(shares.items(), key=lambda item: -item[1])
        records.append(
            LinkRecord(
                person=person,
                cues=found.cues,
                excludes=found.excludes,
                shares=tuple(item for item in best if not (is_new and item[0] == person)),
                share_of_new=shares.get(person, 0.0) if is_new else 0.0,
            )
        )
    return events, records


def consolidated(text: str, *marks: Mark) -> list[list[str]]:
    """The mentions of each person after the second pass, people and mentions in text order."""
    events, records = recorded(text, *marks)
    people: dict[int, list[str]] = {}
    for event, person in zip(events, consolidate(text, events, records), strict=True):
        people.setdefault(person, []).append(event.mention.text)
    return list(people.values())
