"""A text as tokens, sentences and paragraphs, for formats with a line a token.

Tokens are cut where a mention or a part of a quotation begins or ends, so that each is a
row of whole tokens. They hold no white space, and all other characters of the text are in
them. A sentence or a paragraph that would end inside a mention goes on.

Letters: T tokens.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from petra.domain import Mention, Person, Quotation
from petra.english.sentences import CharRange, paragraph_starts, sentence_starts
from petra.english.words import tokens
from petra.report.export.tracked import TrackedText


@dataclass(frozen=True, slots=True)
class TokenMention:
    """A mention as a row of tokens."""

    person: Person
    mention: Mention
    tokens: range


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """The tokens of a text, in sentences and paragraphs."""

    text: str
    tokens: tuple[CharRange, ...]  # (T,)
    sentences: tuple[range, ...]  # of tokens, none empty
    paragraphs: tuple[int, ...]  # of each sentence, from 0
    mentions: tuple[TokenMention, ...]  # in text order, longer ones first

    def word(self, token: int) -> str:
        """The characters of a token."""
        start, end = self.tokens[token]
        return self.text[start:end]

    def words(self, tokens: range) -> str:
        """The words of some tokens, with one space between them."""
        return " ".join(map(self.word, tokens))

    def gap(self, token: int) -> str:
        """The white space after a token."""
        following = self.tokens[token + 1].start if token + 1 < len(self.tokens) else len(self.text)
        return self.text[self.tokens[token].end : following]

    def tokens_in(self, start: int, end: int) -> range:
        """The tokens within the characters start..end."""
        return _tokens_in(self.tokens, start, end)

    def opening(self) -> dict[int, list[TokenMention]]:
        """The mentions that begin at a token, longer ones first."""
        found: dict[int, list[TokenMention]] = {}
        for mention in self.mentions:
            found.setdefault(mention.tokens[0], []).append(mention)
        return found

    def closing(self) -> dict[int, list[TokenMention]]:
        """The mentions that end at a token, shorter ones first."""
        found: dict[int, list[TokenMention]] = {}
        for mention in self.mentions:
            found.setdefault(mention.tokens[-1], []).insert(0, mention)
        return found


def lay_out(tracked: TrackedText) -> Layout:
    """The tokens and sentences of a text."""
    text = tracked.text
    mentions = [(person, mention) for person in tracked.people for mention in person.mentions]
    mentions.sort(key=lambda pair: (pair[1].start, -pair[1].end, pair[0].id))
    found = tuple(_cut(text, _edges([mention for _, mention in mentions], tracked.quotations)))
    covered = _Covered(mention for _, mention in mentions)
    paragraphs = [place for place in paragraph_starts(text) if not covered.has_within(place)]
    breaks = {place for start in sentence_starts(text) if not covered.has_within(place := _with_marks(text, start))}
    starts = [token.start for token in found]
    places = [*(bisect_left(starts, place) for place in sorted(breaks.union(paragraphs))), len(found)]
    sentences = tuple(range(first, last) for first, last in pairwise(places) if first < last)
    placed = ((person, each, _tokens_in(found, each.start, each.end)) for person, each in mentions)
    return Layout(
        text=text,
        tokens=found,
        sentences=sentences,
        paragraphs=tuple(bisect_right(paragraphs, starts[sentence[0]]) - 1 for sentence in sentences),
        mentions=tuple(TokenMention(person, each, tokens) for person, each, tokens in placed if tokens),
    )


def _tokens_in(tokens: Sequence[CharRange], start: int, end: int) -> range:
    first = bisect_left(tokens, (start, start))
    last = bisect_right(tokens, end, lo=first, key=lambda token: token.end)
    return range(first, max(first, last))


def _edges(mentions: Iterable[Mention], quotations: Iterable[Quotation]) -> list[int]:
    edges = {edge for mention in mentions for edge in (mention.start, mention.end)}
    edges.update(edge for quotation in quotations for part in quotation.parts for edge in part)
    return sorted(edges)


def _cut(text: str, edges: Sequence[int]) -> Iterator[CharRange]:
    """The tokens of a text, cut at the edges."""
    place = 0
    for token in tokens(text):
        start, end = token.span()
        while place < len(edges) and edges[place] <= start:
            place += 1
        while place < len(edges) and edges[place] < end:
            yield CharRange(start, edges[place])
            start = edges[place]
            place += 1
        yield CharRange(start, end)


class _Covered:
    """The characters that mentions cover, as ranges in text order."""

    def __init__(self, mentions: Iterable[Mention]) -> None:
        self._ranges: list[CharRange] = []
        for mention in mentions:
            if self._ranges and mention.start < self._ranges[-1].end:
                last = self._ranges.pop()
                self._ranges.append(CharRange(last.start, max(last.end, mention.end)))
            else:
                self._ranges.append(CharRange(mention.start, mention.end))

    def has_within(self, place: int) -> bool:
        """Whether a place lies between two characters of a mention."""
        at = bisect_left(self._ranges, (place, 0)) - 1
        return at >= 0 and self._ranges[at].start < place < self._ranges[at].end


def _with_marks(text: str, place: int) -> int:
    """The start of a sentence, moved before the quotation mark or bracket that opens it."""
    while place > 0 and not text[place - 1].isspace():
        place -= 1
    return place
