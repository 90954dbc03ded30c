"""What a picture of memory logs shows, before anything is drawn.

A panel is one text with one reading of it or several, one above the other. Each reading
has two rows for a cell, OW and CR, over columns that they all share.

Letters: C columns, P places along the text, N cells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from petra.domain import Person
from petra.log.memory_log import MemoryLog
from petra.people.finding import find_people
from petra.people.occupancy import decided_tokens, find_occupancy
from petra.report.picture.columns import (
    Column,
    Places,
    flags_at,
    fold,
    gates_at,
    joins_at,
    make_columns,
    places_of,
    shown_around,
    values_at,
)
from petra.report.picture.passages import find_passage
from petra.report.values.differences import compare

MOST_COLUMNS = 400  # of a picture, unless its end is chosen
_MOST_CHOSEN_COLUMNS = 2000  # even then: what still makes a picture
_PAGE_ROWS = 84  # that a page holds beside the names of people, by rows_of: 10.7 inches, A4 within margins
_TITLE_ROWS, _WORDS_ROWS = 3, 8
NOTABLE = 0.1  # the least gate for which a place is shown and a cell counts as used

_Scalar = TypeVar("_Scalar", bound=np.generic)


@dataclass(frozen=True, kw_only=True, slots=True)
class View:
    """What to show of memory logs."""

    first: str | None = None  # where to begin and end: a character offset, or words of the text
    last: str | None = None
    threshold: float | None = None  # the least probability of a decision that counts; the log's own if None
    columns_per_line: int = 40
    all_tokens: bool = False  # also where there are no people
    all_cells: bool = False  # also those that are not used
    with_people: bool = False  # who is meant, beside what was decided
    compared: bool = False  # of several readings of a text: what differs is marked, and a page holds the picture


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class PanelLog:
    """One log's rows of a panel."""

    title: str
    num_cells: int  # N
    cells: tuple[int, ...]  # those shown, from 0
    overwrite_prob: NDArray[np.float32]  # o  (C, N), 0 where text is skipped
    coref_prob: NDArray[np.float32]  # c  (C, N)
    people: tuple[Person, ...]  # those shown, if asked for
    persons: NDArray[np.int64]  # (C,) the id of who is mentioned, 0 for nobody; of nested mentions, the inner one's
    overwrite_persons: NDArray[np.int64]  # (C, N) the id of whom a decision wrote to a cell, 0 for nobody
    coref_persons: NDArray[np.int64]  # (C, N) the id of whom a decision referred to in a cell

    @property
    def unused(self) -> tuple[int, ...]:
        """The cells left out."""
        return tuple(sorted(set(range(self.num_cells)) - set(self.cells)))


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Panel:
    """One text and its readings."""

    columns: tuple[Column, ...]
    lines: tuple[range, ...]  # of columns, as they are folded
    decided: NDArray[np.bool_]  # (C,) whether a reading decided on something there
    readings: tuple[PanelLog, ...]
    num_columns: int  # of the passage; more than are shown if the picture would be too large
    num_characters: int  # of the whole text
    differs: NDArray[np.bool_]  # (C,) whether the readings differ there; False where they are not compared
    num_differences: int  # of the passage
    compared: bool  # several readings are; each line then has only the cells that are used in it
    only_differences: bool  # whether text on which the readings agree is left out

    @property
    def span(self) -> tuple[int, int]:
        """The characters from the first column to the last."""
        return (self.columns[0].start, self.columns[-1].end) if self.columns else (0, 0)

    def cells_in(self, reading: PanelLog, line: range) -> tuple[int, ...]:
        """The cells of a reading that a line shows."""
        if not self.compared:
            return reading.cells
        values = np.maximum(reading.overwrite_prob, reading.coref_prob)[line.start : line.stop]
        used = (values >= np.float32(NOTABLE)).any(axis=0)
        return tuple(cell for cell in reading.cells if used[cell]) or reading.cells[:1]

    def rows_of(self, line: range) -> int:
        """How tall a line is, in rows of squares: two for each cell, and what titles, numbers and words take."""
        return _WORDS_ROWS + sum(2 * len(self.cells_in(each, line)) + _TITLE_ROWS for each in self.readings)

    @property
    def is_cut(self) -> bool:
        """Whether the passage goes on after the last column."""
        return self.num_columns > len(self.columns)

    @property
    def shows_tokens(self) -> bool:
        """Whether there is more to see than skipped text."""
        return any(not column.is_gap for column in self.columns)


