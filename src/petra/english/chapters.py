"""Chapters: the headings that divide a text, and the characters that each chapter has.

A heading opens a paragraph: a word such as "Chapter" with a number, a number alone on its
line, or a word such as "Prologue". Numbers without a word count only in sequence, from 1.
The same headings close together and again farther on are a table of contents. Where parts
hold chapters, the chapters count, each with the heading of its part.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

from petra.english import lexicon
from petra.english.vocabulary import LINKERS, ORDINARY_WORDS, PARTICLES
from petra.english.words import word_pattern

_LONGEST_LINE = 120  # characters of a line that may be a heading
_LONGEST_TITLE = 400  # .. and of a title, which may have several lines
_MOST_LINES = 2  # .. of a title that stands apart from its number, if it is not in capitals
_BRIEF = 400  # letters below which there is no chapter between two headings of a table of contents
_LEAST_IN_SEQUENCE = 2  # numbers without a word that make each other headings

_PARTS = lexicon.words("headings", "part")
_UNNUMBERED = lexicon.words("headings", "alone")
_ROMAN = r"(?=[IVXLC])(?:C{0,3})(?:X[CL]|L?X{0,4})(?:I[XV]|V?I{0,4})(?![^\W_])"
_IN_WORDS = rf"(?:(?:{lexicon.alternatives('numbers', 'tens')})[\s-]+)?(?:{lexicon.alternatives('numbers')})(?![^\W_])"
_MARKS = r"[\s_*#=\[(]*"
_NUMBERED = re.compile(
    rf"{_MARKS}(?P<word>{lexicon.alternatives('headings', 'part', 'chapter')})\.?\s+(?:the\s+)?"
    rf"(?P<number>{_ROMAN}|\d{{1,3}}(?!\w)|{_IN_WORDS})(?P<rest>.*)",
    re.IGNORECASE,
)
_NUMBER = re.compile(rf"{_MARKS}(?P<number>{_ROMAN}|\d{{1,3}}(?!\w))(?P<rest>.*)")
_ALONE = re.compile(rf"{_MARKS}(?P<word>{lexicon.alternatives('headings', 'alone')})[\s_*#=.:\])]*", re.IGNORECASE)
_DECORATION = " \t\f\v_*#=[]"
_SEPARATOR = re.compile(r"[\s_*\])]*(?:[.:,]|[-–—]+)")
_LINE = re.compile(r"[^\n]+")
_WORD = re.compile(word_pattern())
_SENTENCE_END = tuple(".!?:;\"”’'*_)]—–-")
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}

_Kind = Literal["part", "chapter", "number", "alone"]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of a text, which is ``text[start:end]`` with its heading."""

    number: int  # from 1, in order of the text
    heading: str  # on one line, with its title: "Chapter I: The Bertolini"
    start: int
    end: int
    part: str | None = None  # the heading of the part that it is in: "VOLUME I"


def find_chapters(text: str) -> tuple[Chapter, ...]:
    """The chapters of a text, in order, from the first heading to the end; none if there are no headings."""
    headings = _without_contents(_in_sequence(list(_headings(text))), text)
    opening = _opening(headings)
    found: list[tuple[_Heading, int, str | None]] = []  # with the start and the part
    start: int | None = None
    part: str | None = None
    for place, heading in enumerate(headings):
        end = headings[place + 1].start if place + 1 < len(headings) else len(text)
        if opening[place] and text[heading.end : end].strip():
            found.append((heading, heading.start if start is None else start, part))
            start = None
        elif heading.kind == "part":
            start, part = heading.start if start is None else start, heading.text
    ends = [*(start for _, start, _ in found[1:]), len(text)]
    return tuple(
        Chapter(number, heading.text, start, end, part)
        for number, ((heading, start, part), end) in enumerate(zip(found, ends, strict=False), start=1)
    )


