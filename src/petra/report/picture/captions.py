"""The words around a picture of memory logs: what its signs mean and what it leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from petra.report.picture.columns import one_line
from petra.report.picture.panels import Panel, PanelLog
from petra.report.values.summaries import counted

OVERWRITE, COREF = "OW", "CR"  # the paper's labels of the two rows of a cell
MEANINGS: Final = {OVERWRITE: "a new person is written to the cell", COREF: "the person in the cell is meant"}
NOBODY: Final = "No people were found."
_LONGEST_HEADING = 200  # characters


def heading(panels: Sequence[Panel]) -> str:
    """What panels are about, on one line."""
    titles = [reading.title for panel in panels for reading in panel.readings]
    name = "Memory log" if len(titles) == 1 else "Memory logs"
    return f"{name}: {one_line('; '.join(dict.fromkeys(titles)), _LONGEST_HEADING)}"


def key() -> str:
    """What the rows and shades mean, on a light ground or a dark one."""
    rows = "; ".join(f"{row}: {meaning}" for row, meaning in MEANINGS.items())
    return f"{rows}. A stronger shade is more probable."


def notes(panels: Sequence[Panel]) -> list[str]:
    """What panels leave out of their texts."""
    found: list[str] = []
    if any(column.is_gap for panel in panels for column in panel.columns):
        alike = any(panel.only_differences for panel in panels)
        found.append(f"…: text without people{', or on which the readings agree' if alike else ''}.")
    if (compared := [panel for panel in panels if panel.compared]) and any(panel.num_differences for panel in compared):
        places = sum(panel.num_differences for panel in compared)
        found.append(f"Under an orange bar the readings differ ({counted(places, 'place')}).")
    elif compared:
        found.append("The readings find the same people.")
    found += [f"Shown: {_passage(panel)}." for panel in panels if panel.is_cut]
    return found


def unused_note(reading: PanelLog) -> str:
    """Which cells a reading leaves out; empty if none."""
    if not reading.unused:
        return ""
    cells = [f"{run.start + 1}" if len(run) == 1 else f"{run.start + 1}–{run.stop}" for run in _runs(reading.unused)]
    listed = " and ".join([", ".join(cells[:-1]), cells[-1]] if len(cells) > 1 else cells)
    return f"{'cell' if len(reading.unused) == 1 else 'cells'} {listed} not used here"


def cut_remark(panel: Panel) -> str:
    """The remark on a panel of which only the first columns are shown."""
    columns = f"{len(panel.columns):,} of {counted(panel.num_columns, 'column')}"
    return f"The picture shows the first {columns}: {_passage(panel)}."


def _passage(panel: Panel) -> str:
    start, end = panel.span
    return f"characters {start:,} to {end:,} of {panel.num_characters:,}"


def _runs(cells: Sequence[int]) -> list[range]:
    """Neighbouring numbers as ranges."""
    runs: list[range] = []
    for cell in cells:
        if runs and runs[-1].stop == cell:
            runs[-1] = range(runs[-1].start, cell + 1)
        else:
            runs.append(range(cell, cell + 1))
    return runs
