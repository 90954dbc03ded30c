from __future__ import annotations

from pathlib import Path

import pytest

from petra.corpora.gap import read_gap
from petra.corpora.people_counts import PeopleCount, read_people_counts, read_people_counts_file
from petra.errors import DataError

HEADER = "ID\tText\tCount\tAdditional comments\r\n"


def write(path: Path, rows: str) -> Path:
    path.write_bytes((HEADER + rows).encode())
    return path


def test_rows_are_read_without_the_remark(tmp_path: Path) -> None:
    path = write(tmp_path / "n.tsv", "one\tAda met Ruth.\t2\t\r\ntwo\tHe left “Kew”.\t1\tNot sure")
    assert read_people_counts_file(path) == [
        PeopleCount(id="one", text="Ada met Ruth.", count=2),
        PeopleCount(id="two", text="He left “Kew”.", count=1),
    ]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("one\tAda.\ttwo\t\r\n", "row 2: column Count is 'two'; expected a whole number"),
        ("one\tAda.\t\t\r\n", "row 2: column Count is ''; expected a whole number"),
        ("one\t \t2\t\r\n", "row 2: column Text is empty"),
        ("one\tAda.\t1\r\n", "row 2: expected 4 columns .*; found 3"),
        ("one\tAda.\t1\t\r\none\tRuth.\t1\t\r\n", "row 3: the ID 'one' stands in row 2 already"),
    ],
)
def test_an_odd_row_is_named(rows: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"^n\.tsv, " + message):
        read_people_counts_file(write(tmp_path / "n.tsv", rows))


def test_the_corpus_counts_384_people_in_100_validation_texts(data: Path) -> None:
    counts = read_people_counts(data)
    validation = {it.id: it.text for it in read_gap(data, "validation")}
    assert len(counts) == 100
    assert sum(it.count for it in counts) == 384
    assert all(validation[it.id] == it.text for it in counts)
