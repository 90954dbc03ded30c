"""The colours of pictures of a memory log: darker is more probable.

The scale rises evenly in darkness from the light ground to a dark blue, so that it reads
the same in grey and with any kind of colour vision. People have the colours of Okabe and
Ito; a number goes with each, never colour alone.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

GROUND: Final = "#eff2f6"  # probability 0
_SCALE: Final = ((239, 242, 246), (124, 151, 187), (13, 34, 68))  # probabilities 0, 1/2 and 1
_PEOPLE: Final = ((0, 114, 178), (213, 94, 0), (0, 158, 115), (204, 121, 167), (230, 159, 0), (86, 180, 233))

NUM_COLOURS: Final = len(_PEOPLE)


def shades(values: NDArray[np.float32], people: NDArray[np.int64]) -> list[str]:
    """The colour of each probability; that of a person where there is one, by number from 1."""
    plain = np.stack([np.interp(values, (0, 0.5, 1), channel) for channel in zip(*_SCALE, strict=True)], axis=-1)
    ground = np.array(_SCALE[0])
    hues = np.array(_PEOPLE)[(people - 1) % NUM_COLOURS]
    coloured = ground + (hues - ground) * np.minimum(values, 1)[:, None]
    return [_hex(rgb) for rgb in np.where((people > 0)[:, None], coloured, plain)]


def person_colour(number: int) -> str:
    """The colour of a person, by number from 1."""
    return _hex(np.array(_PEOPLE[(number - 1) % NUM_COLOURS]))


def _hex(rgb: NDArray[np.float64]) -> str:
    red, green, blue = (round(float(channel)) for channel in rgb)
    return f"#{red:02x}{green:02x}{blue:02x}"
