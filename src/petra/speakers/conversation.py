"""The conversation of a text: its quotations in order, and the mentions in and around each of them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple

from petra.domain import Kind
from petra.english import lexicon
from petra.english.address import is_address
from petra.english.attribution import last_verb
from petra.english.gender import number_of
from petra.english.heads import head_span
from petra.english.quotations import Quotations, QuotedPart
from petra.english.vocabulary import plain, takes_dot
from petra.log.mentions import LogMentions

TurnStep = Literal["reply", "rest", "narration", "paragraph", "far"]

_REACH = 1_000  # characters of narration before and after a quotation that are looked at
_FAR = 3_000  # characters between two quotations that have nothing to do with each other
_SENTENCE = 400  # characters of the sentence before a quotation that are looked at
_OPENS_ADDRESS = frozenset(("my", "dear", "dearest", "good", "old", "poor", "you"))
_PARAGRAPH_END = re.compile(r"\n[^\S\n]*\n\s*")
_SENTENCE_END = re.compile(r"(\S*)[.!?…][”\"’')]*\s+")
_INTRODUCES = re.compile(r"[,:–—-]\s*\Z")  # what ends a sentence that a quotation completes
_GOES_ON = re.compile(r"[\s,;–—-]*[a-z]")  # after a quotation, what is no new sentence
_FIRST = lexicon.words("pronouns", "first") & lexicon.words("pronouns", "one")
_SECOND = lexicon.words("pronouns", "second")
_SUBJECTS = lexicon.words("pronouns", "subject")
_POSSESSIVE = re.compile(r"['’]s?\b|['’](?=\s)")


class Heard(NamedTuple):
    """A mention of a person, as quotations see it."""

    row: int  # of the log's mentions
    start: int
    end: int
    kind: Kind
    person: int
    word: str  # the head word in lower case
    is_oblique: bool  # "his", "him", "Jane's": not who acts


@dataclass(frozen=True, kw_only=True, slots=True)
class Around:
    """Mentions of a stretch of narration: whoever acts in it, nearest to the quotation first, and the others."""

    subjects: tuple[Heard, ...] = ()
    others: tuple[Heard, ...] = ()

    @property
    def all(self) -> tuple[Heard, ...]:
        return self.subjects + self.others


@dataclass(frozen=True, kw_only=True, slots=True)
class Quoted:
    """A quotation, and the mentions in and around it."""

    parts: tuple[QuotedPart, ...]
    is_cued: bool
    is_attributed: bool  # words beside it name a speaker
    named: Heard | None  # the mention that they are, or that has the same words
    first: Counter[int]  # person -> how often as I
    second: Counter[int]  # .. as you
    addressed: tuple[Heard, ...]  # by name, or by a nominal such as "my dear" or "sir"
    third: frozenset[int]  # other people mentioned in it
    signed: Heard | None  # whose name ends it, alone on a line
    tail: Around  # the rest of the sentence after it
    lead: Around  # the sentence before, which it completes
    between: Around  # narration between its parts
    before: Around  # the rest of its paragraph, back to the quotation before
    after: Around  # .. and on to the next one
    earlier: Around  # paragraphs before, back to the quotation before
    step: TurnStep  # from the quotation before
    verb: Heard | None = None  # who says it by a verb in the sentence before: "Tom, who had risen, cried aloud:"

    @property
    def start(self) -> int:
        return self.parts[0].start

    @property
    def end(self) -> int:
        return self.parts[-1].end

    @property
    def ranges(self) -> tuple[tuple[int, int], ...]:
        return tuple((part.start, part.end) for part in self.parts)


class Conversation:
    """The quotations of a text, and what its mentions say about people throughout."""

    def __init__(self, text: str, mentions: LogMentions) -> None:
        self.text = text
        self.mentions = [_heard(text, row, *mention[:3], mention.person) for row, mention in enumerate(mentions)]
        self._starts = [mention.start for mention in self.mentions]
        self._by_phrase: defaultdict[str, list[Heard]] = defaultdict(list)  # words of names and nominals -> mentions
        for mention in self.mentions:
            if mention.kind != "pronoun":
                self._by_phrase[_phrase(text[mention.start : mention.end])].append(mention)
        self._breaks = [found.end() for found in _PARAGRAPH_END.finditer(text)]
        self.has_paragraphs = bool(self._breaks)
        self._groups = tuple(_grouped(parts_of(text)))
        self._part_starts = [part.start for group in self._groups for part in group]
        self._part_ends = [part.end for group in self._groups for part in group]

    @cached_property
    def quotations(self) -> tuple[Quoted, ...]:
        """Every quotation in text order."""
        return tuple(self._quoted(number) for number in range(len(self._groups)))

    @cached_property
    def groups(self) -> frozenset[int]:
        """The people who are several: "they", "the sisters"."""
        many: Counter[int] = Counter()
        for mention in self.mentions:
            many[mention.person] += 1 if number_of(mention.word) == "many" and mention.kind != "name" else -1
        return frozenset(person for person, count in many.items() if count > 0)

    @cached_property
    def narrators(self) -> frozenset[int]:
        """The people who are mostly "I" outside of quotations."""
        told: Counter[int] = Counter()
        for mention in self.mentions:
            if not self.is_quoted(mention.start):
                told[mention.person] += 1 if mention.word in _FIRST else -1
        return frozenset(person for person, count in told.items() if count > 0)

    def is_quoted(self, place: int) -> bool:
        """Whether a place is inside a quotation."""
        index = bisect_right(self._part_starts, place) - 1
        return index >= 0 and place < self._part_ends[index]

    def _quoted(self, number: int) -> Quoted:
        parts = self._groups[number]
        start, end = parts[0].start, parts[-1].end
        reach_back = max(self._end_before(number), start - _REACH)
        reach_on = min(self._start_after(number), end + _REACH)
        opens = max(reach_back, self._paragraph_start(start))
        closes = min(reach_on, self._paragraph_end(end))
        tail_end = end if parts[0].is_cued else self._tail_end(end, closes)
        lead_start = start if parts[0].is_cued else self._lead_start(opens, start)
        inside = [mention for part in parts for mention in self._within(part.start, part.end)]
        addressed = tuple(mention for mention in inside if self._is_addressed(mention, parts))
        first = Counter(mention.person for mention in inside if mention.word in _FIRST)
        second = Counter(mention.person for mention in inside if mention.word in _SECOND)
        aside = {*first, *second, *(mention.person for mention in addressed)}
        return Quoted(
            parts=parts,
            is_cued=parts[0].is_cued,
            is_attributed=any(part.attribution is not None for part in parts),
            named=self._named(parts),
            first=first,
            second=second,
            addressed=addressed,
            third=frozenset(mention.person for mention in inside if mention.person not in aside),
            signed=self._signed(parts, inside),
            tail=self._around(end, tail_end),
            lead=self._around(lead_start, start, nearest_last=True),
            between=_joined([self._around(one.end, other.start) for one, other in pairwise(parts)]),
            before=self._around(opens, lead_start, nearest_last=True),
            after=self._around(tail_end, closes),
            earlier=self._around(reach_back, opens, nearest_last=True),
            step=self._step(number),
            verb=self._by_verb(reach_back, start),
        )

    def _end_before(self, number: int) -> int:
        return self._groups[number - 1][-1].end if number else 0

    def _start_after(self, number: int) -> int:
        return self._groups[number + 1][0].start if number + 1 < len(self._groups) else len(self.text)

    def _paragraph_start(self, place: int) -> int:
        index = bisect_right(self._breaks, place)
        return self._breaks[index - 1] if index else 0

    def _paragraph_end(self, place: int) -> int:
        index = bisect_right(self._breaks, place)
        return self._breaks[index] if index < len(self._breaks) else len(self.text)

    def _tail_end(self, end: int, limit: int) -> int:
        """Where the sentence that goes on after a quotation ends."""
        if not _GOES_ON.match(self.text, end, limit):
            return end
        return next(self._sentence_starts(end, limit), limit)

    def _lead_start(self, limit: int, start: int) -> int:
        """Where the sentence that a quotation completes begins."""
        if not _INTRODUCES.search(self.text[max(limit, start - 5) : start]):
            return start
        return [limit, *self._sentence_starts(limit, start)][-1]

    def _sentence_starts(self, start: int, end: int) -> Iterator[int]:
        for found in _SENTENCE_END.finditer(self.text, start, end):
            if found.end() < end and not (found[1] and takes_dot(found[1].lstrip("“\"‘'("))):
                yield found.end()

    def _within(self, start: int, end: int) -> list[Heard]:
        return self.mentions[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def _around(self, start: int, end: int, *, nearest_last: bool = False) -> Around:
        """The mentions of a stretch of narration; the first of each sentence that may act is a subject."""
        found = [mention for mention in self._within(start, end) if not self.is_quoted(mention.start)]
        if not found:
            return Around()
        edges = [start, *self._sentence_starts(start, end)]
        subjects: dict[int, Heard] = {}
        for mention in found:
            if not mention.is_oblique:
                subjects.setdefault(bisect_right(edges, mention.start), mention)
        ordered = list(subjects.values())
        rest = [mention for mention in found if mention not in ordered]
        if nearest_last:
            ordered.reverse()
            rest.reverse()
        return Around(subjects=tuple(ordered), others=tuple(rest))

    def _by_verb(self, limit: int, start: int) -> Heard | None:
        """Whoever acts nearest before the last verb of saying in the sentence before a quotation."""
        far = start - _SENTENCE
        begin = [max(limit, far), *self._sentence_starts(max(limit, far), start)][-1]
        if begin == limit and _GOES_ON.match(self.text, limit, start):  # it goes with the quotation before
            return None
        verb = last_verb(self.text, begin, start)
        if verb is None:
            return None
        acting = [it for it in self._within(begin, verb) if not it.is_oblique and not self.is_quoted(it.start)]
        return acting[-1] if acting else None

    def _named(self, parts: Sequence[QuotedPart]) -> Heard | None:
        """The mention that the attribution of a quotation names: that of the first part that has one.

        Where the words are no mention of the log, it is the last one before of the same words.
        """
        for part in parts:
            if part.attribution is None:
                continue
            place, subject = part.attribution
            end = place + max(1, len(subject))
            found = [
                mention for mention in self._within(place, end) if mention.end <= end + 1 or mention.start == place
            ]
            if found:
                return min(found, key=lambda mention: (abs(mention.end - end), mention.start))
            same = self._by_phrase.get(_phrase(subject), [])
            if same:
                return same[max(0, bisect_left(same, place, key=lambda mention: mention.start) - 1)]
        return None

    def _is_addressed(self, mention: Heard, parts: Sequence[QuotedPart]) -> bool:
        words = self.text[mention.start : mention.end].lower().split()
        is_call = mention.kind == "nominal" and (len(words) == 1 or words[0] in _OPENS_ADDRESS)
        if mention.kind != "name" and not is_call:
            return False
        start = next(part.start for part in parts if part.start <= mention.start < part.end)
        return is_address(
            self.text[max(start, mention.start - 4) : mention.start], self.text[mention.end : mention.end + 1]
        )

    def _signed(self, parts: Sequence[QuotedPart], inside: Sequence[Heard]) -> Heard | None:
        """The name that a quotation ends with, alone on its last line: the signature of a letter."""
        if not inside or inside[-1].kind != "name":
            return None
        last = inside[-1]
        line = self.text.rfind("\n", parts[0].start, last.start)
        is_alone = line >= 0 and not any(letter.isalnum() for letter in self.text[line : last.start])
        return last if is_alone and not any(map(str.isalnum, self.text[last.end : parts[-1].end])) else None

    def _step(self, number: int) -> TurnStep:
        if not number:
            return "far"
        last, this = self._groups[number - 1][-1], self._groups[number][0]
        if this.start - last.end > _FAR:
            return "far"
        if this.turn == last.turn:
            return "rest"
        if this.turn.exchange == last.turn.exchange:
            return "reply"
        is_one = self._paragraph_start(this.start) <= last.start
        return "narration" if is_one else "paragraph"


def parts_of(text: str) -> list[QuotedPart]:
    """The parts of the quotations of a whole text."""
    quotations = Quotations()
    quotations.feed(text)
    quotations.finish()
    return quotations.take()


def _grouped(parts: Sequence[QuotedPart]) -> Iterator[tuple[QuotedPart, ...]]:
    """The parts of each quotation."""
    group: list[QuotedPart] = []
    for part in parts:
        if group and not part.is_continuation:
            yield tuple(group)
            group = []
        group.append(part)
    if group:
        yield tuple(group)


def _joined(parts: Sequence[Around]) -> Around:
    return Around(
        subjects=tuple(mention for part in parts for mention in part.subjects),
        others=tuple(mention for part in parts for mention in part.others),
    )


def _phrase(words: str) -> str:
    return " ".join(words.lower().split())


def _heard(text: str, row: int, start: int, end: int, kind: Kind, person: int) -> Heard:
    words = text[start:end]
    head_start, head_end = head_span(words)
    word = plain(words[head_start:head_end])
    is_oblique = word not in _SUBJECTS if kind == "pronoun" else _POSSESSIVE.match(text, end) is not None
    return Heard(row, start, end, kind, person, word, is_oblique)
