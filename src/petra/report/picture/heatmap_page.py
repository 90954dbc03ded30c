"""Pictures of memory logs as one HTML file that needs nothing else.

The squares are cells of tables, so that their values can be read by pointing at them,
heard from a screen reader and copied into a spreadsheet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from petra.report.picture.captions import COREF, MEANINGS, NOBODY, OVERWRITE, heading, key, notes, unused_note
from petra.report.picture.panels import Panel, PanelLog
from petra.report.picture.shades import NUM_COLOURS
from petra.report.templates import escaped, filled, part
from petra.report.values.summaries import counted

_LEAST_WRITTEN = 0.005  # less is 0.00


def heatmap_page(panels: Sequence[Panel]) -> str:
    """The page for panels, one below the other."""
    values = {
        "title": escaped(heading(panels)),
        "style": part("log.css", "picture"),
        "panels": "\n".join(heatmap_tables(panel) for panel in panels),
        "key": escaped(" ".join([key(), *notes(panels)])),
    }
    return filled(part("log.html", "picture"), values)


def heatmap_tables(panel: Panel) -> str:
    """A panel as HTML to be put into a page with the style ``page/log.css``: a table for each line."""
    return "\n".join(['<section class="panel">', *_parts(panel), "</section>"])


def _parts(panel: Panel) -> Iterator[str]:
    if not panel.shows_tokens:
        for reading in panel.readings:
            yield f"<p><strong><bdi>{escaped(reading.title)}</bdi></strong></p>"
        yield f"<p>{NOBODY}</p>"
        return
    for number, line in enumerate(panel.lines):
        yield '<div class="line"><table class="log">'
        yield f"<thead><tr><td></td><td></td>{''.join(_labels(panel, line))}</tr></thead>"
        for reading in panel.readings:
            yield "<tbody>"
            if number == 0 or len(panel.readings) > 1:
                yield _title(reading, "" if number else unused_note(reading), len(line))
            yield from _rows(panel, reading, line)
            yield "</tbody>"
        yield "</table></div>"
    for reading in panel.readings:
        if reading.people:
            yield _people(reading, titled=len(panel.readings) > 1)


def _labels(panel: Panel, line: range) -> Iterator[str]:
    for place in line:
        column = panel.columns[place]
        label = f"<bdi>{escaped(column.label)}</bdi>"
        if column.is_gap:
            yield f'<th class="gap" title="{counted(column.skipped, "token")} without people">{column.label}</th>'
        else:
            yield f'<th scope="col"{_classes("decided" if panel.decided[place] else "")}>{label}</th>'


def _title(reading: PanelLog, aside: str, width: int) -> str:
    small = f"<small>{aside}</small>" if aside else ""
    title = f"<bdi>{escaped(reading.title)}</bdi>{small}"
    return f'<tr class="title"><th colspan="{width + 2}" scope="rowgroup">{title}</th></tr>'


def _rows(panel: Panel, reading: PanelLog, line: range) -> Iterator[str]:
    if reading.people:
        mentioned = [0, *reading.persons[line.start : line.stop].tolist()]
        numbers = (str(now) if now and now != before else "" for before, now in pairwise(mentioned))
        cells = "".join(f"<td>{number}</td>" for number in numbers)
        yield f'<tr class="numbers"><td></td><td></td>{cells}</tr>'
    for cell in reading.cells:
        for row, values, persons in (
            (OVERWRITE, reading.overwrite_prob, reading.overwrite_persons),
            (COREF, reading.coref_prob, reading.coref_persons),
        ):
            first = f'<th rowspan="2" scope="rowgroup" class="cell">{cell + 1}</th>' if row == OVERWRITE else ""
            name = f'<th scope="row" class="row"><abbr title="{MEANINGS[row]}">{row}</abbr></th>'
            squares = "".join(_squares(panel, line, values[:, cell], persons[:, cell], f"cell {cell + 1}, {row}"))
            yield f"<tr{_classes('coref' if row == COREF else '')}>{first}{name}{squares}</tr>"


def _squares(
    panel: Panel, line: range, values: NDArray[np.float32], persons: NDArray[np.int64], where: str
) -> Iterator[str]:
    for place in line:
        column, value, person = panel.columns[place], float(values[place]), int(persons[place])
        classes = ["gap" if column.is_gap else "", "joins" if column.joins else ""]
        if value < _LEAST_WRITTEN:
            yield f"<td{_classes(*classes)}></td>"
            continue
        classes.append(f"c{(person - 1) % NUM_COLOURS}" if person else "")
        words = f"{escaped(column.label)}: {where} {value:.2f}"
        yield f'<td{_classes(*classes)} style="--p:{value:.2f}" title="{words}"><span>{value:.2f}</span></td>'


def _people(reading: PanelLog, *, titled: bool) -> str:
    whose = f'<li class="whose"><strong><bdi>{escaped(reading.title)}</bdi></strong></li>' if titled else ""
    items = (
        f'<li class="c{(person.id - 1) % NUM_COLOURS}">{person.id} <bdi>{escaped(person.name)}</bdi></li>'
        for person in reading.people
    )
    return f'<ul class="people">{whose}{"".join(items)}</ul>'


def _classes(*names: str) -> str:
    joined = " ".join(filter(None, names))
    return f' class="{joined}"' if joined else ""
