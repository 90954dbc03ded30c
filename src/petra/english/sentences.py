"""Running text -> its words and sentences, with their places in the text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from petra.english import lexicon
from petra.english.vocabulary import takes_dot
from petra.english.words import bare_words

_SENTENCE_END = re.compile(r"[.!?…]")
_QUOTE = re.compile(r"[\"“”]|``|''")
_LINE_END = r"(?:\r\n|\r(?!\n)|\n)"
_LINE_ENDS = re.compile(rf"{_LINE_END}\s*")
_BLANK_LINES = re.compile(rf"{_LINE_END}[^\S\r\n]*{_LINE_END}\s*")
_WHITE_SPACE = re.compile(r"\s")
_ABBREVIATIONS = lexicon.words("abbreviations")


class CharRange(NamedTuple):
    """A half-open range of characters: ``text[start:end]``."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SentenceWord:
    """A word of a passage, without a possessive ending."""

    start: int
    end: int
    text: str
    gap: str  # the text between the previous word, with its ending, and this one
    reach: int  # the end of the word with its possessive ending
    sentence: int  # the number of its sentence
    quoted: bool  # inside quotation marks

    @property
    def possessive(self) -> bool:
        return self.reach > self.end

    @property
    def lower(self) -> str:
        return self.text.lower()

    @property
    def capitalised(self) -> bool:
        return self.text[0].isupper()


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph with its words; sentence k has the words ``sentences[k]``."""

    text: str
    words: tuple[SentenceWord, ...]
    sentences: tuple[range, ...]

    def span(self, words: range) -> CharRange:
        """The characters of some words in a row, without a possessive ending of the last."""
        return CharRange(self.words[words[0]].start, self.words[words[-1]].end)

    def opens_sentence(self, place: int) -> bool:
        """Whether the word at a place is the first of its sentence."""
        return place == self.sentences[self.words[place].sentence][0]

    def sentence_of(self, words: range) -> int:
        """The number of the sentence that some words in a row begin in."""
        return self.words[words[0]].sentence

    def bounds(self, first: int, last: int) -> CharRange:
        """The characters of the sentences first to last, with the marks around them."""
        end = len(self.text) if last + 1 == len(self.sentences) else self._opening(last + 1) - 1
        return CharRange(self._opening(first), end)

    def _opening(self, sentence: int) -> int:
        """Where a sentence begins, with a quotation mark or bracket that opens it."""
        word = self.words[self.sentences[sentence][0]]
        return word.start - len(word.gap.rpartition(" ")[2]) if sentence else 0


def parse(text: str) -> Passage:
    """The words and sentences of a text."""
    found: list[SentenceWord] = []
    firsts: list[int] = []
    quoted = False
    reach = 0
    for start, bare, end in bare_words(text):
        gap = text[reach:start]
        for mark in _QUOTE.findall(gap):
            quoted = mark in "“``" or (mark == '"' and not quoted)
        if not found or _ends_sentence(found[-1], gap, bare):
            firsts.append(len(found))
        found.append(SentenceWord(start, start + len(bare), bare, gap, end, len(firsts) - 1, quoted))
        reach = end
    sentences = (range(*both) for both in pairwise((*firsts, len(found))))
    return Passage(text, tuple(found), tuple(sentences))


def _ends_sentence(word: SentenceWord, gap: str, following: str) -> bool:
    if not _SENTENCE_END.search(gap) or " " not in gap or following[0].islower():
        return False
    return gap != ". " or not (takes_dot(word.text) or word.lower in _ABBREVIATIONS)


def paragraph_starts(text: str) -> list[int]:
    """Where the paragraphs of a text begin: after blank lines or, in a text without any, after each line end."""
    ends = list(_BLANK_LINES.finditer(text)) or list(_LINE_ENDS.finditer(text))
    return [0, *(end.end() for end in ends if end.end() < len(text))]


def sentence_starts(text: str) -> list[int]:
    """Where the sentences of a text begin; each paragraph begins one."""
    found: list[int] = []
    starts = paragraph_starts(text)
    for start, end in pairwise((*starts, len(text))):
        passage = parse(_WHITE_SPACE.sub(" ", text[start:end]))
        found.append(start)
        found += (start + passage.words[sentence[0]].start for sentence in passage.sentences[1:])
    return found
