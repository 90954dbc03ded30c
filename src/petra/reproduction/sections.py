"""What a study gives, by the names that ``petra reproduce`` takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

SECTIONS: Final[Mapping[str, str]] = {
    "findings": "What the paper finds, and whether we do",
    "gap-test": "F1 on GAP test at the best memory size",
    "validation-f1": "F1 on GAP validation by memory size",
    "counting-error": "Error in counting people by memory size",
    "correlation": "Does F1 go with counting? Spearman's correlation over the runs of a model",
    "cell-use": "How unevenly cells are overwritten, best and worst runs",
    "cost": "Parameters and training times",
}
FIGURES: Final = ("validation-f1", "counting-error")  # those that are drawn, besides their tables