def make_panels(logs: Sequence[MemoryLog], view: View, titles: Sequence[str] = ()) -> tuple[Panel, ...]:
    """The panels of logs, in order; logs of the same text share one.

    Titles are given in the order of the logs; one left out is the model's name and its number of cells.
    """
    named = [*titles, *(own_title(log) for log in logs[len(titles) :])]
    by_text: dict[str, list[tuple[MemoryLog, str]]] = {}
    for log, title in zip(logs, named, strict=True):
        by_text.setdefault(log.text, []).append((log, title))
    return tuple(_panel(text, readings, view) for text, readings in by_text.items())


def own_title(log: MemoryLog) -> str:
    """The title of a log that is given none."""
    return f"{log.model}, {log.num_cells} {'cell' if log.num_cells == 1 else 'cells'}"


def _panel(text: str, given: Sequence[tuple[MemoryLog, str]], view: View) -> Panel:
    start, end = find_passage(text, view.first, view.last)
    logs = [log for log, _ in given]
    places = places_of(logs, start, end)
    gates = [gates_at(places, log, log.tokens_in(start, end)) for log in logs]
    strongest = [np.maximum(*pair).max(axis=1) for pair in gates]  # (P,) each
    joins = joins_at(places, logs[0], logs[0].tokens_in(start, end))
    thresholds = [_threshold(log, view) for log in logs]
    notable = [
        notable_at(places, log, log.tokens_in(start, end), values, least)
        for log, values, least in zip(logs, strongest, thresholds, strict=True)
    ]
    decided = [
        flags_at(places, log, log.tokens_in(start, end), decided_tokens(log, least))
        for log, least in zip(logs, thresholds, strict=True)
    ]
    compared = view.compared and len(logs) > 1
    people = _people(logs, thresholds, shared=compared) if compared or view.with_people else [_NOBODY for _ in logs]
    spans = _differing_spans(people, start, end) if compared else []
    differs = np.zeros(len(places), dtype=np.bool_)
    for span in spans:
        differs[places.overlapping(*span)] = True

    def assembled(shown: NDArray[np.bool_], most: int, *, only_differences: bool = False) -> Panel:
        columns, at = make_columns(text, places, shown, joins)
        at, kept = at[:most], tuple(columns[:most])
        return Panel(
            columns=kept,
            lines=fold(kept, view.columns_per_line),
            decided=_taken(np.logical_or.reduce(decided), at),
            readings=tuple(
                _reading(log, title, (start, end), places, at, pair, view, found)
                for (log, title), pair, found in zip(given, gates, people, strict=True)
            ),
            num_columns=len(columns),
            num_characters=len(text),
            differs=_taken(differs, at),
            num_differences=len(spans),
            compared=compared,
            only_differences=only_differences,
        )

    everywhere = np.ones(len(places), dtype=np.bool_)
    shown = everywhere if view.all_tokens else shown_around(np.logical_or.reduce(notable), joins)
    panel = assembled(shown, MOST_COLUMNS if view.last is None else _MOST_CHOSEN_COLUMNS)
    if not compared or view.last is not None or view.all_tokens or _columns_on_page(panel) == panel.num_columns:
        return panel
    if differs.any():
        shown = shown_around(differs, joins)
        panel = assembled(shown, MOST_COLUMNS, only_differences=True)
    return assembled(shown, _columns_on_page(panel), only_differences=panel.only_differences)


class _FoundPeople(NamedTuple):
    """The people of a reading, and the numbers that they are shown by."""

    people: tuple[Person, ...]
    numbers: Mapping[int, int]


_NOBODY = _FoundPeople((), {})


def _people(logs: Sequence[MemoryLog], thresholds: Sequence[float], *, shared: bool) -> list[_FoundPeople]:
    """The people of each reading; if their numbers are shared, somebody of a later reading has that of the first."""
    found: list[_FoundPeople] = []
    free = 0  # the last number that was given to anybody
    for log, threshold in zip(logs, thresholds, strict=True):
        people = find_people(log, threshold)
        numbers = {person.id: person.id for person in people}
        if shared and found:
            same = {other: one for one, other in compare(found[0].people, people).same_people.items()}
            own = (person.id for person in people if person.id not in same)
            numbers = {**same, **{person: free + at for at, person in enumerate(own, start=1)}}
        free = max([free, *numbers.values()])
        found.append(_FoundPeople(people, numbers))
    return found


