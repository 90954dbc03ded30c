"""A text as a browser holds it.

HTML knows one line end and no control characters, and scripts count UTF-16 units where
Python counts characters. ``ShownText`` is the text so changed, and the way from a place
of the original to the same place of what is shown.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petra.report.templating import printable

_CR, _LF = 0x0D, 0x0A
_LAST_IN_ONE_UNIT = 0xFFFF


@dataclass(frozen=True, slots=True, eq=False)
class ShownText:
    """What is shown of a text, with the places of the original in it."""

    text: str  # line ends are \n, and nothing is unprintable
    places: NDArray[np.int64]  # of each place of the original, its end included, in what is shown
    units: NDArray[np.int64]  # of each place of what is shown, its end included, in UTF-16


def show_text(text: str) -> ShownText:
    """The text as a page shows it."""
    code = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    dropped = np.zeros(len(code), dtype=np.bool_)
    dropped[:-1] = (code[:-1] == _CR) & (code[1:] == _LF)
    shown = printable(text).replace("\r\n", "\n").replace("\r", "\n")
    widths = 1 + (code[~dropped] > _LAST_IN_ONE_UNIT)
    return ShownText(shown, _sums(~dropped), _sums(widths))


def _sums(widths: NDArray[np.generic]) -> NDArray[np.int64]:
    sums = np.zeros(len(widths) + 1, dtype=np.int64)
    np.cumsum(widths, out=sums[1:])
    return sums
