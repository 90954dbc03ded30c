"""Cue lines: lines of interviews, plays and chats that open with a cue, which says who speaks.

    Q: How did you start?          18:03 Jo: can i bring my brother?
    DELILAH. Where were you?       <anna> did you see him?

``CueLines`` divides a text that arrives in parts into speeches and the text between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from petra.english import lexicon
from petra.english.gender import given_name_gender
from petra.english.vocabulary import ORDINARY_WORDS, PERSON_NOUNS, is_capitalised, is_pronoun, listed, plain

_AHEAD = 1_500  # characters in which the next cue must follow; chosen by hand: an answer of 250 words
_LONGEST_CUE = 120  # characters, with the time and a stage direction
_MOST_SPEAKERS = 32  # of one dialogue; whoever comes then begins a new one

_BLANK = r"[^\S\n]"
_CAPITAL = r"[^\W\d_a-zß-öø-ÿ]"
_CAPITAL_WORD = rf"(?:(?:MRS?|MS|DR|ST)\.|{_CAPITAL}(?:[^\W_a-zß-öø-ÿ]|[’'-])*)"
_WORD = r"[^\W\d_][\w’'&-]*\.?"
_NEXT_WORD = r"[^\W_a-zß-öø-ÿ][\w’'&-]*\.?"  # with a capital, or a number: "Speaker 1"
_TIME = rf"(?:[\[(][\d/.:, -]{{4,24}}[\])]|\d{{1,2}}[:.]\d\d(?:[:.]\d\d)?){_BLANK}+(?:[–—-]{_BLANK}+)?"
_DIRECTION = rf"(?:{_BLANK}?[(\[][^()\[\]\n]{{1,60}}[)\]])?"  # "TOM (rising):"
_LINE_END = rf"{_BLANK}*\n{_BLANK}*"
_SPOKEN = r"(?=[^\s“\"«„])"  # what is in quotation marks is read by these: "He said: “Yes.”"
_PLAY_CUE = re.compile(
    rf"{_BLANK}*(?P<name>{_CAPITAL_WORD}(?: {_CAPITAL_WORD}){{0,3}}){_DIRECTION}"
    rf"(?:\.{_BLANK}+|\.?{_LINE_END}){_SPOKEN}"
)
_CUE = re.compile(
    rf"{_BLANK}*(?P<time>{_TIME})?(?:<(?P<nick>[^\s<>]{{1,24}})>:?|"
    rf"(?P<name>{_WORD}(?: {_NEXT_WORD}){{0,3}}){_DIRECTION}{_BLANK}?:)(?:{_LINE_END}|{_BLANK}+){_SPOKEN}"
)
# The beginning of a line, as far as it may be that of a cue, and what may follow there.
_BEGINNING = re.compile(rf"(?:{_BLANK}|[\d/.:,\[\]()–—-])*(?:<[^\s<>]*|(?:{_WORD}(?: {_NEXT_WORD})*)?{_BLANK}*)")
_AFTER_BEGINNING = ":<>([\n"
_KNOWN_LINE = re.compile(rf"\n{_BLANK}*[\S\n]")
_BLANK_LINE = re.compile(rf"{_BLANK}*\n")
_PARAGRAPH_END = re.compile(rf"\n{_BLANK}*\n")
_DIRECTION_LINE = re.compile(rf"{_BLANK}*[(\[]")
_I_OR_YOU = re.compile(r"\b(?:i|me|my|mine|myself|we|our|you|your|yours|yourself|u|ur|thou|thee|thy)\b", re.IGNORECASE)

_DOTTED = lexicon.words("titles", "dotted")  # "MR."
_SIDES = {"question": "q", "answer": "a"}
_NO_NAMES = listed(
    "act appendix author book canto cast chapter characters chorus cons contents date dear epilogue example figure "
    "from hint important interview letter location name nb note notes page part preface prologue pros ps question re "
    "rule scene section setting step subject summary table tip title to verse volume warning"
)


class CuedSpeech(NamedTuple):
    """What somebody says after a cue."""

    place: int  # of the cue's name
    speaker: str | None  # None if the cue is a letter: "Q"
    dialogue: int  # counted from 1
    side: int  # of the speaker, in the order of their first speeches
    addressee: int | None  # side of whoever spoke before; None for the other one of the first two


class _Cue(NamedTuple):
    start: int  # of the name, counted from that of the line
    end: int  # where the speech begins
    key: str  # the same for all cues of a speaker
    speaker: str | None
    is_sure: bool  # surely a person: a time before it, in <>, or with a listed given name


class _Ahead(NamedTuple):
    text: str  # from the beginning of a line on; whole lines, unless it is all
    cues: list[tuple[int, _Cue]]  # its cue lines: where each begins, and its cue
    is_all: bool  # all that may be looked at


class CueLines:
    """Divides a text into speeches that follow cues, and the rest.

    A cue stands at the beginning of a line. It is a name of one to four capitalised words, a
    letter or one word in small letters, with a colon; a name in CAPITALS with a dot or alone
    on the line; or <nick>. A time may precede it. "Note:" has that form too, so a dialogue
    begins only with a cue that others follow within 1,500 characters: Q and A; or two speakers
    who say "I" or "you", if some cue recurs or both are surely people. From then on each cue
    counts, until 1,500 characters without one have passed.

    A speech goes on to the next cue line or blank line. The paragraph after a blank line is
    part of it if it says "I" or "you" and a cue line follows within 1,500 characters: an answer
    in an interview has several paragraphs. A line that begins with a bracket is a stage direction.
    """

    def __init__(self) -> None:
        self._held = ""  # the text that is not divided yet
        self._start = 0  # its place
        self._opens_line = True
        self._is_after_blank = False
        self._speech: CuedSpeech | None = None  # the last one, as long as it may go on
        self._current: CuedSpeech | None = None  # the one that this line is part of
        self._is_paused = False  # in a paragraph that is no part of it
        self._dialogues = 0
        self._sides: dict[str, int] = {}  # the speakers of the dialogue
        self._until = 0  # the place where the dialogue ends if no cue comes

    def feed(self, text: str) -> Iterator[tuple[str, CuedSpeech | None]]:
        """Read on: the parts of the text that can be told by now, each with the speech it is part of."""
        self._held += text
        yield from self._divide(at_end=False)

    def finish(self) -> Iterator[tuple[str, CuedSpeech | None]]:
        """The text ends here: the parts that are left."""
        yield from self._divide(at_end=True)

    def _divide(self, *, at_end: bool) -> Iterator[tuple[str, CuedSpeech | None]]:
        held, place = self._held, 0
        while place < len(held):
            if self._opens_line:
                length = self._begin_line(held, place, at_end=at_end)
                if length is None:
                    break
                if length:
                    yield held[place : place + length], None
                    place += length
            end = held.find("\n", place) + 1 or len(held)
            yield held[place:end], self._current
            self._opens_line = held[end - 1] == "\n"
            if self._current is not None:
                self._until = self._start + end + _AHEAD
            place = end
        self._held = held[place:]
        self._start += place

    def _begin_line(self, held: str, place: int, *, at_end: bool) -> int | None:
        """The length of the cue that a line begins with, 0 without one; None if more text must be known."""
        if _BLANK_LINE.match(held, place):
            self._is_after_blank, self._current = True, None
            return 0
        line = held[place : place + _LONGEST_CUE]
        if not (at_end or _is_known(line)):
            return None
        if self._start + place > self._until:
            self._end_dialogue()
        cue = _cue_of(line)
        if cue is not None and not self._sides:
            ahead = _look_ahead(held, place, at_end=at_end)
            if not _is_dialogue(ahead):
                if not ahead.is_all:
                    return None
                cue = None
        elif cue is None and self._speech is not None and self._is_after_blank:
            ahead = _look_ahead(held, place, at_end=at_end)
            if ahead.cues:
                self._is_paused = not _is_spoken(ahead.text[: ahead.cues[0][0]])
            elif ahead.is_all:
                self._end_dialogue()
            else:
                return None
        self._is_after_blank = False
        if cue is not None:
            self._speech = self._current = self._next_speech(cue, self._start + place + cue.start)
            self._is_paused = False
            return cue.end
        self._current = None if self._is_paused or _DIRECTION_LINE.match(line) else self._speech
        return 0

    def _end_dialogue(self) -> None:
        self._sides, self._speech = {}, None

    def _next_speech(self, cue: _Cue, place: int) -> CuedSpeech:
        if cue.key not in self._sides and len(self._sides) == _MOST_SPEAKERS:
            self._end_dialogue()
        self._dialogues += not self._sides
        side = self._sides.setdefault(cue.key, len(self._sides))
        addressee, last = None, self._speech
        if last is not None:
            addressee = last.addressee if last.side == side else last.side
        if {side, addressee} == {0, 1}:
            addressee = None
        return CuedSpeech(place, cue.speaker, self._dialogues, side, addressee)


def _is_known(line: str) -> bool:
    """Whether the cue of a line, or that it has none, is known from what there is of the line."""
    if len(line) == _LONGEST_CUE or _KNOWN_LINE.search(line):
        return True
    found = _BEGINNING.match(line)
    end = 0 if found is None else found.end()
    return end < len(line) and line[end] not in _AFTER_BEGINNING


def _cue_of(line: str) -> _Cue | None:
    """The cue that a line begins with."""
    if (found := _PLAY_CUE.match(line)) and (len(found["name"]) > 1 or found["name"] in "QA"):
        cue = _named(found, found["name"], found.start("name"), is_sure=False)
        if cue is not None:
            return cue
    if (found := _CUE.match(line)) is None:
        return None
    group = "name" if found["name"] else "nick"
    return _named(found, found[group], found.start(group), is_sure=group == "nick" or found["time"] is not None)


def _named(found: re.Match[str], name: str, start: int, *, is_sure: bool) -> _Cue | None:
    words = [plain(word) for word in name.split()]
    key = " ".join(words)
    if len(words) == 1 and (len(key) == 1 or key in _SIDES):
        return None if key == "i" else _Cue(start, found.end(), _SIDES.get(key, key), None, is_sure)
    last = words[-1]
    if last in ORDINARY_WORDS or last in _DOTTED or is_pronoun(last) or not _NO_NAMES.isdisjoint(words):
        return None
    if len(words) > 1 and not is_capitalised(name):
        return None
    # The speaker is called by a noun ("the doctor") or by a name ("Anna"), however the cue is written.
    speaker = name.lower() if last in PERSON_NOUNS else name if is_capitalised(name) else name.capitalize()
    return _Cue(start, found.end(), key, speaker, is_sure or any(map(given_name_gender, words)))


def _look_ahead(held: str, place: int, *, at_end: bool) -> _Ahead:
    """What is known of the text from a place on, as far as may be looked."""
    text = held[place : place + _AHEAD]
    is_all = at_end or len(text) == _AHEAD
    if not is_all:
        text = text[: text.rfind("\n") + 1]
    return _Ahead(text, list(_cues_in(text, is_all=is_all)), is_all)


def _cues_in(text: str, *, is_all: bool) -> Iterator[tuple[int, _Cue]]:
    place = 0
    while place < len(text):
        line = text[place : place + _LONGEST_CUE]
        if not (is_all or _is_known(line)):
            return
        cue = None if line[0] == "\n" else _cue_of(line)
        if cue is not None:
            yield place, cue
            place += cue.end
        place = text.find("\n", place) + 1 or len(text)


def _is_dialogue(ahead: _Ahead) -> bool:
    """Whether the cue that the text begins with begins a dialogue. More text never makes it none."""
    if not ahead.cues:
        return False
    keys = [cue.key for _, cue in ahead.cues]
    if keys[0] in ("q", "a") and {"q", "a"} <= {*keys}:
        return True
    ends = [*(place for place, _ in ahead.cues[1:]), len(ahead.text)]
    speakers = {
        cue.key: cue
        for (place, cue), end in zip(ahead.cues, ends, strict=True)
        if _I_OR_YOU.search(ahead.text, place + cue.end, end)
    }
    if len(speakers) < 2 or not (keys[0] in speakers or keys.count(keys[0]) > 1):
        return False
    return len({*keys}) < len(keys) or sum(cue.is_sure for cue in speakers.values()) > 1


def _is_spoken(text: str) -> bool:
    """Whether the first paragraph of a text may be part of a speech."""
    end = _PARAGRAPH_END.search(text)
    paragraph = text if end is None else text[: end.start()]
    return _I_OR_YOU.search(paragraph) is not None and not _DIRECTION_LINE.match(paragraph)
