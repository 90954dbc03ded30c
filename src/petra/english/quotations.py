"""Quotations: where in a text somebody is quoted, whose turn it is to speak, and who is said to speak."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import NamedTuple

from petra.english.attribution import (
    ABBREVIATED_TITLE,
    Attribution,
    attribution_after,
    attribution_before,
    attribution_inside,
)
from petra.english.cue_lines import CuedSpeech, CueLines

_MARKS = "“”\"„«»‘’'`—―"
_PIECE = re.compile(rf"\n|[{_MARKS}]|[^\n{_MARKS}]+")
_WORD = re.compile(r"\s+|\S+")
_CLOSED_BY = {"“": "”", "„": "“”", "«": "»", '"': '"', "‘": "’", "'": "'", "`": "'", "—": ""}
_DASHES = "—―"  # at the beginning of a line
_CLOSING = "”»’"
_SINGLE = "‘’'"
_BEFORE_CLOSING = frozenset(".,!?;:…—–-")  # what stands before a single mark that is no apostrophe
_BEFORE_OPENING = frozenset("([{<—–-―/*_“‘'`")  # beside white space, before a mark that opens
_NOT_OPENED = frozenset(".,!?;:…)]}”’")  # what no quotation begins with
_BEFORE_PARAGRAPH = frozenset(".!?…\"”'’—–-")  # what a paragraph ends with
_GOES_ON = re.compile(r"[^.!?]*[,;:–—-]\s*")  # between two parts of one sentence: "said Jane,"
_ABBREVIATED = re.compile(rf"\b{ABBREVIATED_TITLE}")
_LONGEST = 5_000  # characters; a quotation that goes on has lost its closing mark
_CONTEXT = 240  # characters beside a quotation that may say who speaks


class Turn(NamedTuple):
    """Whose turn it is to speak: one of the sides of an exchange, of which there are two unless cue lines name more."""

    exchange: int  # counted from 1
    side: int  # 0 for whoever spoke first, or 1; in cue lines also 2, 3 and so on
    addressee: int | None = None  # the side spoken to; None for the other one of 0 and 1

    @property
    def other(self) -> Turn:
        """The turn of whoever is spoken to."""
        if self.addressee is None:
            return Turn(self.exchange, 1 - self.side)
        return Turn(self.exchange, self.addressee, self.side)


@dataclass(frozen=True, slots=True)
class Utterance:
    """What is said between two marks: a quotation, or a part of one that its attribution divides."""

    turn: Turn
    speaker: str | None = None  # who is said to speak, in the words of the text


class QuotedPart(NamedTuple):
    """Where an utterance stands, with its marks, and the words beside it that name its speaker."""

    start: int
    end: int
    turn: Turn
    is_cued: bool  # it follows the cue of a cue line, whose name is the attribution
    is_continuation: bool  # it is the rest of the quotation before: after "said Jane," or in the next paragraph
    attribution: Attribution | None  # its place is counted from the start of the text


class Quotations:
    """Tells which quotation a place of a text is in, as the text arrives bit by bit.

    Quotation marks are double ones of any shape, ``these'' among them, and single ones
    whose neighbours show that they are no apostrophes; straight single ones only if they
    open the first quotation of the text. A blank line ends a quotation: books open it again
    in the next paragraph. A quotation inside another is part of it. A dash that opens a line
    opens a quotation too, until the paragraph ends; an attribution inside divides it.

    Whoever speaks goes on after an attribution that ends with a comma and, where blank
    lines part paragraphs, to the end of the paragraph. A quotation that follows another with
    nothing between, or that opens the paragraph after it, is the reply.

    What follows the cue of a cue line ("Nadia: ..") is a quotation too, marks in it being part
    of it, and its speaker is whom the cue names. A dialogue in cue lines is one exchange, with
    a side for each speaker; whoever spoke before is spoken to.
    """

    def __init__(self) -> None:
        self._starts = [0]  # from each of these places on ..
        self._quotations: list[Utterance | None] = [None]  # .. in this quotation, or in none
        self._parts: list[QuotedPart] = []  # those closed that nobody took
        self._attributing: dict[int, Turn] = {}  # where words after a quotation say who spoke -> its turn
        self._cue_lines = CueLines()
        self._speech: CuedSpeech | None = None  # the speech after a cue that is open
        self._speech_before: CuedSpeech | None = None  # the last one that was closed
        self._dialogue = (0, 0)  # the last dialogue in cue lines, and its exchange
        self._exchanges = 0  # so far
        self._opener = ""  # the mark of the open quotation
        self._opens_at: int | None = None  # of a straight mark or a dash that may open one
        self._may_open = ""  # that mark
        self._solid_before = 0  # the end of what stands before it
        self._begins_paragraph = False  # by its place it may be the first of one
        self._is_nested = False  # a straight double mark opened a quotation inside one
        self._opens_line = True  # nothing of it was read yet
        self._inside = ""  # the text of what a dash opened
        self._has_straight_single: bool | None = None  # whether the first quotation was opened by one
        self._last: Utterance | None = None  # the quotation open or last closed
        self._after: str | None = None  # the text since it was closed, as long as that may say who spoke
        self._named_before: Attribution | None = None  # who is said to speak before it
        self._is_rest = False  # it is the rest of the quotation before
        self._was_attributed = False  # the words after it say who spoke
        self._between = ""  # the last words since it was closed
        self._was_closed = True  # by its mark, and not by a blank line
        self._paragraphs = 0  # blank lines so far
        self._paragraph_of_last = 0
        self._opens_paragraph = True  # nothing of it was read yet
        self._end = 0  # of the text so far
        self._solid_end = 0  # of what is no white space
        self._solid = ""  # the last character of that
        self._before = " "  # the character before the next
        self._line_is_blank = False

    @property
    def settled(self) -> int:
        """Places before this one can be asked for: what follows in the text does not matter to them."""
        if self._opener:
            place = self._starts[-1]
        elif self._after is not None:
            place = self._starts[-2]  # where the quotation began
        else:
            place = self._end
        return place if self._opens_at is None else min(place, self._opens_at)

    def feed(self, text: str) -> None:
        """Read on in the text."""
        for part, speech in self._cue_lines.feed(text):
            self._read_part(part, speech)

    def finish(self) -> None:
        """The text ends here."""
        for part, speech in self._cue_lines.finish():
            self._read_part(part, speech)
        place, self._opens_at = self._opens_at, None
        if place is not None and self._opener == '"':
            self._close_straight(place)
        if self._opener == "—":
            self._close_dash(self._end)
        elif self._opener:
            self._close(self._end, by_mark=False)
        self._close_speech()
        self._attribute_last()

    def take(self) -> list[QuotedPart]:
        """The parts of quotations that are complete by now and were not taken before, in text order."""
        count = len(self._parts) - (self._after is not None)  # the speaker of the last one may still be named
        taken, self._parts = self._parts[:count], self._parts[count:]
        return taken

    def at(self, place: int) -> Utterance | None:
        """The quotation that a place is in; None outside of quotations."""
        return self._quotations[self._index(place)]

    def opens_at(self, place: int) -> bool:
        """Whether a quotation begins at a place: with its mark, or with the first word after a cue."""
        index = self._index(place)
        return self._starts[index] == place and self._quotations[index] is not None

    def attributed_at(self, place: int) -> Turn | None:
        """The turn of the quotation whose speaker the words at a place name: "Jane" in "said Jane" or "Jane: Come!"."""
        return self._attributing.get(place)

    def forget_before(self, place: int) -> None:
        """Nothing before the place will be asked for."""
        index = self._index(place)
        del self._starts[:index], self._quotations[:index]
        self._attributing = {start: turn for start, turn in self._attributing.items() if start >= place}
        self._parts = [part for part in self._parts if part.end >= place]

    def _index(self, place: int) -> int:
        return bisect_right(self._starts, place) - 1

    def _read_part(self, text: str, speech: CuedSpeech | None) -> None:
        """Read text that is part of a speech after a cue, or of none."""
        if speech is not self._speech:
            if self._opener:
                self._close(self._end, by_mark=False)
            self._attribute_last()
            self._close_speech()
            self._starts.append(self._end)
            self._quotations.append(None if speech is None else self._after_cue(speech))
            self._speech, self._last, self._between = speech, None, ""
            self._before, self._line_is_blank = "\n", True
        if speech is None:
            self._read_marks(text)
        else:
            self._end += len(text)
            if solid := len(text.rstrip()):
                self._solid_end = self._end - len(text) + solid

    def _close_speech(self) -> None:
        """Note the part of a speech after a cue that ends here."""
        speech, start = self._speech, self._starts[-1]
        utterance = self._quotations[-1]
        if speech is not None and utterance is not None and self._solid_end > start:
            named = Attribution(speech.place, speech.speaker or "")
            is_rest = speech is self._speech_before
            self._parts.append(QuotedPart(start, self._solid_end, utterance.turn, True, is_rest, named))
            self._speech_before = speech
        self._speech = None

    def _after_cue(self, speech: CuedSpeech) -> Utterance:
        if self._dialogue[0] != speech.dialogue:
            self._exchanges += 1
            self._dialogue = (speech.dialogue, self._exchanges)
        turn = Turn(self._dialogue[1], speech.side, speech.addressee)
        self._attributing[speech.place] = turn
        return Utterance(turn, speech.speaker)

    def _read_marks(self, text: str) -> None:
        for piece in _PIECE.findall(text):
            start = self._starts[-1] if self._opener else self._end - 1  # where one begins that is open or may be
            if self._end + len(piece) - start >= _LONGEST:
                for word in _WORD.findall(piece):  # a quotation that is too long is given up between words
                    self._read_on(word)
            else:
                self._read_on(piece)
        self._give_up(self._end)

    def _read_on(self, piece: str) -> None:
        """Read a mark, the end of a line, or text without these."""
        self._give_up(self._end)
        self._read(piece, self._end)
        self._before = piece[-1]
        if solid := len(piece.rstrip()):
            self._solid_end = self._end + solid
            self._solid = piece[solid - 1]
        self._end += len(piece)

    def _read(self, piece: str, place: int) -> None:
        if self._opens_at is not None:
            self._tell_mark(self._opens_at, piece)
        if self._opener == "—" and (piece != "\n" or self._paragraphs):
            self._inside += piece
        elif self._opener == "—":
            self._close_dash(place)
        if piece == "\n":
            if self._line_is_blank:
                self._end_paragraph(place)
            self._line_is_blank = self._opens_line = True
        elif not piece.isspace():
            self._line_is_blank = False
            opens_line, self._opens_line = self._opens_line, False
            if piece in _DASHES:
                if opens_line and not self._opener:
                    self._opens_at, self._may_open = place, piece
                    return
            elif (piece in _CLOSED_BY or piece in _CLOSING) and self._read_mark(piece, place, opens_line=opens_line):
                return
            self._opens_paragraph = False
        if not self._opener:
            self._pass_over(piece)

    def _tell_mark(self, place: int, piece: str) -> None:
        """Open or close what a mark may open or close that stands before a piece of text."""
        mark, self._opens_at = self._may_open, None
        if mark != '"':
            # A new sentence, or one that goes on after the attribution; else it was an apostrophe: 'em.
            opens = piece[0].isupper() or (mark == "'" and piece[0].isalnum() and self._is_continuation())
        else:
            opens = _may_begin(piece)
            if self._opener:
                self._tell_inside(place, opens=opens)
                return
        if opens:
            self._open("—" if mark in _DASHES else mark, place)
        else:
            self._opens_paragraph = False
            self._pass_over(mark)

    def _tell_inside(self, place: int, *, opens: bool) -> None:
        """Read a straight double mark inside a quotation that such a mark opened.

        One that opens is of a quotation inside, unless one is open there already or a new
        paragraph begins: then the mark that closed the last one was lost, or there was none.
        """
        if not opens:
            self._close_straight(place)
        elif self._is_nested or self._begins_paragraph:
            self._close(place, by_mark=False, end=self._solid_before)
            self._open('"', place)
        else:
            self._is_nested = True

    def _close_straight(self, place: int) -> None:
        """Close what the last straight double mark opened: a quotation, or one inside it."""
        if self._is_nested:
            self._is_nested = False
        else:
            self._close(place, by_mark=True)

    def _read_mark(self, mark: str, place: int, *, opens_line: bool) -> bool:
        """Whether the mark opens or closes a quotation."""
        if mark == self._before == "`":
            return True  # the second half of ``
        if mark == '"' and self._is_doubtful():
            self._opens_at, self._may_open, self._solid_before = place, mark, self._solid_end
            self._begins_paragraph = opens_line and self._solid in _BEFORE_PARAGRAPH
            return True
        is_single = mark in _SINGLE
        if self._opener and mark in _CLOSED_BY[self._opener]:
            if is_single and self._before not in ("'" if self._opener == "`" else _BEFORE_CLOSING):
                return False
            if mark == '"':
                self._close_straight(place)
            else:
                self._close(place, by_mark=True)
            return True
        if mark not in _CLOSED_BY or self._opener not in ("", mark) or (is_single and self._before.isalnum()):
            return False
        if mark == "'":
            may_open = not self._opener and self._has_straight_single is not False
            self._opens_at, self._may_open = (place if may_open else None), mark
            return may_open
        self._open(mark, place)
        return True

    def _is_doubtful(self) -> bool:
        """Whether what follows tells what a straight double mark does.

        Outside of quotations one right after a word opens none; inside, one after white space may open one.
        """
        may_open = self._before.isspace() or self._before in _BEFORE_OPENING
        return may_open if self._opener == '"' else not self._opener and not may_open

    def _pass_over(self, piece: str) -> None:
        self._between = (self._between + piece)[-_CONTEXT:]
        if self._after is not None:
            self._after = (self._after + piece)[:_CONTEXT]
            if len(self._after) == _CONTEXT:
                self._attribute_last()

    def _open(self, mark: str, place: int) -> None:
        if self._opener:  # the last one has lost its end
            self._close(place, by_mark=False)
        self._attribute_last()
        self._opener, self._inside, self._is_nested = mark, "", False
        if self._has_straight_single is None:
            self._has_straight_single = mark == "'"
        turn, speaker, self._is_rest = self._next_turn()
        named = attribution_before(self._between)
        self._last = Utterance(turn, speaker if named is None else named.subject)
        self._named_before = named and named._replace(place=place - len(self._between) + named.place)
        self._paragraph_of_last = self._paragraphs
        self._starts.append(place)
        self._quotations.append(self._last)

    def _next_turn(self) -> tuple[Turn, str | None, bool]:
        """Whose turn the quotation about to open is, who is known to speak, and whether it is the rest of the last."""
        last = self._last
        if last is None:
            return self._new_exchange(), None, False
        paragraphs = self._paragraphs - self._paragraph_of_last
        is_near = len(self._between) < _CONTEXT
        if self._is_continuation():
            return last.turn, last.speaker, is_near and (self._was_attributed or self._is_one_sentence())
        if not self._was_closed and not self._between.strip():
            return last.turn, last.speaker, True
        if is_near and (not self._between.strip() or (paragraphs == 1 and self._opens_paragraph)):
            return last.turn.other, None, False
        return self._new_exchange(), None, False

    def _new_exchange(self) -> Turn:
        self._exchanges += 1
        return Turn(self._exchanges, 0)

    def _is_continuation(self) -> bool:
        """Whether a quotation that opens here is a part of the last one."""
        if self._last is None or not self._between.strip() or self._paragraphs != self._paragraph_of_last:
            return False
        return self._paragraphs > 0 or (len(self._between) < _CONTEXT and self._is_one_sentence())

    def _is_one_sentence(self) -> bool:
        """Whether what stands since the last quotation ends none, so that its sentence goes on: "said Jane,"."""
        return _GOES_ON.fullmatch(_ABBREVIATED.sub("", self._between)) is not None

    def _close_dash(self, place: int) -> None:
        """Close what a dash opened, and divide it where an attribution stands in it."""
        told, begin, last = attribution_inside(self._inside), self._starts[-1], self._last
        self._close(place, by_mark=False)
        self._was_closed = True
        if self._inside.rstrip()[-1:].isalnum():  # a signature: "—Ada Vale"
            self._parts.pop()
            self._quotations[-2] = self._last = None
            return
        if told is None or last is None:
            return
        named, start, end = told[0], *(begin + 1 + each for each in told[1:])
        named = named._replace(place=begin + 1 + named.place)
        end += len(self._inside[end - begin - 1 :]) - len(self._inside[end - begin - 1 :].lstrip())
        whole = self._parts.pop()
        self._parts.append(whole._replace(end=start, attribution=named))
        self._last = replace(last, speaker=named.subject)
        self._quotations[-2:], self._starts[-1:] = [self._last, None], [start]
        if end < whole.end:
            self._parts.append(whole._replace(start=end, attribution=None, is_continuation=True))
            self._quotations += [self._last, None]
            self._starts += [end, place]
        self._attributing[named.place] = last.turn

    def _close(self, place: int, *, by_mark: bool, end: int | None = None) -> None:
        if self._last is not None:
            end = place + 1 if by_mark else min(place, self._solid_end if end is None else end)
            self._parts.append(
                QuotedPart(self._starts[-1], end, self._last.turn, False, self._is_rest, self._named_before)
            )
        self._opener = ""
        self._was_closed = by_mark
        self._starts.append(place)
        self._quotations.append(None)
        self._between = ""
        self._after = "" if by_mark else None
        self._was_attributed = False

    def _attribute_last(self) -> None:
        """Note who is said to have spoken in the quotation that was closed last."""
        if self._after is None or self._last is None:
            return
        told = attribution_after(self._after)
        if told is not None:
            self._last = self._quotations[-2] = replace(self._last, speaker=told.subject)
            place = self._starts[-1] + 1 + told.place  # counted from the closing mark
            self._attributing[place] = self._last.turn
            self._parts[-1] = self._parts[-1]._replace(attribution=told._replace(place=place))
            self._was_attributed = True
        self._after = None

    def _end_paragraph(self, place: int) -> None:
        if self._opener == "—":
            self._close_dash(place)
        elif self._opener:
            self._close(place, by_mark=False)
        self._attribute_last()
        if not self._opens_paragraph:
            self._paragraphs += 1
        self._opens_paragraph = True

    def _give_up(self, place: int) -> None:
        """Close a quotation that has become too long by a place."""
        if self._opener and place - self._starts[-1] >= _LONGEST:
            self._close(self._starts[-1] + _LONGEST, by_mark=False)


def _may_begin(piece: str) -> bool:
    """Whether a quotation may begin so."""
    return not piece[0].isspace() and piece[0] not in _NOT_OPENED
