from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from gap_samples import TEXT, instance, row, write_gap
from hypothesis import given
from hypothesis import strategies as st

from petra.corpora.gap import GAP_COLUMNS, Split, gold_labels, read_gap, read_gap_file, write_gap_file
from petra.errors import DataError


def test_a_row_becomes_an_instance(tmp_path: Path) -> None:
    assert read_gap_file(write_gap(tmp_path / "gap.tsv", row())) == [instance(True, False)]


def test_quotation_marks_are_plain_characters(tmp_path: Path) -> None:
    text = '"Ada Vale met Ruth Pym, and "she" waved.'
    values = row(Text=text, Pronoun="she", Pronoun_offset="29", A_offset="1", B_offset="14")
    [read] = read_gap_file(write_gap(tmp_path / "gap.tsv", values))
    assert read.text == text
    assert [text[slice(*span)] for span in (read.pronoun, read.a, read.b)] == ["she", "Ada Vale", "Ruth Pym"]


@pytest.mark.parametrize(
    ("pronoun", "gender"),
    [
        ("he", "masculine"),
        ("Him", "masculine"),
        ("HIS", "masculine"),
        ("she", "feminine"),
        ("Her", "feminine"),
        ("hers", "feminine"),
    ],
)
def test_the_pronoun_tells_the_gender(pronoun: str, gender: str, tmp_path: Path) -> None:
    values = row(Text=f"Ada Vale met Ruth Pym. {pronoun}", Pronoun=pronoun, Pronoun_offset="23")
    [read] = read_gap_file(write_gap(tmp_path / "gap.tsv", values))
    assert read.gender == gender


def test_windows_line_ends_and_a_byte_order_mark_change_nothing(tmp_path: Path) -> None:
    path = write_gap(tmp_path / "gap.tsv", row(), row(ID="sample-2"))
    plain = read_gap_file(path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert read_gap_file(path) == plain
    assert plain[0].url == "https://example.org/Ada"


def test_columns_may_stand_in_another_order(tmp_path: Path) -> None:
    path = tmp_path / "gap.tsv"
    backwards = GAP_COLUMNS[::-1]
    path.write_text("\t".join(backwards) + "\n" + "\t".join(row()[name] for name in backwards))
    assert read_gap_file(path) == [instance(True, False)]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"Pronoun_offset": "12a"}, r"row 3: column Pronoun-offset is '12a'; expected a whole number"),
        ({"A_offset": "-1"}, r"row 3: column A-offset is '-1'; expected a whole number"),
        ({"A_offset": "²"}, r"row 3: column A-offset is '²'; expected a whole number"),
        ({"B_offset": "431"}, r"row 3: column B-offset is 431, past the end of the text \(42 characters\)"),
        ({"B_offset": "14"}, r"row 3: the text at B-offset 14 is 'uth Pym '; expected 'Ruth Pym'"),
        ({"A_coref": "YES"}, r"row 3: column A-coref is 'YES'; expected TRUE or FALSE"),
        ({"B_coref": ""}, r"row 3: column B-coref is ''; expected TRUE or FALSE"),
        ({"A": ""}, r"row 3: column A is empty"),
        ({"Pronoun": "Kew", "Pronoun_offset": "26"}, r"row 3: column Pronoun is 'Kew'; expected one of he, him"),
        ({"ID": "sample-1"}, r"row 3: the ID 'sample-1' stands in row 2 already"),
        ({"URL": "x\ty"}, r"row 3: expected 11 columns .*; found 12"),
    ],
)
def test_an_odd_row_is_named(changes: dict[str, str], message: str, tmp_path: Path) -> None:
    path = write_gap(tmp_path / "gap.tsv", row(), row(**{"ID": "sample-2"} | changes))
    with pytest.raises(DataError, match=r"^gap\.tsv, " + message):
        read_gap_file(path)


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    path = write_gap(tmp_path / "gap.tsv", row())
    path.write_text(path.read_text().replace("A-coref", "A-label", 1))
    with pytest.raises(DataError, match=r"row 1: no column A-coref; found ID, Text"):
        read_gap_file(path)


@pytest.mark.parametrize("content", [b"", b"\n", b" \n\n"])
def test_an_empty_file_is_an_error(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "gap.tsv"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"gap\.tsv is empty"):
        read_gap_file(path)


def test_a_header_alone_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="a header and no rows"):
        read_gap_file(write_gap(tmp_path / "gap.tsv"))


def test_an_empty_line_is_an_error(tmp_path: Path) -> None:
    path = write_gap(tmp_path / "gap.tsv", row())
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(DataError, match=r"row 3: expected 11 columns .*; found 1"):
        read_gap_file(path)


def test_a_byte_that_is_not_utf8_is_placed(tmp_path: Path) -> None:
    path = write_gap(tmp_path / "gap.tsv", row(), row(ID="sample-2"))
    path.write_bytes(path.read_bytes().replace(b"sample-2", b"sampl\xe9-2"))
    with pytest.raises(DataError, match=r"gap\.tsv, row 3: not UTF-8 \(byte 0xe9\)"):
        read_gap_file(path)


def test_a_folder_in_place_of_the_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        read_gap_file(tmp_path)


def test_labels_are_one_row_per_instance() -> None:
    labels = gold_labels([instance(True, False), instance(False, False), instance(False, True)])
    np.testing.assert_array_equal(labels, [[True, False], [False, False], [False, True]])
    assert gold_labels([]).shape == (0, 2)


@given(prefix=st.text(st.characters(exclude_characters="\t\r\n", exclude_categories=["Cs"]), max_size=30))
def test_offsets_count_characters_of_any_script(prefix: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    shift = len(prefix)
    values = row(Text=prefix + TEXT, A_offset=str(shift), B_offset=str(13 + shift), Pronoun_offset=str(32 + shift))
    [read] = read_gap_file(write_gap(tmp_path_factory.mktemp("gap") / "gap.tsv", values))
    assert read.text == prefix + TEXT
    assert [read.text[slice(*span)] for span in (read.a, read.b, read.pronoun)] == ["Ada Vale", "Ruth Pym", "She"]


@pytest.mark.parametrize(("split", "size"), [("development", 2000), ("validation", 454), ("test", 2000)])
def test_every_row_of_the_corpus_is_read(split: Split, size: int, data: Path) -> None:
    instances = read_gap(data, split)
    assert len(instances) == size
    assert sum(it.gender == "masculine" for it in instances) == size // 2
    assert not any(it.a_coref and it.b_coref for it in instances)


def test_written_instances_are_read_again(tmp_path: Path) -> None:
    path = write_gap(tmp_path / "sound.tsv", row(), row(ID="sample-2", A_coref="FALSE", B_coref="TRUE"))
    instances = read_gap_file(path)
    write_gap_file(tmp_path / "again.tsv", instances)
    assert (tmp_path / "again.tsv").read_bytes() == path.read_bytes()


def test_a_text_with_a_tab_cannot_be_written(tmp_path: Path) -> None:
    odd = replace(instance(True, False), text="Ada Vale\tmet Ruth Pym in Kew, they say. She waved.")
    with pytest.raises(DataError, match=r"^sample-1 holds a tab or a line break"):
        write_gap_file(tmp_path / "odd.tsv", [odd])
    assert not (tmp_path / "odd.tsv").exists()
