"""The figures of the study: a measure by memory size, a panel per encoder and a line per model.

Every model has a colour, a mark and a line of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from petra.config import Variant
from petra.publication.figures import figure_style
from petra.publication.spreads import Spread
from petra.reproduction.published import MODEL_TITLES
from petra.reproduction.results import Measure, Results


class _Look(NamedTuple):
    colour: str
    mark: str
    line: str


_LOOKS: Final[Mapping[Variant, _Look]] = {
    "vanilla": _Look("#0072B2", "o", "-"),
    "learned-init": _Look("#E69F00", "s", "--"),
    "fixed-key": _Look("#009E73", "^", "-."),
    "referential-reader": _Look("#D55E00", "D", ":"),
}
_PANEL, _HEIGHT = 4.2, 3.3  # inches
_ASIDE = 0.14  # of a cell, from model to model, so that bars do not hide each other

FIGURE_LABELS: Final[Mapping[str, tuple[Measure, str]]] = {
    "validation-f1": ("validation_f1", "F1 on GAP validation (%)"),
    "counting-error": ("count_error_best", "Error in counting people"),
}


def draw(name: str, studies: Sequence[Results]) -> Figure:
    """The figure of that name."""
    measure, label = FIGURE_LABELS[name]
    with figure_style():
        figure = Figure(figsize=(_PANEL * len(studies) + 0.4, _HEIGHT + 0.5), layout="constrained")
        FigureCanvasAgg(figure)
        panels: Sequence[Axes] = figure.subplots(1, len(studies), sharey=True, squeeze=False)[0]
        for panel, study in zip(panels, studies, strict=True):
            for place, model in enumerate(study.models):
                aside = _ASIDE * (place - (len(study.models) - 1) / 2)
                _draw_line(panel, model, study.by_cells(model, measure), aside)
            if measure == "count_error_best" and study.baselines:
                words = f"Always {study.baselines.best_constant} people"
                panel.axhline(study.baselines.error_best_constant, color="#444444", linewidth=1, label=words)
            panel.set_title(study.title)
            panel.set_xlabel("Memory cells")
            panel.set_xticks(study.cells)
        panels[0].set_ylabel(label)
        handles, titles = panels[0].get_legend_handles_labels()
        if handles:
            figure.legend(handles, titles, loc="outside lower center", ncols=2 if len(studies) == 1 else 4)
        return figure


def _draw_line(panel: Axes, model: Variant, means: Mapping[int, Spread], aside: float) -> None:
    """Means with bars of one standard deviation."""
    look = _LOOKS[model]
    panel.errorbar(
        [cells + aside for cells in means],
        [mean.mean for mean in means.values()],
        yerr=[mean.deviation for mean in means.values()],
        label=MODEL_TITLES[model],
        color=look.colour,
        marker=look.mark,
        linestyle=look.line,
        linewidth=1.6,
        markersize=5,
        elinewidth=0.8,
        capsize=2,
    )
