from __future__ import annotations

from pathlib import Path

import pytest

from petra.corpora.places import data_folder, find, require, source
from petra.errors import DataError


def touch(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def test_the_option_wins_over_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PETRA_DATA", str(tmp_path / "elsewhere"))
    assert data_folder(tmp_path) == tmp_path


def test_the_variable_serves_without_an_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PETRA_DATA", str(tmp_path))
    assert data_folder() == tmp_path


@pytest.mark.parametrize("value", [None, ""])
def test_without_either_the_error_says_how_to_set_one(value: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if value is None:
        monkeypatch.delenv("PETRA_DATA", raising=False)
    else:
        monkeypatch.setenv("PETRA_DATA", value)
    with pytest.raises(DataError, match=r"--data DIR, or set PETRA_DATA"):
        data_folder()


def test_a_folder_that_is_not_there_is_named_with_who_named_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PETRA_DATA", str(tmp_path / "gone"))
    with pytest.raises(DataError, match=r"no folder .*gone, which PETRA_DATA names"):
        data_folder()
    with pytest.raises(DataError, match=r"no folder .*lost, which --data names"):
        data_folder(tmp_path / "lost")


def test_the_plain_layout_comes_first(tmp_path: Path) -> None:
    touch(tmp_path / "names/names/female.txt")
    plain = touch(tmp_path / "names/female.txt")
    assert find(tmp_path, "names/female.txt") == plain


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("names/female.txt", "names/names/female.txt"),
        ("litbank/splits/0/test.ids", "litbank/splits/tenfold/0/test.ids"),
        ("litbank/splits/0/test.ids", "litbank/release/splits/0/test.ids"),
    ],
)
def test_one_folder_more_is_looked_through(name: str, place: str, tmp_path: Path) -> None:
    path = touch(tmp_path / place)
    assert find(tmp_path, name) == path


def test_two_folders_more_or_two_candidates_are_not_guessed_at(tmp_path: Path) -> None:
    touch(tmp_path / "names/one/two/female.txt")
    touch(tmp_path / "names/one/male.txt")
    touch(tmp_path / "names/two/male.txt")
    assert find(tmp_path, "names/female.txt") is None
    assert find(tmp_path, "names/male.txt") is None


@pytest.mark.parametrize(
    ("name", "origin"),
    [
        ("gap/gap-test.tsv", "gap-coreference"),
        ("gap/num_people.tsv", "PeTra paper"),
        ("litbank/coref", "dbamman"),
        ("names/male.txt", "Kantrowitz"),
        ("novels", "Gutenberg"),
        ("wikitext2", "WikiText-2"),
    ],
)
def test_a_missing_file_is_named_with_its_source(name: str, origin: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=origin) as caught:
        require(tmp_path, name)
    assert str(tmp_path / name) in str(caught.value)
    assert source(name) in str(caught.value)
