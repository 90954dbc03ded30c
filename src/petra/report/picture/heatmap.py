"""Pictures of memory logs, drawn with Matplotlib: tokens along x, cells along y."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians, sin

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from petra.report.picture.captions import COREF, NOBODY, OVERWRITE, key, notes, unused_note
from petra.report.picture.columns import one_line
from petra.report.picture.panels import Panel, PanelLog
from petra.report.picture.shades import GROUND, person_colour, shades
from petra.report.picture.sheet import Box, Sheet, line_height, style, text_width

# Inches.
_MARGIN = 0.12
_GUTTER = 0.5  # left of the squares, for the names of the rows
_COLUMN, _ROW = 0.17, 0.135
_LOW_ROW = 0.105  # where readings are compared, so that a page holds them
_SEAM = 0.012  # between rows and between words; pieces of one word touch
_BETWEEN_CELLS, _BETWEEN_READINGS, _BETWEEN_LINES, _BETWEEN_PANELS, _BEFORE_WORDS = 0.045, 0.1, 0.16, 0.22, 0.07
_LEAST_WIDTH = 4.5  # for the words below

# Points.
_LABEL, _SMALL, _TITLE = 7.0, 6.0, 8.5

_ANGLE = radians(60)  # of the labels
_LONGEST_TITLE, _LONGEST_NAME = 60, 40  # characters
_INK, _QUIET, _DIFFERS = "#1c2430", "#6f7782", "#b34a00"
_LEAST_DRAWN = 0.005  # lighter is not seen


def draw(panels: Sequence[Panel], *, font: str | None = None) -> Figure:
    """The panels, one below the other. ``font`` is a family for characters that DejaVu Sans lacks."""
    with style(font):
        sheet = Sheet(_width_for(panels))
        top = _MARGIN
        for number, panel in enumerate(panels):
            top = _draw_panel(sheet, panel, top + (_BETWEEN_PANELS if number else 0))
        return sheet.cut(_draw_key(sheet, panels, top + _BEFORE_WORDS) + _MARGIN)


def _width_for(panels: Sequence[Panel]) -> float:
    longest = max((len(line) for panel in panels for line in panel.lines), default=0)
    titles = [one_line(reading.title, _LONGEST_TITLE) for panel in panels for reading in panel.readings]
    title_width = max((text_width(title, _TITLE, bold=True) for title in titles), default=0.0)
    return max(_LEAST_WIDTH, _GUTTER + longest * _COLUMN + 2 * _MARGIN, title_width + 2 * _MARGIN)


def _draw_panel(sheet: Sheet, panel: Panel, top: float) -> float:
    """Draw a panel from the top down; where it ends."""
    if not panel.shows_tokens:
        for reading in panel.readings:
            top = _draw_title(sheet, reading.title, "", top)
        return sheet.write_lines(_MARGIN, top, NOBODY, size=_LABEL, colour=_QUIET, margin=_MARGIN)
    several = len(panel.readings) > 1
    for number, line in enumerate(panel.lines):
        top += _BETWEEN_LINES if number else 0
        for place, reading in enumerate(panel.readings):
            top += _BETWEEN_READINGS if place else 0
            if several or number == 0:
                top = _draw_title(sheet, reading.title, "" if number else unused_note(reading), top)
            top = _draw_reading(sheet, panel, reading, line, top)
        top = _draw_labels(sheet, panel, line, top)
    for reading in panel.readings:
        top = _draw_people(sheet, reading, top, titled=several)
    return top


def _draw_title(sheet: Sheet, title: str, aside: str, top: float) -> float:
    height = line_height(_TITLE)
    title = one_line(title, _LONGEST_TITLE)
    sheet.write(_MARGIN, top + height / 2, title, size=_TITLE, colour=_INK, weight="bold")
    left = _MARGIN + text_width(title, _TITLE, bold=True) + 0.12
    if aside and left + text_width(aside, _SMALL) <= sheet.width - _MARGIN:
        sheet.write(left, top + height / 2, aside, size=_SMALL, colour=_QUIET)
    elif aside:
        height += line_height(_SMALL)
        sheet.write(_MARGIN, top + height - line_height(_SMALL) / 2, aside, size=_SMALL, colour=_QUIET)
    return top + height + 0.03


def _draw_reading(sheet: Sheet, panel: Panel, reading: PanelLog, line: range, top: float) -> float:
    """Two rows for each cell, with the names of the rows on the left and the people's numbers above."""
    if reading.people:
        top = _draw_numbers(sheet, reading, line, top)
    height = _LOW_ROW if panel.compared else _ROW
    for cell in panel.cells_in(reading, line):
        left = _left(line, line.start)
        sheet.write(left - 0.27, top + height, str(cell + 1), size=_LABEL, colour=_INK, ha="right")
        for row, values, persons in (
            (OVERWRITE, reading.overwrite_prob, reading.overwrite_persons),
            (COREF, reading.coref_prob, reading.coref_persons),
        ):
            sheet.write(left - 0.05, top + height / 2, row, size=_SMALL, colour=_QUIET, ha="right")
            _draw_row(sheet, panel, line, (top, height), values[:, cell], persons[:, cell], f"{row} {cell + 1}")
            top += height
        top += _BETWEEN_CELLS
    return top - _BETWEEN_CELLS


