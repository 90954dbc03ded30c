from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gap_samples import instance

from petra.errors import DataError
from petra.evaluation.predictions import read_predictions, write_predictions

INSTANCES = [instance(True, False, name="one"), instance(False, False, name="two")]
PREDICTED = np.array([[True, False], [False, True]])


def test_the_file_is_what_the_official_scorer_reads(tmp_path: Path) -> None:
    write_predictions(tmp_path / "out.tsv", PREDICTED, INSTANCES)
    assert (tmp_path / "out.tsv").read_bytes() == b"one\tTRUE\tFALSE\ntwo\tFALSE\tTRUE\n"


def test_what_is_written_is_read_back_in_the_order_of_the_instances(tmp_path: Path) -> None:
    write_predictions(tmp_path / "out.tsv", PREDICTED, INSTANCES)
    np.testing.assert_array_equal(read_predictions(tmp_path / "out.tsv", INSTANCES), PREDICTED)
    np.testing.assert_array_equal(read_predictions(tmp_path / "out.tsv", INSTANCES[::-1]), PREDICTED[::-1])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("one\tTRUE\tFALSE\n", r"no prediction for two \(1 of 2 instances have none\)"),
        ("one\tTRUE\tFALSE\ntwo\tTRUE\tTRUE\nten\tTRUE\tTRUE\n", "ten is not an instance of the split"),
        ("one\tTRUE\tFALSE\ntwo\tTRUE\t1\n", "row 2: column B-coref is '1'; expected TRUE or FALSE"),
        ("one\tTRUE\tFALSE\none\tTRUE\tFALSE\n", "row 2: the ID 'one' stands in row 1 already"),
        ("one TRUE FALSE\n", "row 1: expected 3 columns .*; found 1"),
        ("", "is empty"),
    ],
)
def test_an_odd_file_is_an_error(content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "out.tsv").write_text(content)
    with pytest.raises(DataError, match=message):
        read_predictions(tmp_path / "out.tsv", INSTANCES)
