from __future__ import annotations

from pathlib import Path

import pytest

from petra.corpora.names import Names, read_names
from petra.errors import DataError

NAMES = Names(female=frozenset({"Ada", "Robin"}), male=frozenset({"Tom", "Robin"}))


def test_a_name_of_one_list_tells_the_gender() -> None:
    assert NAMES.gender("Ada") == "feminine"
    assert NAMES.gender("Tom") == "masculine"
    assert NAMES.gender("Robin") is None
    assert NAMES.gender("Kew") is None
    assert "Robin" in NAMES
    assert "Kew" not in NAMES


def test_the_names_of_a_gender_are_borne_by_it_alone() -> None:
    assert NAMES.of("feminine") == {"Ada"}
    assert NAMES.of("masculine") == {"Tom"}


def test_files_have_a_name_a_line(tmp_path: Path) -> None:
    (tmp_path / "names").mkdir()
    (tmp_path / "names/female.txt").write_bytes(b"Ada\r\n\r\nRuth \n")
    (tmp_path / "names/male.txt").write_bytes(b"Tom")
    assert read_names(tmp_path) == Names(female=frozenset({"Ada", "Ruth"}), male=frozenset({"Tom"}))


def test_a_file_without_names_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "names").mkdir()
    (tmp_path / "names/female.txt").write_bytes(b"\n")
    with pytest.raises(DataError, match=r"^female\.txt holds no names; expected one a line"):
        read_names(tmp_path)
    (tmp_path / "names/female.txt").write_bytes(b"Ren\xe9e\n")
    with pytest.raises(DataError, match=r"^female\.txt is not UTF-8"):
        read_names(tmp_path)


def test_the_corpus_has_5001_and_2943_names(data: Path) -> None:
    names = read_names(data)
    assert (len(names.female), len(names.male)) == (5000, 2943)  # one female name stands twice
    assert names.gender("Elizabeth") == "feminine"
