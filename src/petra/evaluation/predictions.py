"""Predictions on GAP as files, in the format of the official scorer.

One line per instance without a header: ID, label of A, label of B, separated by
tabs; a label is TRUE or FALSE.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from petra.corpora.gap import GapInstance
from petra.corpora.rows import read_rows
from petra.errors import DataError
from petra.runtime.files import write_atomically

PREDICTION_COLUMNS = ("ID", "A-coref", "B-coref")


def write_predictions(path: Path, predicted: NDArray[np.bool_], instances: Sequence[GapInstance]) -> None:
    """Write the labels of A and B, (n, 2)."""
    lines = [
        f"{instance.id}\t{'TRUE' if a else 'FALSE'}\t{'TRUE' if b else 'FALSE'}\n"
        for instance, (a, b) in zip(instances, predicted, strict=True)
    ]
    write_atomically(path, "".join(lines).encode())


def read_predictions(path: Path, instances: Sequence[GapInstance]) -> NDArray[np.bool_]:
    """The labels of A and B, (n, 2), in the order of the instances; the file may have another."""
    labels = {
        row["ID"]: (row.flag("A-coref"), row.flag("B-coref"))
        for row in read_rows(path, PREDICTION_COLUMNS, header=False)
    }
    ids = [instance.id for instance in instances]
    if absent := [name for name in ids if name not in labels]:
        raise DataError(
            f"{path.name}: no prediction for {absent[0]} ({len(absent)} of {len(ids)} instances have none). "
            "Every instance of the split needs one."
        )
    if unknown := labels.keys() - set(ids):
        raise DataError(
            f"{path.name}: {min(unknown)} is not an instance of the split ({len(unknown)} of {len(labels)} are not). "
            "Check that the file and --split belong together."
        )
    return np.array([labels[name] for name in ids], dtype=np.bool_).reshape(-1, 2)
