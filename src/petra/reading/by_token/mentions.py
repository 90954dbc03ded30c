"""Mentions: the places of a text where a person is mentioned.

The memory decides token by token; a mention is whole words, and a name keeps its
words together. ``MentionReader`` cuts the words of a text into runs that could each be
one name, and ``name_runs.resolve`` picks the mentions of a run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from petra.english.vocabulary import is_suffix
from petra.reading.by_token.name_runs import Group, Role, RunWord, resolve, role_of
from petra.reading.by_token.words import Word

_MOST_WORDS = 16  # of a run, so that a text in Title Case is not one endless name
_SAME_LINE_OR_NEXT = re.compile(r"[^\S\r\n]*(\r\n|\r|\n)?[^\S\r\n]*")
_BEFORE_SUFFIX = re.compile(r",?[^\S\r\n]?")
_WITHIN_SENTENCE = re.compile(r"[\s,]*")
_BLANK_LINE = re.compile(r"(\r\n|\r|\n)[^\S\r\n]*(\r\n|\r|\n)")


class MentionReader:
    """Groups the words of a text in order; a group comes out when no later word can join it."""

    def __init__(self) -> None:
        self._run: list[RunWord] = []
        self._last: Word | None = None

    @property
    def needs_from(self) -> int | None:
        """The place from which on the text is still needed, if it is."""
        return self._run[0].word.start if self._run else None

    def read(self, word: Word) -> Iterator[Group]:
        """The groups finished by a word."""
        opens_sentence = _opens_sentence(self._last, word)
        role = role_of(word, opens_sentence)
        if role is None or not self._continues(word):
            yield from self.finish()
        self._last = word
        if role is not None and (self._run or word.decisions or role is not Role.LINKER):
            self._run.append(RunWord(word, role, opens_sentence))
        elif word.decisions:
            yield Group((word,), "pronoun")
        elif word.gap_decisions:
            yield Group((word,), None)

    def finish(self) -> Iterator[Group]:
        """The groups of the run still open."""
        run, self._run = self._run, []
        yield from resolve(run)

    def _continues(self, word: Word) -> bool:
        """Whether the open run may take in a word: nothing but white space, or a comma before a suffix, is between."""
        if not self._run or len(self._run) == _MOST_WORDS:
            return False
        last = self._run[-1].word
        if last.has_ending or is_suffix(last.text):
            return False
        before_suffix = is_suffix(word.text) and _BEFORE_SUFFIX.fullmatch(word.gap)
        return bool(before_suffix or _SAME_LINE_OR_NEXT.fullmatch(word.gap))


def _opens_sentence(last: Word | None, word: Word) -> bool:
    return (
        last is None
        or is_suffix(last.text)
        or _WITHIN_SENTENCE.fullmatch(word.gap) is None
        or _BLANK_LINE.search(word.gap) is not None
    )
