"""The context of a mention: what the text around it says about its person.

The text arrives in parts. A context keeps the part that mentions still to be linked need,
and the last few mentions.
"""

from __future__ import annotations

import re
from collections import deque
from typing import NamedTuple, Protocol

from petra.domain import Kind
from petra.english.address import LONGEST_GREETING, is_address, is_greeting
from petra.english.aliases import LONGEST, gives_alias, gives_own_alias
from petra.english.paragraphs import Paragraphs
from petra.english.quotations import Quotations
from petra.linking.cues import Cues, read_cues
from petra.text.buffer import TextBuffer

_KEPT = LONGEST  # characters kept before a mention: whether it is addressed, coordinated, apposed or an alias
_AND = re.compile(r"\s(?:and|or|nor|&)\s")  # alone between two mentions: no longer than what is kept
_INDEFINITE = re.compile(r"an?\s", re.IGNORECASE)
_COPULA = re.compile(r",?\s(?:am|is|are|was|were|became|becomes)\s")
_COMMA = re.compile(r",\s{1,2}")
_AFTER_APPOSITION = re.compile(r"[,.;:)—–](?!\s(?:and|or|nor|&)\s)")  # after that comma a list goes on
_LONGEST_AFTER = 6  # characters that show it
_APOSTROPHES = ("'", "’")
_LATEST = 4  # mentions, among which is the one before an "and" or a comma


