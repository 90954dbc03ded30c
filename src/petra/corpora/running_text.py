"""Running text from tokens: the spaces of a tokenised corpus put back as people write them.

Punctuation and clitics go to the word they belong to. Marks that look the same on both
sides of what they enclose (", ', _) are told apart by where they stand and by what is
open. Where the tokens do not tell, any choice will do: the place of every token in the
text is exact whatever was chosen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

_CLOSES = re.compile(r"[,.;:!?)\]}”’%]+")
_OPENS = re.compile(r"[(\[{“‘`$£]+")
_JOINS = re.compile(r"-+|[–—]+")
_CLITIC = re.compile(r"n['’]t|['’](?:s|m|d|ll|ve|re)", re.IGNORECASE)
_TWO_SIDED = ('"', "_", "'")


@dataclass(frozen=True, kw_only=True, slots=True)
class RunningText:
    """A text and where each token stands in it: ``text[start:end]`` is the token."""

    text: str
    places: tuple[tuple[tuple[int, int], ...], ...]  # of each token of each sentence


class _Token(NamedTuple):
    """A token and its neighbours in the sentence, empty where there is none."""

    text: str
    before: str
    after: str


def write_out(sentences: Sequence[Sequence[str]]) -> RunningText:
    """The text that the tokens of these sentences were cut from, as far as they tell."""
    pieces: list[str] = []
    places: list[tuple[tuple[int, int], ...]] = []
    length, is_glued = 0, True
    open_marks: set[str] = set()
    for sentence in sentences:
        found: list[tuple[int, int]] = []
        for token in _with_neighbours(sentence):
            glues_left, glues_right = _glue(token, open_marks)
            space = "" if is_glued or glues_left else " "
            start = length + len(space)
            length = start + len(token.text)
            pieces += space, token.text
            found.append((start, length))
            is_glued = glues_right
        places.append(tuple(found))
    return RunningText(text="".join(pieces), places=tuple(places))


def _with_neighbours(sentence: Sequence[str]) -> Iterator[_Token]:
    return map(_Token, sentence, ["", *sentence], [*sentence[1:], ""])


def _glue(token: _Token, open_marks: set[str]) -> tuple[bool, bool]:
    """Whether a token stands right behind the one before and right before the one after; keeps track of marks."""
    if token.text in _TWO_SIDED:
        return _glue_two_sided(token, open_marks)
    if _JOINS.fullmatch(token.text):
        return token.before != "", token.after != ""
    closes = _CLOSES.fullmatch(token.text) or _CLITIC.fullmatch(token.text)
    return closes is not None, _OPENS.fullmatch(token.text) is not None


def _glue_two_sided(token: _Token, open_marks: set[str]) -> tuple[bool, bool]:
    mark, before, after = token
    if mark == "'" and _is_word(before) and (_is_word(after) or mark not in open_marks):
        return True, False  # an apostrophe: "the boys' room", "goin' on"
    # Speech over several paragraphs opens each of them anew, so a quotation mark that begins a sentence opens.
    reopens = before == "" and mark != "_"
    closes = after == "" or (mark in open_marks and not reopens)
    if closes:
        open_marks.discard(mark)
    else:
        open_marks.add(mark)
    return closes, not closes


def _is_word(token: str) -> bool:
    return token[-1:].isalnum()
