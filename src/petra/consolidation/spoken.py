"""What is said: the quotations of a text as the second pass sees them, with people for mentions."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from petra.domain import Event
from petra.linking.record import LinkRecord
from petra.log.mentions import LoggedMention, LogMentions
from petra.speakers.attribute import attribute
from petra.speakers.conversation import Conversation

_NEAR = 300  # characters between a quotation and the words that name its speaker, at most


@dataclass(slots=True)
class Spoken:
    """A quotation, with who speaks, is spoken to and is called by name in it."""

    speaker: int | None = None
    addressee: int | None = None
    called: frozenset[int] = frozenset()
    is_reply: bool = False  # to the quotation before
    first: list[int] = field(default_factory=list)  # the mentions of I
    second: list[int] = field(default_factory=list)  # .. of you
    third: list[int] = field(default_factory=list)  # .. of anybody else, who is not called by name


NOTHING = Spoken()


class SpokenText:
    """The quotations of a text, by number, and the mentions in and beside them."""

    def __init__(
        self, text: str, events: Sequence[Event], records: Sequence[LinkRecord], people: Sequence[int]
    ) -> None:
        mentions = LogMentions.of(
            LoggedMention(
                event.mention.start, event.mention.end, event.mention.kind, 0, person, event.mention.probability
            )
            for event, person in zip(events, people, strict=True)
        )
        found = attribute(Conversation(text, mentions))
        self.quotations: list[Spoken] = []
        self.attributions: dict[int, int] = {}  # mention that names a speaker -> quotation
        called: set[int] = set()
        for number, (quoted, decision, addressee) in enumerate(found):
            called.update(mention.row for mention in quoted.addressed)
            self.quotations.append(
                Spoken(
                    decision.person,
                    addressee,
                    frozenset(mention.person for mention in quoted.addressed),
                    quoted.step == "reply",
                )
            )
            named = quoted.named
            is_near = named is not None and quoted.start - _NEAR <= named.start < quoted.end + _NEAR
            if named is not None and is_near and not any(start <= named.start < end for start, end in quoted.ranges):
                self.attributions.setdefault(named.row, number)
        parts = sorted((*part, number) for number, (quoted, *_) in enumerate(found) for part in quoted.ranges)
        starts = [start for start, _, _ in parts]
        self.of: list[int | None] = []  # the quotation that each mention stands in
        for row, (event, record) in enumerate(zip(events, records, strict=True)):
            place = bisect_right(starts, event.mention.start) - 1
            quotation = parts[place][2] if place >= 0 and event.mention.start < parts[place][1] else None
            self.of.append(quotation)
            if quotation is not None and row not in called:
                it = self.quotations[quotation]
                kinds = {"speaker": it.first, "addressee": it.second}
                (kinds[record.cues.speech] if record.cues.speech else it.third).append(row)

    def at(self, row: int) -> Spoken:
        """The quotation that a mention stands in."""
        number = self.of[row]
        return NOTHING if number is None else self.quotations[number]

    def beside(self, number: int | None, step: int) -> Spoken:
        """The quotation so many before or after one."""
        if number is None or not 0 <= number + step < len(self.quotations):
            return NOTHING
        return self.quotations[number + step]

    def join(self, others: Mapping[int, int]) -> None:
        """Take some people for others."""

        def of(person: int | None) -> int | None:
            return None if person is None else others.get(person, person)

        for it in self.quotations:
            it.speaker, it.addressee = of(it.speaker), of(it.addressee)
            it.called = frozenset(others.get(person, person) for person in it.called)


def people_of(rows: Sequence[int], people: Sequence[int]) -> dict[int, float]:
    """The share of each person of some mentions."""
    counts = Counter(people[row] for row in rows)
    return {person: count / len(rows) for person, count in counts.items()}