class MentionPlace(Protocol):
    """A mention in the text: a half-open range of characters, and its kind."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...

    @property
    def kind(self) -> Kind: ...


class MentionContext(NamedTuple):
    """The cues of a mention, and the people that its place in the text excludes or points to."""

    cues: Cues
    paragraph: int = 0  # counted from 0
    excludes: frozenset[int] = frozenset()  # people it cannot refer to, whatever the scores
    describes: frozenset[int] = frozenset()  # people it stands in apposition to, or is the predicate of
    renames: frozenset[int] = frozenset()  # people of whom the text gives it as another name


class _Linked(NamedTuple):
    """A mention whose person is known."""

    start: int
    end: int
    text: str
    kind: Kind
    person: int


class Context:
    """The text around the mentions being linked, its quotations, and the mentions just linked."""

    def __init__(self) -> None:
        self.text = TextBuffer()
        self._quotations = Quotations()
        self._paragraphs = Paragraphs()
        self._latest: deque[_Linked] = deque(maxlen=_LATEST)
        self._near: list[_Linked] = []  # that a later mention may overlap

    @property
    def settled(self) -> int:
        """Mentions that end up to this place may be linked: later text does not change their context."""
        return self._quotations.settled

    def feed(self, text: str) -> None:
        """Read on in the text."""
        self.text.append(text)
        self._quotations.feed(text)
        self._paragraphs.feed(text)

    def finish(self) -> None:
        """The text ends here."""
        self._quotations.finish()

    def of(self, mention: MentionPlace, feminine_log_odds: float | None = None) -> MentionContext:
        """The context of a mention that is about to be linked, with the gender that the model takes from a name."""
        text = self.text.slice(mention.start, mention.end)
        quotation = self._quotations.at(mention.start)
        cues = read_cues(
            text,
            mention.kind,
            quotation,
            attributed=self._quotations.attributed_at(mention.start),
            is_addressed=quotation is not None and self._is_addressed(mention),
            is_greeted=quotation is None and self._is_greeted(mention),
            feminine_log_odds=feminine_log_odds,
        )
        return MentionContext(
            cues,
            paragraph=self._paragraphs.number(mention.start),
            excludes=self._overlapping(mention) | self._coordinated(mention, text),
            describes=self._described(mention, text),
            renames=self._renamed(mention),
        )

    def commit(self, mention: MentionPlace, person: int) -> None:
        """Record the person of a mention."""
        text = self.text.slice(mention.start, mention.end)
        linked = _Linked(mention.start, mention.end, text, mention.kind, person)
        self._latest.append(linked)
        self._near.append(linked)

    def pass_over(self, place: int) -> None:
        """No mention that is still to be linked begins before the place."""
        if self._near:
            self._near = [linked for linked in self._near if linked.end > place]

    def forget_before(self, place: int) -> None:
        """Drop what only mentions that begin before the place would need."""
        self.text.forget_before(max(self.text.start, place - _KEPT))
        self._quotations.forget_before(min(place, self._quotations.settled))
        self._paragraphs.forget_before(place)
        self.pass_over(place)

    def _overlapping(self, mention: MentionPlace) -> frozenset[int]:
        """Mentions of one person never overlap: whoever is "his" in "his mother" is not she."""
        return frozenset(
            other.person for other in self._near if other.start < mention.end and mention.start < other.end
        )

    def _coordinated(self, mention: MentionPlace, text: str) -> frozenset[int]:
        """The people joined to the mention by "and", who differ from its person: Tom for Mary in "Tom and Mary"."""
        if mention.kind == "pronoun" or self.text.slice(mention.end, mention.end + 1) in _APOSTROPHES:
            return frozenset()
        return frozenset(
            other.person
            for other in self._latest
            if self.text.start <= other.end < mention.start
            and _AND.fullmatch(self.text.slice(other.end, mention.start))
            and other.text.lower() != text.lower()
        )

    def _described(self, mention: MentionPlace, text: str) -> frozenset[int]:
        """The people whose apposition or predicate the mention is: "the judge, Peter Lowe,", "she was a nurse"."""
        return frozenset(
            other.person
            for other in self._latest
            if self.text.start <= other.end < mention.start
            and (self._is_apposed(other, mention, text) or self._is_predicate(other, mention))
        )

    def _renamed(self, mention: MentionPlace) -> frozenset[int]:
        """The people to whom the text gives the mention as an alias: "Samuel Clemens, better known as Mark Twain"."""
        if mention.kind != "name":
            return frozenset()
        first = max(self.text.start, mention.start - LONGEST)
        near = [other for other in self._latest if first <= other.end < mention.start]
        if gives_own_alias(self.text.slice(first, mention.start)):
            return frozenset(other.person for other in near[-1:])
        return frozenset(other.person for other in near if gives_alias(self.text.slice(other.end, mention.start)))

    def _is_apposed(self, other: _Linked, mention: MentionPlace, text: str) -> bool:
        """Whether a nominal and a name, or a nominal and "a nurse", have only a comma between and punctuation after."""
        kinds = (other.kind, mention.kind)
        return (
            (
                kinds == ("nominal", "name")
                or (kinds == ("name", "nominal") and " " in text)  # not "Jane, dear,"
                or (kinds == ("nominal", "nominal") and _INDEFINITE.match(text) is not None)
            )
            and _COMMA.fullmatch(self.text.slice(other.end, mention.start)) is not None
            and _AFTER_APPOSITION.match(self.text.slice(mention.end, mention.end + _LONGEST_AFTER)) is not None
        )

    def _is_predicate(self, other: _Linked, mention: MentionPlace) -> bool:
        return mention.kind == "nominal" and _COPULA.fullmatch(self.text.slice(other.end, mention.start)) is not None

    def _is_addressed(self, mention: MentionPlace) -> bool:
        """Whether a name stands between punctuation, as in addressing somebody: "Come, Jane, and sit"."""
        before = self.text.slice(max(self.text.start, mention.start - _KEPT), mention.start)
        after = self.text.slice(mention.end, mention.end + 1)
        opens = self._quotations.opens_at(mention.start)
        return mention.kind == "name" and is_address(before, after, opens=opens)

    def _is_greeted(self, mention: MentionPlace) -> bool:
        """Whether somebody is greeted by a name or noun: "Dear Ms Eze,"."""
        if mention.kind == "pronoun" or mention.start < self.text.start:
            return False
        first = max(self.text.start, mention.start - LONGEST_GREETING)
        before = self.text.slice(first, mention.start)
        if first and "\n" not in before:
            return False
        return is_greeting(before, self.text.slice(mention.end, mention.end + 2))
