"""The numbers of the paper (Toshniwal, Ettinger, Gimpel, Livescu, ACL 2020), to stand beside ours.

The paper has two encoders, BERT base and BERT large, both cased and frozen. Of its
figures the text gives no numbers; what it says of them is in ``findings``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from petra.config import Variant
from petra.publication.spreads import Spread

MODEL_TITLES: Final[Mapping[Variant, str]] = {
    "vanilla": "PeTra",
    "learned-init": "PeTra + Learned Init",
    "fixed-key": "PeTra + Fixed Key",
    "referential-reader": "Referential Reader",
}


class BaseLarge(NamedTuple):
    """A number with either encoder; None where the paper has none."""

    base: float | Spread | None
    large: float | Spread | None


# F1 on the GAP test set at the memory size that is best on validation: mean and deviation of five runs.
GAP_TEST: Final[Mapping[Variant, BaseLarge]] = {
    "vanilla": BaseLarge(Spread(81.5, 0.6, 5), Spread(85.3, 0.6, 5)),
    "learned-init": BaseLarge(Spread(80.9, 0.7, 5), Spread(84.4, 1.2, 5)),
    "fixed-key": BaseLarge(Spread(81.1, 0.7, 5), Spread(85.1, 0.8, 5)),
    "referential-reader": BaseLarge(Spread(78.9, 1.3, 5), Spread(83.7, 0.8, 5)),
}

# Systems that the paper cites beside its own.
GAP_TEST_OTHERS: Final[Mapping[str, BaseLarge]] = {
    "Referential Reader, 2 cells (Liu et al. 2019)": BaseLarge(78.8, None),
    "Joshi et al. 2019 (trained on OntoNotes)": BaseLarge(82.8, 85.0),
    "Wu et al. 2019 (SpanBERT, trained on OntoNotes)": BaseLarge(None, 87.5),
}

# Spearman's correlation of GAP validation F1 with the negative counting error, over the 50 runs of a model.
SPEARMAN: Final[Mapping[Variant, BaseLarge]] = {
    "vanilla": BaseLarge(0.76, 0.69),
    "learned-init": BaseLarge(0.72, 0.60),
    "fixed-key": BaseLarge(0.72, 0.65),
    "referential-reader": BaseLarge(0.49, 0.54),
}


class BestWorst(NamedTuple):
    """A number of the best and of the worst of five runs."""

    best: float
    worst: float


# KL divergence of the average overwrite distribution from uniform, averaged over configurations.
KL: Final[Mapping[Variant, BestWorst]] = {
    "vanilla": BestWorst(0.00, 0.01),
    "learned-init": BestWorst(0.3, 0.83),
    "fixed-key": BestWorst(0.2, 0.8),
    "referential-reader": BestWorst(0.05, 0.04),
}