def _draw_row(
    sheet: Sheet,
    panel: Panel,
    line: range,
    place: tuple[float, float],
    values: NDArray[np.float32],
    persons: NDArray[np.int64],
    name: str,
) -> None:
    """One row, by its top and height: a light ground where text is shown, and on it a square for what is probable."""
    top, height = place
    ground: list[Box] = []
    squares: list[Box] = []
    probable = [column for column in line if values[column] >= _LEAST_DRAWN]
    for column in line:
        left, right, bottom = _left(line, column), _left(line, column + 1), top + height - _SEAM
        if panel.columns[column].is_gap:
            continue
        if ground and column > line.start and not panel.columns[column - 1].is_gap:
            ground[-1] = (ground[-1][0], top, right, bottom)
        else:
            ground.append((left, top, right, bottom))
        if values[column] >= _LEAST_DRAWN:
            seam = 0 if panel.columns[column].joins else _SEAM
            squares.append((left + seam, top, right, bottom))
    sheet.draw(ground, [GROUND], name="ground")
    sheet.draw(squares, shades(values[probable], persons[probable]), name=name)


def _draw_numbers(sheet: Sheet, reading: PanelLog, line: range, top: float) -> float:
    """The number of each person over the beginnings of their mentions."""
    before = 0
    for column in line:
        person = int(reading.persons[column])
        if person and person != before:
            left, middle = _left(line, column) + _SEAM, top + line_height(_SMALL) / 2
            sheet.write(left, middle, str(person), size=_SMALL, colour=_INK, weight="bold")
        before = person
    return top + line_height(_SMALL)


def _draw_labels(sheet: Sheet, panel: Panel, line: range, top: float) -> float:
    """The text below its columns: aslant, dark where something was decided."""
    reach = 0.0
    for place in line:
        column, middle = panel.columns[place], _left(line, place) + (_COLUMN + _SEAM) / 2
        if column.is_gap:
            sheet.write(middle, top + 0.05, column.label, size=_TITLE, colour=_QUIET, ha="center")
            continue
        colour = _DIFFERS if panel.differs[place] else _INK if panel.decided[place] else _QUIET
        if panel.differs[place]:
            bar = (_left(line, place) + _SEAM, top + 0.005, _left(line, place + 1), top + 0.04)
            sheet.draw([bar], [_DIFFERS], name="differs")
        look = {"ha": "right", "rotation": np.degrees(_ANGLE), "rotation_mode": "anchor"}
        sheet.write(middle, top + 0.06, column.label, size=_LABEL, colour=colour, **look)
        reach = max(reach, text_width(column.label, _LABEL))
    return top + 0.06 + reach * sin(_ANGLE) + _LABEL / 72 * cos(_ANGLE)


def _draw_people(sheet: Sheet, reading: PanelLog, top: float, *, titled: bool) -> float:
    """Who the numbers are, on lines as wide as the sheet."""
    if not reading.people:
        return top
    top += _BEFORE_WORDS
    height, left = line_height(_LABEL), _MARGIN
    if titled:
        title = one_line(reading.title, _LONGEST_TITLE)
        sheet.write(left, top + height / 2, title, size=_LABEL, colour=_INK, weight="bold")
        left += text_width(title, _LABEL, bold=True) + 0.16
    for person in reading.people:
        name = one_line(f"{person.id} {person.name}", _LONGEST_NAME)
        right = left + _ROW + 0.05 + text_width(name, _LABEL)
        if left > _MARGIN and right > sheet.width - _MARGIN:
            top, left, right = top + height, _MARGIN, right - left + _MARGIN
        upper = top + (height - _ROW) / 2
        swatch = (left, upper, left + _ROW, upper + _ROW - _SEAM)
        sheet.draw([swatch], [person_colour(person.id)], name=f"person {person.id}")
        sheet.write(left + _ROW + 0.05, top + height / 2, name, size=_LABEL, colour=_INK)
        left = right + 0.16
    return top + height


def _draw_key(sheet: Sheet, panels: Sequence[Panel], top: float) -> float:
    """The scale of shades, and what the signs mean."""
    steps = np.linspace(0, 1, 21, dtype=np.float32)
    left, width = _MARGIN + 0.1, 0.04
    middle = top + line_height(_SMALL) / 2
    upper, lower = middle - _ROW / 2, middle + _ROW / 2
    right = left + width * len(steps)
    # Each reaches to the end, under the next, so that no light shines between them.
    boxes = [(left + width * at, upper, right, lower) for at in range(len(steps))]
    sheet.draw(boxes, shades(steps, np.zeros(len(steps), dtype=np.int64)), name="scale")
    sheet.write(_MARGIN, middle, "0", size=_SMALL, colour=_QUIET)
    sheet.write(right + 0.04, middle, "1", size=_SMALL, colour=_QUIET)
    words = " ".join([key(), *notes(panels)])
    return sheet.write_lines(right + 0.2, top, words, size=_SMALL, colour=_QUIET, margin=_MARGIN)


def _left(line: range, column: int) -> float:
    """Where a column of a line begins."""
    return _MARGIN + _GUTTER + (column - line.start) * _COLUMN
