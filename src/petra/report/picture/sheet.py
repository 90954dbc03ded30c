"""A sheet measured in inches, on which Matplotlib draws boxes and words, and its files.

Sizes in inches keep squares and letters the same in every picture, however long the
text. Drawing again gives the same bytes.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, Literal

from matplotlib import rc_context, rcdefaults, rcParams
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from petra.errors import ConfigError
from petra.report.picture.fonts import find_font

PictureForm = Literal["png", "svg", "pdf"]
Box = tuple[float, float, float, float]  # left, top, right, bottom

_STYLE: Final[Any] = {  # Matplotlib's own types of it differ from version to version
    # DejaVu Sans comes with Matplotlib; the others are for who looks at an SVG without it.
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial"],
    "svg.fonttype": "none",  # letters stay letters, to be searched and copied
    "pdf.fonttype": 42,
    "svg.hashsalt": "petra",
}
_DPI = 200
# Beyond these no program opens the file: 2^16 pixels, and the 200 inches of a PDF page.
_TALLEST: Final[dict[PictureForm, float]] = {"png": 65_000 / _DPI, "pdf": 200.0, "svg": float("inf")}
# No date and no version: the same picture is the same file.
_METADATA: Final[dict[PictureForm, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
_LINE_HEIGHT = 1.45  # of the letters' size


class Sheet:
    """An empty sheet of some width in inches; places count from its upper left corner.

    Use it within ``style``.
    """

    def __init__(self, width: float) -> None:
        self.width = width
        self.figure = Figure()
        FigureCanvasAgg(self.figure)
        self._axes = self.figure.add_axes((0, 0, 1, 1))
        self._axes.set_axis_off()

    def draw(self, boxes: Sequence[Box], colours: Sequence[str], *, name: str) -> None:
        """Draw boxes, each in its colour; the name is for who looks into the figure."""
        corners = [[(x0, y0), (x1, y0), (x1, y1), (x0, y1)] for x0, y0, x1, y1 in boxes]
        drawn = PolyCollection(corners, facecolors=colours, edgecolors="none", linewidths=0, label=name)
        self._axes.add_collection(drawn, autolim=False)

    def write(self, x: float, y: float, words: str, *, size: float, colour: str, **look: Any) -> None:
        """Write words in letters of a size in points, their middle at height y."""
        # A dollar sign in a text is no mathematics.
        self._axes.text(x, y, words, size=size, color=colour, va="center", parse_math=False, **look)

    def write_lines(self, left: float, top: float, words: str, *, size: float, colour: str, margin: float) -> float:
        """Write words on as many lines as they take, up to a margin on the right; where they end."""
        lines = [""]
        for word in words.split(" "):
            longer = f"{lines[-1]} {word}".strip()
            if lines[-1] and left + text_width(longer, size) > self.width - margin:
                lines.append(word)
            else:
                lines[-1] = longer
        for line in lines:
            self.write(left, top + line_height(size) / 2, line, size=size, colour=colour)
            top += line_height(size)
        return top

    def cut(self, height: float) -> Figure:
        """The figure, cut off at a height."""
        self.figure.set_size_inches(self.width, height)
        self._axes.set(xlim=(0, self.width), ylim=(height, 0))
        return self.figure


def line_height(size: float) -> float:
    """The height of a line in letters of a size in points, in inches."""
    return size * _LINE_HEIGHT / 72


def text_width(words: str, size: float, *, bold: bool = False) -> float:
    """How wide words are in letters of a size in points, in inches."""
    look = FontProperties(size=size, weight="bold" if bold else "normal")
    return float(text_to_path.get_text_width_height_descent(words, look, ismath=False)[0]) / 72


@contextmanager
def style(font: str | None = None) -> Iterator[None]:
    """Matplotlib as we want it, whatever the user's own settings.

    ``font`` is a family for the characters that DejaVu Sans lacks.
    """
    families = ["sans-serif"]
    if font is not None:
        find_font(font)  # Matplotlib would only grumble about one that is not there
        families.append(font)
    with rc_context(), warnings.catch_warnings():
        rcdefaults()
        rcParams.update(_STYLE | {"font.family": families})
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


def image(figure: Figure, form: PictureForm, *, title: str, font: str | None = None) -> bytes:
    """A figure as a file's content, which knows its title."""
    height = float(figure.get_figheight())
    if height > _TALLEST[form]:
        raise ConfigError(
            f"The picture would be {height:.0f} inches tall; a {form.upper()} has room for {_TALLEST[form]:.0f}. "
            "Choose a shorter part of the text, or make an SVG or HTML file."
        )
    content = io.BytesIO()
    with style(font):
        figure.savefig(content, format=form, dpi=_DPI, metadata=_METADATA[form] | {"Title": title})
    return content.getvalue()
