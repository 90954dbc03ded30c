"""Which characters a picture can draw."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.font_manager import findfont, get_font

from petra.errors import ConfigError
from petra.report.picture.panels import Panel

_OWN = "DejaVu Sans"  # comes with Matplotlib


def undrawable(panels: Sequence[Panel], font: str | None = None) -> str:
    """The characters of panels that DejaVu Sans and the font lack, each once, in order."""
    drawable = _characters(_OWN) | (set() if font is None else _characters(font))
    words = [column.label for panel in panels for column in panel.columns]
    for reading in (reading for panel in panels for reading in panel.readings):
        words += [reading.title, *(person.name for person in reading.people)]
    missing = dict.fromkeys(letter for word in words for letter in word if ord(letter) not in drawable)
    return "".join(letter for letter in missing if letter.isprintable() and not letter.isspace())


def find_font(font: str) -> str:
    """The file of an installed font, by its family."""
    try:
        return str(findfont(font, fallback_to_default=False))
    except ValueError:
        raise ConfigError(
            f"No font named {font!r} is installed where Matplotlib finds it. "
            "Give the name of an installed family, for example 'Noto Sans CJK SC'."
        ) from None


def _characters(font: str) -> set[int]:
    return set(get_font(find_font(font)).get_charmap())
