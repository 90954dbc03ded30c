"""Where in a text somebody is, as the bars of a profile."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

BARS_HEIGHT = 20  # of the highest bar


def presence_bars(presence: Sequence[int]) -> str:
    """Mentions in each chapter or tenth of the text, as an SVG path in a box as wide as there are."""
    most = max(presence)
    heights = ((place, ceil(BARS_HEIGHT * count / most)) for place, count in enumerate(presence) if count)
    return "".join(f"M{place} {BARS_HEIGHT}v-{height}h.8v{height}z" for place, height in heights)
