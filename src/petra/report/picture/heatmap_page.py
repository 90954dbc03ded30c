"""Pictures of memory logs as one HTML file that needs nothing else.

The squares are cells of tables, so that their values can be read by pointing at them,
heard from a screen reader and copied into a spreadsheet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from petra.report.picture.captions import COREF, MEANINGS, NOBODY, OVERWRITE, heading, key, notes, unused_note
from petra.report.picture.panels import Panel, PanelLog
from petra.report.picture.shades import NUM_COLOURS
from petra.report.templating import Templates, asset

_ROOM: Final = "petra.report.picture"
_TEMPLATES: Final = Templates(_ROOM)
_LEAST_WRITTEN: Final = 0.005  # less is 0.00


class _Square(NamedTuple):
    classes: str
    value: str  # with two decimals; empty for 0
    words: str  # what it is the value of


class _HeatmapRow(NamedTuple):
    cell: int  # from 1
    label: str  # OW or CR
    squares: list[_Square]


def heatmap_page(panels: Sequence[Panel]) -> str:
    """The page for panels, one below the other."""
    page = _TEMPLATES.fill(
        "log.html",
        title=heading(panels),
        style=Markup(log_style()),
        panels=[heatmap_tables(panel, focusable=True) for panel in panels],
        key=" ".join([key(), *notes(panels)]),
    )
    return str(page)


def log_style() -> str:
    """The style of the tables."""
    return asset(_ROOM, "styles", "log.css")


def heatmap_tables(panel: Panel, *, focusable: bool = False) -> Markup:
    """A panel as HTML to be put into a page with the style of ``log_style``: a table for each line.

    Focusable lines are scrolled by keys; a page with a place of its own to scroll them in needs none.
    """
    return _TEMPLATES.fill(
        "tables.html",
        panel=panel,
        focusable=focusable,
        nobody=NOBODY,
        meanings=MEANINGS,
        unused_note=unused_note,
        rows=lambda reading, line: _rows(panel, reading, line),
        numbers=_numbers,
        num_colours=NUM_COLOURS,
    )


def _numbers(reading: PanelLog, line: range) -> Iterator[int]:
    """The number of whoever is mentioned from a column on; 0 where nobody is, or still the same."""
    mentioned = [0, *reading.persons[line.start : line.stop].tolist()]
    return (now if now != before else 0 for before, now in pairwise(mentioned))


def _rows(panel: Panel, reading: PanelLog, line: range) -> Iterator[_HeatmapRow]:
    for cell in panel.cells_in(reading, line):
        for label, values, persons in (
            (OVERWRITE, reading.overwrite_prob, reading.overwrite_persons),
            (COREF, reading.coref_prob, reading.coref_persons),
        ):
            squares = _squares(panel, line, values[:, cell], persons[:, cell], f"cell {cell + 1}, {label}")
            yield _HeatmapRow(cell + 1, label, list(squares))


def _squares(
    panel: Panel, line: range, values: NDArray[np.float32], persons: NDArray[np.int64], where: str
) -> Iterator[_Square]:
    for place in line:
        column, value, person = panel.columns[place], float(values[place]), int(persons[place])
        classes = ["gap"] if column.is_gap else []
        classes += ["joins"] if column.joins else []
        if value < _LEAST_WRITTEN:
            yield _Square(" ".join(classes), "", "")
            continue
        classes += [f"c{(person - 1) % NUM_COLOURS}"] if person else []
        yield _Square(" ".join(classes), f"{value:.2f}", f"{column.label}: {where} {value:.2f}")
