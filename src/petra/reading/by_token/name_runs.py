"""Runs of words that could be one name, and the mentions among them.

A run holds neighbouring words: those the memory decided on, words that look like parts
of a name, and the small words inside names. ``resolve`` picks the mentions (docs/people.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Literal

from petra.domain import Kind
from petra.english.vocabulary import (
    DETERMINERS,
    LEADING_PARTICLES,
    LINKERS,
    ORDINARY_OPENERS,
    ORDINARY_WORDS,
    PARTICLES,
    PERSON_NOUNS,
    is_capitalised,
    is_initial,
    is_pronoun,
    is_suffix,
    looks_like_name,
    plain,
)
from petra.reading.by_token.decisions import Decision
from petra.reading.by_token.words import Word

_MOST_PASSED_OVER = 2  # words in a row that the memory passed over and a name still takes in
_MOST_SMALL_WORDS = 2  # in a row inside a name: "Ludwig Mies van der Rohe"


class Role(Enum):
    """What a word can be in a run."""

    NAME = auto()
    PARTICLE = auto()  # van, de
    LINKER = auto()  # of, the
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class RunWord:
    """A word in a run."""

    word: Word
    role: Role
    opens_sentence: bool

    @property
    def decided(self) -> bool:
        return bool(self.word.decisions)


@dataclass(frozen=True, slots=True)
class Group:
    """Neighbouring words that make one mention or, with no kind, words that make none."""

    words: tuple[Word, ...]
    kind: Kind | None

    @property
    def start(self) -> int:
        return self.words[0].start

    @property
    def end(self) -> int:
        # The dot after a last initial ends the sentence: "Malcolm X."
        last = self.words[-1]
        return last.end - (is_initial(last.text) and last.text.endswith("."))

    @property
    def decisions(self) -> list[Decision]:
        """What was decided from its first word to its last, in order."""
        first, *others = self.words
        return [*first.decisions, *(d for word in others for d in (*word.gap_decisions, *word.decisions))]


def role_of(word: Word, opens_sentence: bool) -> Role | None:
    """What a word can be in a run; None for pronouns and for words that end one."""
    if is_pronoun(word.text):
        return None
    if word.text in PARTICLES:
        return Role.PARTICLE
    if word.text in LINKERS:
        return Role.LINKER
    if word.decisions:
        named = is_capitalised(word.text) and plain(word.text) not in ORDINARY_WORDS
        return Role.NAME if named or is_suffix(word.text) else Role.OTHER
    ordinary = opens_sentence and plain(word.text) in ORDINARY_OPENERS
    return Role.NAME if looks_like_name(word.text) and not ordinary else None


def resolve(run: Sequence[RunWord]) -> list[Group]:
    """The groups of a run in order: its names, and the other words that were decided on."""
    groups: list[Group] = []
    done = 0
    for name in _names(run):
        groups += _others(run[done : name.start])
        groups.append(_named([run[place] for place in name]))
        done = name.stop
    return groups + _others(run[done:])


def _names(run: Sequence[RunWord]) -> list[range]:
    """Where the names are: around each word of a name that was decided on."""
    names: list[range] = []
    free = 0  # the first place that no name has taken
    for place, placed in enumerate(run):
        if place >= free and placed.decided and placed.role is Role.NAME:
            free, begin = _end_of_name(run, place), _begin_of_name(run, place, free)
            names.append(range(begin, free))
    return names


def _end_of_name(run: Sequence[RunWord], place: int) -> int:
    begin, passed_over = place, 0
    while (step := _neighbour(run, place, 1)) is not None:
        linked = any(placed.role is Role.LINKER for placed in run[place:step])
        passed_over = 0 if run[step].decided else passed_over + _weighs(run[step])
        if passed_over > _MOST_PASSED_OVER or (linked and not _share_cell(run[begin : place + 1], run[step])):
            break
        place = step
    return place + 1


def _begin_of_name(run: Sequence[RunWord], place: int, free: int) -> int:
    # A decided word further left has already reached as far right as it could: here are only passed-over ones.
    passed_over = 0
    while (step := _neighbour(run, place, -1)) is not None and step >= free:
        linked = any(placed.role is Role.LINKER for placed in run[step:place])
        passed_over += _weighs(run[step])
        if linked or passed_over > _MOST_PASSED_OVER:
            break
        place = step
    while place > free and _leads(run[place - 1]):
        place -= 1
    return place


def _neighbour(run: Sequence[RunWord], place: int, direction: Literal[1, -1]) -> int | None:
    """The nearest word of a name in a direction, over a few small words."""
    for _ in range(_MOST_SMALL_WORDS + 1):
        place += direction
        if not 0 <= place < len(run) or run[place].role is Role.OTHER:
            return None
        if run[place].role is Role.NAME:
            return place
    return None


def _weighs(placed: RunWord) -> bool:
    """Whether a word counts against the limit; initials and suffixes come with any name."""
    return not (is_initial(placed.word.text) or is_suffix(placed.word.text))


def _share_cell(name: Sequence[RunWord], further: RunWord) -> bool:
    cells = {decision.cell for placed in name for decision in placed.word.decisions}
    return any(decision.cell in cells for decision in further.word.decisions)


def _leads(placed: RunWord) -> bool:
    return placed.role is Role.PARTICLE and (placed.decided or placed.word.text in LEADING_PARTICLES)


def _named(name: Sequence[RunWord]) -> Group:
    first = name[0]
    common = len(name) == 1 and first.opens_sentence and plain(first.word.text) in PERSON_NOUNS
    return Group(tuple(placed.word for placed in name), "nominal" if common else "name")


def _others(placed: Sequence[RunWord]) -> list[Group]:
    """The nominal mentions among words outside names: runs of words that were decided on."""
    groups: list[Group] = []
    run: list[Word] = []
    for item in placed:
        if item.decided:
            run.append(item.word)
            continue
        groups += _nominal(run)
        run = []
        if item.word.gap_decisions:
            groups.append(Group((item.word,), None))
    return groups + _nominal(run)


def _nominal(run: Sequence[Word]) -> list[Group]:
    """One nominal mention, less the ordinary words at either end but for a determiner."""
    telling = [place for place, word in enumerate(run) if plain(word.text) not in ORDINARY_WORDS]
    begin, end = (telling[0], telling[-1] + 1) if telling else (0, 0)
    if begin and plain(run[begin - 1].text) in DETERMINERS:
        begin -= 1
    pieces: list[tuple[Sequence[Word], Kind | None]] = [
        (run[:begin], None),
        (run[begin:end], "nominal"),
        (run[end:], None),
    ]
    return [Group(tuple(words), kind) for words, kind in pieces if words]
