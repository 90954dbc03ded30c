"""The memory logs of a document as an annotator sees them: anonymous, over the same words, nothing left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from petra.errors import StudyError
from petra.log.memory_log import MemoryLog
from petra.report.picture.panels import Panel, View, make_panels
from petra.study.design import LABELS, Task
from petra.study.documents import StudyText

_COLUMNS: Final = 32  # tokens on a line: two models fit side by side on a screen


def task_panels(logs: Sequence[MemoryLog], task: Task) -> list[Panel]:
    """A panel for each model in the order of the task, with the same columns in all.

    Every token and every cell is shown: annotators judge the people that a model missed
    as well as those it found.
    """
    ordered = [logs[model] for model in task.order]
    view = View(columns_per_line=_COLUMNS, all_tokens=True, all_cells=True, last=str(len(logs[0].text)))
    titles = [f"Model {label}" for label in LABELS[: len(ordered)]]
    (together,) = make_panels(ordered, view, titles)
    return [replace(together, readings=(reading,)) for reading in together.readings]


def check_length(document: StudyText, logs: Sequence[MemoryLog]) -> None:
    """Refuse a document whose logs could not be shown as a whole."""
    panel = task_panels(logs, Task(0, tuple(range(len(logs)))))[0]
    if panel.is_cut:
        raise StudyError(
            f"The document {document.name} has {panel.num_columns:,} tokens; annotators can be shown "
            f"{len(panel.columns):,}. Give a part of it."
        )