class _Heading(NamedTuple):
    start: int
    end: int  # of its title too
    text: str  # on one line
    word: str  # "chapter", or nothing
    number: str  # as it is written, in lower case

    @property
    def kind(self) -> _Kind:
        if not self.word:
            return "number"
        if self.word in _UNNUMBERED:
            return "alone"
        return "part" if self.word in _PARTS else "chapter"

    @property
    def key(self) -> tuple[str, str]:
        return self.word, self.number


class _Block(NamedTuple):
    """Lines with no empty line between them."""

    lines: list[tuple[int, int]]
    before: str  # the last character of what stands before it


def _headings(text: str) -> Iterator[_Heading]:
    """Whatever looks like a heading."""
    lines = text.replace("\r\n", " \n").replace("\r", "\n")  # with the same offsets
    blocks = list(_blocks(lines))
    for place, block in enumerate(blocks):
        start, end = block.lines[0]
        line = lines[start:end]
        if len(line) > _LONGEST_LINE or any(_NUMBERED.fullmatch(lines[slice(*each)]) for each in block.lines[1:]):
            continue  # several headings in a row are a table of contents
        found = _heading_of(line, block, lines)
        if found is None:
            continue
        word, number, rest = found
        last = _end_of_title(rest, block, blocks[place + 1] if place + 1 < len(blocks) else None, lines)
        shown = " ".join(text[start:last].split()).strip(_DECORATION)
        start += len(line) - len(line.lstrip())
        yield _Heading(start, last, shown, word, number)


def _blocks(lines: str) -> Iterator[_Block]:
    block: list[tuple[int, int]] = []
    before = ""
    for found in _LINE.finditer(lines):
        if not found.group().strip():
            continue
        if block and lines.count("\n", block[-1][1], found.start()) > 1:
            yield _Block(block, before)
            before = lines[block[-1][0] : block[-1][1]].rstrip()[-1:]
            block = []
        block.append(found.span())
    if block:
        yield _Block(block, before)


def _heading_of(line: str, block: _Block, lines: str) -> tuple[str, str, str] | None:
    """The word and the number of a line that is a heading, and what follows them on it."""
    if found := _NUMBERED.fullmatch(line):
        word, number, rest = found["word"], found["number"], found["rest"]
        if word[0].isupper() and (not rest.strip(_DECORATION + ".:") or _opens_title(rest, block, lines)):
            return word.lower(), number.lower(), rest
        return None
    if (found := _ALONE.fullmatch(line)) and found["word"][0].isupper():
        return found["word"].lower(), "", ""
    if found := _NUMBER.fullmatch(line):
        number, rest = found["number"], found["rest"]
        is_alone = not rest.strip(_DECORATION + ".)") and len(block.lines) == 1
        if number.isdigit():
            # A number in the middle of a sentence is that of a page.
            return ("", number, rest) if is_alone and (block.before == "" or block.before in _SENTENCE_END) else None
        if is_alone or (_SEPARATOR.match(rest) and _is_title(lines[block.lines[0][0] : block.lines[-1][1]])):
            return "", number.lower(), rest
    return None


def _opens_title(rest: str, block: _Block, lines: str) -> bool:
    """Whether what follows a number is a title, and no sentence that goes on: "Part I was the longest"."""
    whole = lines[block.lines[0][0] : block.lines[-1][1]]
    if _SEPARATOR.match(rest) and len(whole) <= _LONGEST_TITLE:
        return len(block.lines) == 1 or _is_title(rest) or _is_title(whole)
    return _is_title(rest) and not rest.rstrip().endswith((".", ",", ";"))


def _end_of_title(rest: str, block: _Block, following: _Block | None, lines: str) -> int:
    """Where a heading ends whose first line has this after its number."""
    (first, end), last = block.lines[0], block.lines[-1][1]
    if rest.strip(_DECORATION + ".:)"):
        return last if last - first <= _LONGEST_TITLE else end
    if len(block.lines) > 1:
        return last if _is_title(lines[end:last]) else end
    if following is not None:
        start, last = following.lines[0][0], following.lines[-1][1]
        is_brief = len(following.lines) <= _MOST_LINES or lines[start:last].isupper()
        if is_brief and _is_title(lines[start:last]) and not _starts_heading(lines[slice(*following.lines[0])]):
            return last
    return end