def _differing_spans(found: Sequence[_FoundPeople], start: int, end: int) -> list[tuple[int, int]]:
    """Where the readings after the first differ from it, in a passage."""
    differences = (each for other in found[1:] for each in compare(found[0].people, other.people).differences)
    spans = dict.fromkeys(each.span for each in differences)
    return sorted(span for span in spans if span[0] < end and span[1] > start)


def _columns_on_page(panel: Panel) -> int:
    """How many columns are on the lines that a page holds; those of one line at least."""
    rows = 0
    columns = 0
    for line in panel.lines:
        rows += panel.rows_of(line)
        if columns and rows > _PAGE_ROWS:
            break
        columns = line.stop
    return columns


def notable_at(
    places: Places, log: MemoryLog, tokens: range, strongest: NDArray[np.float32], threshold: float
) -> NDArray[np.bool_]:
    """Whether each place is worth showing, (P,): a gate is strong enough there.

    In a log read mention by mention only the head tokens have gates, so every place of a
    mention is shown, however weak its gates are.
    """
    notable: NDArray[np.bool_] = strongest >= np.float32(min(NOTABLE, threshold))
    if log.read_by == "mention" and log.mentions is not None:
        likely = log.mention_prob[log.mentions.heads] >= np.float32(threshold)
        mentioned = np.zeros(log.num_tokens, dtype=np.bool_)
        for start, end in zip(log.mentions.starts[likely].tolist(), log.mentions.ends[likely].tolist(), strict=True):
            covered = log.tokens_in(start, end)
            mentioned[covered.start : covered.stop] = True
        notable |= flags_at(places, log, tokens, mentioned)
    return notable


def _threshold(log: MemoryLog, view: View) -> float:
    return log.threshold if view.threshold is None else view.threshold


def _reading(
    log: MemoryLog,
    title: str,
    passage: tuple[int, int],
    places: Places,
    at: NDArray[np.int64],
    gates: tuple[NDArray[np.float32], NDArray[np.float32]],
    view: View,
    found: _FoundPeople,
) -> PanelLog:
    overwrite, coref = (_taken(values, at) for values in gates)
    used = np.flatnonzero((np.maximum(overwrite, coref) >= np.float32(NOTABLE)).any(axis=0))
    # With nothing used there is nothing to prefer, and the empty rows say so.
    cells = range(log.num_cells) if view.all_cells or not len(used) else used.tolist()
    people: list[Person] = []
    persons = np.zeros(len(places), dtype=np.int64)
    by_gate = np.zeros((2, len(places), log.num_cells), dtype=np.int64)
    if view.with_people:
        threshold, tokens = _threshold(log, view), log.tokens_in(*passage)
        occupancy = find_occupancy(log, found.people, threshold)
        persons = values_at(places, log, tokens, occupancy.persons)
        by_gate = np.stack(
            [
                values_at(places, log, tokens, flags * occupancy.persons[:, None])
                for flags in (occupancy.written, occupancy.meant)
            ]
        )
        shown = _shown_people(found.people, places, at)
        people = sorted((replace(each, id=found.numbers[each.id]) for each in shown), key=lambda each: each.id)
    shown_as = np.array([0, *(found.numbers[person.id] for person in found.people)], dtype=np.int64)  # by id
    persons, overwrite_persons, coref_persons = (shown_as[_taken(values, at)] for values in (persons, *by_gate))
    return PanelLog(
        title=title,
        num_cells=log.num_cells,
        cells=tuple(cells),
        overwrite_prob=overwrite,
        coref_prob=coref,
        people=tuple(people),
        persons=persons,
        overwrite_persons=overwrite_persons,
        coref_persons=coref_persons,
    )


def _shown_people(people: Sequence[Person], places: Places, at: NDArray[np.int64]) -> tuple[Person, ...]:
    """The people with a mention in the columns."""
    shown = np.zeros(len(places), dtype=np.bool_)
    shown[at[at >= 0]] = True
    return tuple(
        person
        for person in people
        if any(shown[places.overlapping(mention.start, mention.end)].any() for mention in person.mentions)
    )


def _taken(values: NDArray[_Scalar], at: NDArray[np.int64]) -> NDArray[_Scalar]:
    """The values at the places of columns; 0 where text is skipped."""
    taken = np.zeros((len(at), *values.shape[1:]), dtype=values.dtype)
    taken[at >= 0] = values[at[at >= 0]]
    return taken
