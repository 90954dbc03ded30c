"""The agreement matrix as a picture, as in the paper's appendix."""

from __future__ import annotations

import io
from typing import Any, Final, Literal

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from petra.study.analysis import Analysis
from petra.study.study import Study

_STYLE: Final[Any] = {"font.family": "DejaVu Sans", "font.size": 9, "svg.hashsalt": "petra"}
_SQUARE: Final = 0.95  # inches
_MARGIN: Final = 1.5  # inches, for the names


def agreement_picture(study: Study, analysis: Analysis, form: Literal["png", "svg"]) -> bytes:
    """The picture as a file's content; the same answers give the same bytes."""
    content = io.BytesIO()
    with rc_context(_STYLE):
        figure = _draw(study, analysis)
        if form == "svg":
            figure.savefig(content, format="svg", metadata={"Date": None})
        else:
            figure.savefig(content, format="png", dpi=200, metadata={"Software": None})
    return content.getvalue()


def _draw(study: Study, analysis: Analysis) -> Figure:
    names = study.outcomes
    side = _MARGIN + _SQUARE * len(names)
    figure = Figure(figsize=(side, side), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    most = max(1, int(analysis.agreement.max()))
    axes.imshow(analysis.agreement, cmap="Blues", vmin=0, vmax=most)
    for row, counts in enumerate(analysis.agreement.tolist()):
        for column, count in enumerate(counts):
            colour = "white" if count > 0.6 * most else "black"
            axes.text(column, row, str(count), ha="center", va="center", color=colour, fontsize=11)
    axes.set_xticks(range(len(names)), names, rotation=20, ha="right")
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("Later round")
    axes.set_ylabel("Earlier round")
    axes.set_title("Documents by their two answers")
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return figure
