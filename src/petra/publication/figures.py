"""Figures drawn with Matplotlib for a report or a paper: one style, and the same bytes each time.

Colours are those of Okabe and Ito, which people with any colour vision tell apart.
"""

from __future__ import annotations

import io
from contextlib import AbstractContextManager
from typing import Any, Final, Literal, get_args

from matplotlib import rc_context
from matplotlib.figure import Figure

FigureForm = Literal["png", "svg", "pdf"]
FIGURE_FORMS: Final[tuple[FigureForm, ...]] = get_args(FigureForm)
COLUMN: Final = 3.3  # inches: the width of a column of a paper

_STYLE: Final[Any] = {  # Matplotlib's own types of it differ from version to version
    "font.family": "DejaVu Sans",  # comes with Matplotlib, so that figures are the same everywhere
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "svg.hashsalt": "petra",
    "pdf.fonttype": 42,  # letters as TrueType, which publishers ask for
}
_METADATA: Final[dict[FigureForm, dict[str, Any]]] = {  # without the time it was made at
    "png": {"Software": None},
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}


def figure_style() -> AbstractContextManager[None]:
    """Matplotlib as our figures want it, whatever the user's own settings."""
    return rc_context(_STYLE)


def figure_file(figure: Figure, form: FigureForm) -> bytes:
    """A figure as a file's content."""
    content = io.BytesIO()
    with figure_style():
        figure.savefig(content, format=form, dpi=200, metadata=_METADATA[form])
    return content.getvalue()