def _starts_heading(line: str) -> bool:
    return any(pattern.fullmatch(line) for pattern in (_NUMBERED, _NUMBER, _ALONE))


def _is_title(text: str) -> bool:
    """Whether a few lines are written like a title: in capitals, or most words of weight with one."""
    text = text.strip()
    words = [word for word in _WORD.findall(text) if word.lower() not in ORDINARY_WORDS | PARTICLES | LINKERS]
    if not words or len(text) > _LONGEST_TITLE or text[0] in "\"“'‘":
        return False
    if text.isupper():
        return True
    capitals = sum(not word[0].islower() for word in words)
    is_sentence = text.endswith((".", ",", ";", ":", "!", "?", "”", '"'))
    return capitals * 10 >= len(words) * (9 if is_sentence else 6) and len(text) <= (
        80 if is_sentence else _LONGEST_TITLE
    )


def _in_sequence(headings: Sequence[_Heading]) -> list[_Heading]:
    """The headings without the numbers that stand alone and do not count from 1."""
    kept: set[_Heading] = set()
    for is_roman in (True, False):
        sequence: list[_Heading] = []
        for heading in headings:
            if heading.word or heading.number.isdigit() == is_roman:
                continue
            value = _value(heading.number)
            if sequence and value != _value(sequence[-1].number) + 1:
                kept |= set(sequence) if len(sequence) >= _LEAST_IN_SEQUENCE else set()
                sequence = []
            if sequence or value == 1:
                sequence.append(heading)
        kept |= set(sequence) if len(sequence) >= _LEAST_IN_SEQUENCE else set()
    return [heading for heading in headings if heading.word or heading in kept]


def _value(number: str) -> int:
    if number.isdigit():
        return int(number)
    values = [_ROMAN_DIGITS[digit] for digit in number]
    return sum(-one if one < other else one for one, other in pairwise((*values, 0)))


def _without_contents(headings: Sequence[_Heading], text: str) -> list[_Heading]:
    """The headings without tables of contents: those close together that come again farther on."""
    last = {heading.key: place for place, heading in enumerate(headings)}
    following: dict[tuple[str, str], int] = {}  # where a key comes next
    crowds = _crowds(headings, text)
    nexts = [0] * len(headings)
    for place in reversed(range(len(headings))):
        nexts[place] = following.get(headings[place].key, len(headings))
        following[headings[place].key] = place
    kept: list[_Heading] = []
    place = 0
    while place < len(headings):
        again = nexts[place]
        if place + 1 < again < len(headings) and again <= crowds[place]:
            listed = headings[place:again]
            if sum(last[heading.key] >= again for heading in listed) * 5 >= len(listed) * 4:
                place = again
                continue
        kept.append(headings[place])
        place += 1
    return kept


def _crowds(headings: Sequence[_Heading], text: str) -> list[int]:
    """For each heading where the row of headings ends that stand close together; a preface may follow the last."""
    ends = list(range(1, len(headings) + 1))
    for place in reversed(range(len(headings) - 1)):
        between = text[headings[place].end : headings[place + 1].start]
        if sum(map(len, between.split())) < _BRIEF:
            ends[place] = ends[place + 1]
    return ends


def _opening(headings: Sequence[_Heading]) -> list[bool]:
    """Which headings open chapters: those of chapters, else numbers alone, else of parts; and parts without any."""
    kinds = Counter(heading.kind for heading in headings)
    kind: _Kind = "part"
    if kinds["chapter"] >= _LEAST_IN_SEQUENCE or (kinds["chapter"] and not kinds["number"]):
        kind = "chapter"
    elif kinds["number"]:
        kind = "number"
    if not kinds[kind]:
        return [False] * len(headings)  # a preface alone makes no book
    opens = [heading.kind in (kind, "alone") for heading in headings]
    holds = False  # whether a chapter comes before the next part
    for place in reversed(range(len(headings))):
        if headings[place].kind == "part":
            opens[place] = opens[place] or not holds
            holds = False
        holds = holds or opens[place]
    return opens
