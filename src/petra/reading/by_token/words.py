"""The written words of a text, put together from tokens.

Tokenizers differ in what they call a word: some cut "O'Neil's" into four, others
keep the comma after it. Written words are what a reader sees: letters and digits
in a row, with the apostrophes, hyphens and dots that belong to them (O'Neil,
Jean-Luc, J.R.R., Mr.). A possessive or contracted ending ('s, 'll) hangs on its
word but is no part of it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from petra.english.vocabulary import CLITICS, NAMELESS_ENDINGS, is_caseless, is_pronoun, takes_dot
from petra.reading.by_token.decisions import Decision
from petra.text.buffer import TextBuffer

_APOSTROPHES = ("'", "’")
_HYPHENS = ("-", "‐", "‑")
_JOINTS = ("", ".", *_APOSTROPHES, *_HYPHENS)  # what may stand between two parts of a word
_JOINERS = "\u00ad\u200c\u200d\u2060"  # invisible inside a word: soft hyphen, (non-)joiners
_MOST_PARTS = 8  # of one word, so that a text without spaces is not one endless word


@dataclass(frozen=True, slots=True)
class Word:
    """One written word and what the memory decided on its tokens."""

    start: int
    end: int
    text: str
    gap: str  # what lies between the word before, with its ending, and this one
    has_ending: bool  # a 's or 'll follows
    decisions: tuple[Decision, ...]  # of its tokens and its ending's
    gap_decisions: tuple[Decision, ...]  # of the tokens in the gap


@dataclass(slots=True)
class _Part:
    """Letters and digits in a row, within one word of the tokenizer."""

    start: int
    end: int
    number: int  # of the tokenizer's word
    before: list[tuple[int, Decision]]  # on tokens without a letter since the last part, with their places
    decisions: list[Decision] = field(default_factory=list)


@dataclass(slots=True)
class _OpenWord:
    """A written word that the next part may still belong to."""

    start: int
    end: int
    gap: str  # before it
    gap_decisions: list[Decision]
    decisions: list[Decision]
    parts: int = 1
    ending: int | None = None  # where its 's or 'll ends, if it has one

    @property
    def reach(self) -> int:
        return self.end if self.ending is None else self.ending


class WordReader:
    """Puts words together from the tokens of a text in order.

    A word comes out when the next one has begun, so what comes out depends on the
    tokens alone and not on how they were cut into parts.
    """

    def __init__(self, text: TextBuffer) -> None:
        self._text = text
        self._part: _Part | None = None
        self._word: _OpenWord | None = None
        self._loose: list[tuple[int, Decision]] = []
        self._last_end = 0  # of the last word that came out, with its ending

    @property
    def needs_from(self) -> int:
        """The place from which on the text is still needed."""
        return self._last_end if self._word is None else self._word.start

    def read(self, start: int, end: int, number: int, decision: Decision | None) -> Iterator[Word]:
        """The word finished by a token, if any."""
        inside = self._part is not None and start <= self._part.end
        runs = _runs(self._text.slice(start, end), inside)
        if not runs and decision is not None:
            self._loose.append((start, decision))
        for first, last in runs:
            part = self._part
            if part is not None and self._extends(part, start + first, start + last, number):
                part.end = max(part.end, start + last)
            else:
                begin = start + first if part is None else max(part.end, start + first)
                yield from self._finish_part()
                yield from self._finish_word(begin)
                self._part = part = _Part(begin, start + last, number, self._loose)
                self._loose = []
            if decision is not None:
                part.decisions.append(decision)
                decision = None  # a token over several words counts for its first

    def finish(self) -> Iterator[Word]:
        """The word still open at the end of the text."""
        yield from self._finish_part()
        if self._word is not None:
            rest = self._text.slice(self._word.reach, self._text.end)
            yield self._close(self._word, rest, self._loose)

    def _extends(self, part: _Part, start: int, end: int, number: int) -> bool:
        """Whether letters belong to the open part: the same word of the tokenizer, or no letter of their own."""
        # Tokens for the bytes of one character all cover it; a mark goes with its letter.
        return end <= part.end or (
            start <= part.end and (number == part.number or not self._text.slice(start, start + 1).isalnum())
        )

    def _finish_part(self) -> Iterator[Word]:
        """Add the part that has ended to the open word; where it begins another, the open one comes out."""
        part, word = self._part, self._word
        if part is None:
            return
        self._part = None
        if word is not None:
            text, gap = self._text.slice(part.start, part.end), self._text.slice(word.reach, part.start)
            is_ending = gap in _APOSTROPHES and word.ending is None and text.lower() in CLITICS
            if is_ending or self._continues(word, gap, text):
                word.decisions += [decision for _, decision in part.before] + part.decisions
                word.parts += 1
                if is_ending:
                    word.ending = part.end
                else:
                    word.end = part.end
                return
            yield self._close(word, gap, part.before)
        gap = self._text.slice(self._last_end, part.start)
        loose = [decision for _, decision in part.before]
        self._word = _OpenWord(part.start, part.end, gap, loose, part.decisions)

    def _finish_word(self, next_start: int) -> Iterator[Word]:
        """The open word, if the gap before what comes next already shows that it is complete."""
        word = self._word
        if word is not None and (gap := self._text.slice(word.reach, next_start)) not in _JOINTS:
            yield self._close(word, gap, self._loose)

    def _continues(self, word: _OpenWord, gap: str, text: str) -> bool:
        """Whether a part, after this gap, belongs to the open word."""
        if word.ending is not None or word.parts == _MOST_PARTS:
            return False
        so_far = self._text.slice(word.start, word.end)
        if gap in _APOSTROPHES:
            return True
        if gap in _HYPHENS:  # beside a pronoun the hyphen stands for a dash
            return not (is_pronoun(so_far) or is_pronoun(text) or text.lower() in NAMELESS_ENDINGS)
        if gap == ".":
            return takes_dot(so_far) and len(text) <= 2 and text[0].isupper()
        # Two words of the tokenizer without a gap are one written word, but for scripts without spaces.
        return gap == "" and not (is_caseless(so_far[-1]) or is_caseless(text[0]))

    def _close(self, word: _OpenWord, gap: str, before: list[tuple[int, Decision]]) -> Word:
        """The finished word; of the decisions after it, those on its own dot become its own."""
        text = self._text.slice(word.start, word.end)
        if word.ending is None and gap.startswith(".") and takes_dot(text):
            word.end += 1
            text += "."
        own = [decision for place, decision in before if place < word.end]
        del before[: len(own)]
        self._word, self._last_end = None, word.reach
        return Word(
            start=word.start,
            end=word.end,
            text=text,
            gap=word.gap,
            has_ending=word.ending is not None,
            decisions=(*word.decisions, *own),
            gap_decisions=tuple(word.gap_decisions),
        )


def _runs(piece: str, inside: bool) -> list[tuple[int, int]]:
    """Where letters and digits stand in a row; ``inside`` if a word already goes on before the piece."""
    if piece.isalnum():
        return [(0, len(piece))]
    runs: list[tuple[int, int]] = []
    begin = 0 if inside else None
    for place, character in enumerate(piece):
        if character.isalnum():
            begin = place if begin is None else begin
        elif begin is not None and not _extends_word(character):
            if begin < place:
                runs.append((begin, place))
            begin = None
    if begin is not None and begin < len(piece):
        runs.append((begin, len(piece)))
    return runs


def _extends_word(character: str) -> bool:
    """Whether a character goes on with a word it follows: combining marks and what joins letters unseen."""
    return character in _JOINERS or unicodedata.category(character).startswith("M")
