"""Corrections applied: the people and quotations of a text as somebody who knows it set them right.

People and quotations go in and come out, so that everything made of a corrected text is
made as of any other. An edit that no longer fits (the text has other words at its place,
nobody is mentioned there any more) is left out and told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final, NamedTuple

from petra.domain import Kind, Mention, Offsets, Person, Quotation
from petra.english.kinds import kind_of
from petra.errors import EditError
from petra.log.edits import Edit, EditVerb, Place
from petra.people.naming import name_of

_TELLING: Final[tuple[Kind, ...]] = ("name", "nominal", "pronoun")
_SHOWN = 40  # characters of a quotation that an edit names it by


class Misfit(NamedTuple):
    """An edit that could not be applied."""

    number: int  # among the edits, from 1
    edit: Edit
    reason: str

    def __str__(self) -> str:
        return f"edit {self.number} ({self.edit}) no longer fits: {self.reason}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Corrected:
    """People and quotations after corrections."""

    people: tuple[Person, ...]
    quotations: tuple[Quotation, ...]
    misfits: tuple[Misfit, ...] = ()


def apply_edits(
    text: str, people: Sequence[Person], quotations: Sequence[Quotation], edits: Sequence[Edit]
) -> Corrected:
    """The people and quotations of a text after edits, one after the other; those that do not fit are left out."""
    if not edits:
        return Corrected(people=tuple(people), quotations=tuple(quotations))
    desk = _Desk(text, people, quotations)
    misfits = []
    for number, edit in enumerate(edits, start=1):
        try:
            desk.apply(edit)
        except EditError as error:
            misfits.append(Misfit(number, edit, str(error)))
    return desk.corrected(tuple(misfits))


class Editor:
    """Corrects the people of a text, edit by edit; numbers and places are those of the state that it shows."""

    def __init__(
        self, text: str, people: Sequence[Person], quotations: Sequence[Quotation], edits: Sequence[Edit] = ()
    ) -> None:
        self._text = text
        self.found = tuple(people), tuple(quotations)  # before corrections
        self.edits: tuple[Edit, ...] = tuple(edits)
        self.state = apply_edits(text, people, quotations, self.edits)

    @property
    def people(self) -> tuple[Person, ...]:
        return self.state.people

    @property
    def quotations(self) -> tuple[Quotation, ...]:
        return self.state.quotations

    def merge(self, *people: int) -> Edit:
        """Make one person of several."""
        return self.do(Edit(verb="merge", people=tuple(map(self.anchor, dict.fromkeys(people)))))

    def split(self, mentions: Iterable[Offsets], name: str | None = None) -> Edit:
        """Make a person of some mentions."""
        return self.do(Edit(verb="split", mentions=self._places(mentions), name=name))

    def rename(self, person: int, name: str) -> Edit:
        """Give a person another name."""
        return self.do(Edit(verb="rename", person=self.anchor(person), name=name))

    def delete(self, person: int) -> Edit:
        """Take out a person with all mentions."""
        return self.do(Edit(verb="delete", person=self.anchor(person)))

    def move(self, mentions: Iterable[Offsets], to: int) -> Edit:
        """Give mentions to another person."""
        return self.do(Edit(verb="move", mentions=self._places(mentions), person=self.anchor(to)))

    def remove(self, mentions: Iterable[Offsets]) -> Edit:
        """Say that these places mention nobody."""
        return self.do(Edit(verb="remove", mentions=self._places(mentions)))

    def add(
        self, mentions: Iterable[Offsets], to: int | None = None, *, kind: Kind | None = None, name: str | None = None
    ) -> Edit:
        """Say that these places mention a person, or a new one."""
        person = None if to is None else self.anchor(to)
        return self.do(Edit(verb="add", mentions=self._places(mentions), person=person, kind=kind, name=name))

    def set_speaker(self, quotation: Offsets, person: int | None) -> Edit:
        """Say who says the quotation that lies at a place."""
        return self._of_quotation("speaker", quotation, person)

    def set_addressee(self, quotation: Offsets, person: int | None) -> Edit:
        """Say whom it is said to."""
        return self._of_quotation("addressee", quotation, person)

    def do(self, edit: Edit) -> Edit:
        """Apply an edit, or raise an error if it does not fit."""
        edits = (*self.edits, edit)
        state = apply_edits(self._text, *self.found, edits)
        if state.misfits and state.misfits[-1].number == len(edits):
            raise EditError(state.misfits[-1].reason)
        self.edits, self.state = edits, state
        return edit

    def replace(self, edits: Sequence[Edit]) -> None:
        """Apply these edits instead of those made so far."""
        self.edits = tuple(edits)
        self.state = apply_edits(self._text, *self.found, self.edits)

    def undo(self) -> Edit:
        """Take back the last edit."""
        if not self.edits:
            raise EditError("There is no correction to take back.")
        last = self.edits[-1]
        self.replace(self.edits[:-1])
        return last

    def anchor(self, person: int) -> Place:
        """The mention that edits name a person by: one written as the person is named, else the most telling."""
        for each in self.people:
            if each.id == person:
                chosen = min(each.mentions, key=lambda one: (one.text != each.name, _TELLING.index(one.kind)))
                return Place(chosen.start, chosen.end, chosen.text)
        raise EditError(f"There is no person {person}; there are {len(self.people)}, numbered from 1.")

    def place(self, span: Offsets) -> Place:
        """A place of the text."""
        start, end = span
        if not 0 <= start < end <= len(self._text):
            raise EditError(
                f"The place {start}..{end} is not a part of the text; expected 0 <= start < end <= {len(self._text)}."
            )
        return Place(start, end, self._text[start:end])

    def quotation_place(self, span: Offsets) -> Place:
        """The opening words of the quotation at a place, which edits name it by."""
        found = next((each for each in self.quotations if each.start < span[1] and span[0] < each.end), None)
        if found is None:
            raise EditError(f"No quotation was found at {span[0]}..{span[1]}.")
        return self.place((found.start, min(found.end, found.start + _SHOWN)))

    def _places(self, mentions: Iterable[Offsets]) -> tuple[Place, ...]:
        return tuple(map(self.place, mentions))

    def _of_quotation(self, verb: EditVerb, span: Offsets, person: int | None) -> Edit:
        place = self.quotation_place(span)
        return self.do(Edit(verb=verb, quotation=place, person=None if person is None else self.anchor(person)))


@dataclass(slots=True)
class _Character:
    """A person while edits are applied."""

    mentions: dict[Offsets, Mention]
    found_name: str | None  # as long as the mentions are those found
    given_name: str | None = None
    corrected: bool = False

    @property
    def name(self) -> str:
        if self.given_name or self.found_name:
            return self.given_name or self.found_name or ""
        return name_of(self.mentions[span] for span in sorted(self.mentions))


@dataclass(slots=True)
class _Said:
    """A quotation while edits are applied: whose it is follows a mention, where one is known, else a person."""

    quotation: Quotation
    corrected: bool = False
    roles: dict[EditVerb, tuple[Offsets | None, int | None]] = field(default_factory=dict)  # mention, person


class _Desk:
    """The people and quotations that edits are applied to, people by numbers that stay as they are."""

    def __init__(self, text: str, people: Sequence[Person], quotations: Sequence[Quotation]) -> None:
        self._text = text
        self._people: dict[int, _Character] = {}
        self._owner: dict[Offsets, int] = {}
        self._merged: dict[int, int] = {}  # person -> who took their mentions
        for person in people:
            mentions = {}
            for mention in person.mentions:
                span = mention.start, mention.end
                if self._owner.setdefault(span, person.id) == person.id:
                    mentions[span] = mention
            self._people[person.id] = _Character(mentions, person.name, corrected=person.corrected)
        self._next = max(self._people, default=0) + 1
        self._said = [
            _Said(
                each,
                each.corrected,
                {
                    "speaker": (each.speaker_mention, each.speaker),
                    "addressee": (each.addressee_mention, each.addressee),
                },
            )
            for each in quotations
        ]
        self._actions: dict[EditVerb, Callable[[Edit], None]] = {
            "merge": self._merge,
            "split": self._split,
            "rename": self._rename,
            "delete": self._delete,
            "move": self._move,
            "remove": self._remove,
            "add": self._add,
            "speaker": self._set_role,
            "addressee": self._set_role,
        }

    def apply(self, edit: Edit) -> None:
        """Apply an edit whole, or raise an error before anything is changed."""
        for place in (*edit.people, *edit.mentions, edit.person, edit.quotation):
            if place is not None:
                self._check_words(place)
        self._actions[edit.verb](edit)

    def corrected(self, misfits: tuple[Misfit, ...]) -> Corrected:
        """People numbered anew from 1 in order of first mention, and the quotations that go with them."""
        present = [(min(each.mentions), key, each) for key, each in self._people.items() if each.mentions]
        ids: dict[int, int] = {}
        people = []
        for number, (_, key, each) in enumerate(sorted(present, key=lambda entry: entry[:2]), start=1):
            ids[key] = number
            mentions = tuple(each.mentions[span] for span in sorted(each.mentions))
            people.append(Person(number, each.name, mentions, each.corrected))
        quotations = tuple(self._quotation(said, ids) for said in self._said)
        return Corrected(people=tuple(people), quotations=quotations, misfits=misfits)

    def _quotation(self, said: _Said, ids: dict[int, int]) -> Quotation:
        speaker_at, speaker = self._role(said.roles["speaker"])
        addressee_at, addressee = self._role(said.roles["addressee"])
        return replace(
            said.quotation,
            speaker=None if speaker is None else ids.get(speaker),
            addressee=None if addressee is None else ids.get(addressee),
            speaker_mention=speaker_at,
            addressee_mention=addressee_at,
            probability=1.0 if said.corrected and not said.quotation.corrected else said.quotation.probability,
            corrected=said.corrected,
        )

    def _role(self, role: tuple[Offsets | None, int | None]) -> tuple[Offsets | None, int | None]:
        """Whom a role goes to now: whoever has the mention, else whoever took over the person."""
        span, person = role
        if span is not None and span in self._owner:
            return span, self._owner[span]
        while person in self._merged:
            person = self._merged[person]
        return None, person if person in self._people and self._people[person].mentions else None

    def _merge(self, edit: Edit) -> None:
        keys = list(dict.fromkeys(map(self._person_at, edit.people)))
        if len(keys) < 2:
            raise EditError("they are one person already.")
        first, *others = keys
        kept = self._people[first]
        for key in others:
            other = self._people.pop(key)
            self._merged[key] = first
            kept.given_name = kept.given_name or other.given_name
            self._join(first, other.mentions.values())
        kept.corrected = True

    def _join(self, key: int, mentions: Iterable[Mention]) -> None:
        """Give mentions to a person; of two that overlap the longer stays."""
        mine = self._people[key]
        ordered = sorted((*mine.mentions.values(), *mentions), key=lambda each: (each.start, -each.end))
        mine.mentions = {}
        last: Mention | None = None
        for mention in ordered:
            if last is not None and mention.start < last.end:
                if mention.end - mention.start <= last.end - last.start:
                    self._owner.pop((mention.start, mention.end), None)
                    continue
                del mine.mentions[last.start, last.end]
                self._owner.pop((last.start, last.end), None)
            mine.mentions[mention.start, mention.end] = mention
            self._owner[mention.start, mention.end] = key
            last = mention
        mine.found_name = None

    def _split(self, edit: Edit) -> None:
        spans = [self._mention_at(place) for place in edit.mentions]
        self._check_apart(spans)
        self._hand(spans, self._new_person(edit.name))

    def _rename(self, edit: Edit) -> None:
        assert edit.person is not None
        person = self._people[self._person_at(edit.person)]
        person.given_name, person.corrected = edit.name, True

    def _delete(self, edit: Edit) -> None:
        assert edit.person is not None
        person = self._people.pop(self._person_at(edit.person))
        for span in person.mentions:
            del self._owner[span]

    def _move(self, edit: Edit) -> None:
        assert edit.person is not None
        to = self._person_at(edit.person)
        spans = [self._mention_at(place) for place in edit.mentions]
        self._check_apart(spans)
        self._hand(spans, to)

    def _remove(self, edit: Edit) -> None:
        for place in edit.mentions:
            span = place.start, place.end
            if span in self._owner:  # else it is no mention already
                self._take(span)

    def _add(self, edit: Edit) -> None:
        to = None if edit.person is None else self._person_at(edit.person)
        spans = [(place.start, place.end) for place in edit.mentions]
        self._check_apart(spans)
        if to is None:
            to = self._new_person(edit.name)
        for place in edit.mentions:
            span = place.start, place.end
            old = self._take(span) if span in self._owner else None
            kind = edit.kind or (kind_of(place.text) if old is None else old.kind)
            self._give(to, Mention(place.start, place.end, place.text, kind, 1.0, corrected=True))

    def _set_role(self, edit: Edit) -> None:
        assert edit.quotation is not None
        place = edit.quotation
        person = None if edit.person is None else self._person_at(edit.person)
        exact = (each for each in self._said if each.quotation.start == place.start)
        over = (each for each in self._said if each.quotation.start < place.end and place.start < each.quotation.end)
        said = next(exact, None) or next(over, None)
        if said is None:
            raise EditError(f"no quotation is found at {place.start}..{place.end} any more.")
        span = None if edit.person is None or person is None else (edit.person.start, edit.person.end)
        said.roles[edit.verb] = (span if span in self._owner else None, person)
        said.corrected = True

    def _hand(self, spans: Sequence[Offsets], to: int) -> None:
        for span in spans:
            mention = self._take(span)
            self._give(to, replace(mention, probability=1.0, corrected=True))

    def _take(self, span: Offsets) -> Mention:
        owner = self._people[self._owner.pop(span)]
        owner.found_name = None
        return owner.mentions.pop(span)

    def _give(self, to: int, mention: Mention) -> None:
        """Give a mention to a person, in place of theirs that it overlaps."""
        person = self._people[to]
        over = [span for span in person.mentions if span[0] < mention.end and mention.start < span[1]]
        for span in over:
            self._take(span)
        person.mentions[mention.start, mention.end] = mention
        person.found_name = None
        self._owner[mention.start, mention.end] = to

    def _new_person(self, name: str | None) -> int:
        key = self._next
        self._next += 1
        self._people[key] = _Character({}, None, name, corrected=True)
        return key

    def _person_at(self, place: Place) -> int:
        """The person of the mention at a place; where it has other ends by now, of the one that has most of it."""
        if (owner := self._owner.get((place.start, place.end))) is not None:
            return owner
        shared = {
            span: min(span[1], place.end) - max(span[0], place.start)
            for span in self._owner
            if span[0] < place.end and place.start < span[1]
        }
        if not shared:
            raise EditError(f"nobody is mentioned by {place} any more.")
        return self._owner[max(shared, key=lambda span: (shared[span], span[0] - span[1]))]

    def _mention_at(self, place: Place) -> Offsets:
        """The mention at a place; where it has other ends by now, the only one that lies in it or around it."""
        span = place.start, place.end
        if span in self._owner:
            return span
        around = [
            other
            for other in self._owner
            if (other[0] <= span[0] and span[1] <= other[1]) or (span[0] <= other[0] and other[1] <= span[1])
        ]
        if len(around) != 1:
            raise EditError(f"there is no mention {place} any more.")
        return around[0]

    def _check_words(self, place: Place) -> None:
        if (words := self._text[place.start : place.end]) != place.text:
            raise EditError(
                f"the text has {words!r:.60} at {place.start}..{place.end}, and not {place.text!r:.60}. "
                "It is another text, or it was changed."
            )

    def _check_apart(self, spans: Sequence[Offsets]) -> None:
        ordered = sorted(spans)
        for (_, end), (start, _) in pairwise(ordered):
            if start < end:
                raise EditError("the mentions overlap; mentions of one person stand apart.")
