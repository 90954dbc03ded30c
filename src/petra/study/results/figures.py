"""The figures of a study: preferences and leads with their intervals, and the paper's agreement matrix."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from petra.publication.figures import COLUMN, figure_style
from petra.study.results.analysis import Analysis, Interval
from petra.study.results.tables import PUBLISHED_PREFERENCES
from petra.study.study import Study

_SQUARE: Final = 0.95  # inches, of the matrix
_MARGIN: Final = 1.5  # inches, for the names
_ROW, _AXIS = 0.34, 0.75  # inches, of a chart
_INK, _BLUE, _ORANGE = "#222222", "#0072B2", "#D55E00"


def draw(name: str, study: Study, analysis: Analysis) -> Figure:
    """The figure of that name."""
    with figure_style():
        return STUDY_FIGURES[name][1](study, analysis)


def _preferences(study: Study, analysis: Analysis) -> Figure:
    """The share of answers for each outcome, with its 95 % interval and, in the paper's study, the published share."""
    figure, axes = _chart(len(study.outcomes))
    _draw_intervals(axes, study.outcomes, [each.percent for each in analysis.preferences])
    if study.is_paper:
        rows = range(len(study.outcomes))
        axes.plot(PUBLISHED_PREFERENCES, rows, "D", mfc="none", mec=_ORANGE, markersize=6, label="paper")
        figure.legend(loc="outside upper right", handletextpad=0.2, borderpad=0, fontsize=8)
    axes.set_xlim(0, 100)
    figure.supxlabel(f"Percent of {len(analysis.judgements)} answers (95 % interval)", size=8)
    return figure


def _leads(study: Study, analysis: Analysis) -> Figure:
    """By how much each model is ahead of another, in points of percent, with the interval of the bootstrap."""
    names = [f"{study.outcomes[each.model]}\nover {study.outcomes[each.other]}" for each in analysis.differences]
    figure, axes = _chart(1.4 * len(names))
    _draw_intervals(axes, names, [each.points for each in analysis.differences])
    axes.axvline(0, color=_INK, linewidth=0.8)
    axes.set_xlim(-100, 100)
    figure.supxlabel("Points of percent (95 % interval over documents)", size=8)
    return figure


def _agreement(study: Study, analysis: Analysis) -> Figure:
    """Documents by the outcome of an earlier and of a later round."""
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
    axes.grid(visible=False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return figure


def _chart(rows: float) -> tuple[Figure, Axes]:
    """An empty chart as wide as a column of a paper, with room for so many rows."""
    figure = Figure(figsize=(COLUMN, _AXIS + _ROW * rows), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    return figure, axes


def _draw_intervals(axes: Axes, names: Sequence[str], intervals: Sequence[Interval | None]) -> None:
    """A row for each name, the first on top; a row stays empty where nothing is known."""
    for row, interval in enumerate(intervals):
        if interval is not None:
            axes.plot([interval.low, interval.high], [row, row], color=_BLUE, linewidth=2, solid_capstyle="butt")
            axes.plot([interval.value], [row], "o", color=_BLUE, markersize=6)
            axes.annotate(
                f"{interval.value:.0f}", (interval.value, row), (0, 5), textcoords="offset points", ha="center", size=8
            )
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.7)


STUDY_FIGURES: Final[Mapping[str, tuple[str, Callable[[Study, Analysis], Figure]]]] = {  # by name, with what each shows
    "preferences": ("The share of answers for each model and for neither, with 95 % intervals", _preferences),
    "leads": ("By how much one model is preferred over another, with 95 % intervals", _leads),
    "agreement": ("The agreement matrix: documents by their two answers", _agreement),
}
