from __future__ import annotations

from pathlib import Path

import pytest

from petra.cli.outputs import OutputPlaces
from petra.cli.texts import STDIN


def test_texts_of_the_same_name_get_files_of_their_own(tmp_path: Path) -> None:
    sources = [Path(name) for name in ("a/x.txt", "b/x.txt", "x-2.txt", "b/x.txt")]
    places = OutputPlaces(tmp_path, ".log", "memory log", [*sources, STDIN])
    assert [place.name for place in places] == ["x.log", "x-2.log", "x-2-2.log", "x-3.log", "stdin.log"]
    # A text that cannot be read takes no name from the others.
    assert [places.of(source).name for source in sources[1:]] == ["x-2.log", "x-2-2.log", "x-3.log"]


def test_one_text_goes_to_the_file_named_or_into_a_folder_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert list(OutputPlaces(tmp_path / "new.log", ".log", "memory log", [Path("a.txt")])) == [tmp_path / "new.log"]
    assert list(OutputPlaces(tmp_path / "out", ".log", "memory log", [Path("a.txt")])) == [tmp_path / "out/a.log"]


@pytest.mark.parametrize("number", [20_000])
def test_many_texts_of_the_same_name(tmp_path: Path, number: int) -> None:
    sources = [Path(f"{each}/x.txt") for each in range(number)]
    assert len(set(OutputPlaces(tmp_path, ".html", "report", sources))) == number
