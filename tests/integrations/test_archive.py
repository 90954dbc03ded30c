from __future__ import annotations

import json
from pathlib import Path

import pytest
from found_people import tracking_of
from hypothesis import given
from hypothesis import strategies as st

from petra import ConfigError, DataError, PetraError
from petra.integrations.archive import Archive, ReadBy

TINY = ReadBy(model="tiny")


def line(source: str, read_by: ReadBy = TINY) -> str:
    return read_by.line({**tracking_of("Ann slept."), "model": read_by.model, "source": source})


def written(path: Path, *sources: str) -> Path:
    archive = Archive(path, TINY)
    for source in sources:
        archive.add(source, line(source))
    return path


def sources(path: Path) -> list[str]:
    return [json.loads(text)["source"] for text in path.read_text(encoding="utf-8").splitlines()]


def test_a_line_is_written_at_once_and_taken_up_again(tmp_path: Path) -> None:
    out = tmp_path / "new" / "out.jsonl"
    archive = Archive(out, TINY)
    archive.add("a.txt", line("a.txt"))
    assert sources(out) == ["a.txt"]
    again = Archive(out, TINY)
    assert "a.txt" in again
    assert "b.txt" not in again


@pytest.mark.parametrize("kept", [1, 12, 40, -1])
def test_a_line_that_was_broken_off_is_written_anew(tmp_path: Path, kept: int) -> None:
    out = written(tmp_path / "out.jsonl", "a.txt")
    with out.open("a", encoding="utf-8") as file:
        file.write(line("b.txt")[:kept])
    archive = Archive(out, TINY)
    assert "a.txt" in archive
    assert "b.txt" not in archive
    archive.add("b.txt", line("b.txt"))
    assert sources(out) == ["a.txt", "b.txt"]


@pytest.mark.parametrize("content", ["Ann slept.", "Ann slept.\n", '{"schema": "other/1"}\n', "[1]\n", "\n"])
def test_a_file_of_another_kind_is_refused_and_left_as_it_is(tmp_path: Path, content: str) -> None:
    out = tmp_path / "story.txt"
    out.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match="line 1, is not of an archive"):
        Archive(out, TINY)
    assert out.read_text(encoding="utf-8") == content


@pytest.mark.parametrize(
    "other", [ReadBy(model="big"), ReadBy(model="tiny", cells=3), ReadBy(model="tiny", threshold=0.4)]
)
def test_texts_read_in_different_ways_do_not_mix(tmp_path: Path, other: ReadBy) -> None:
    out = written(tmp_path / "out.jsonl", "a.txt")
    with pytest.raises(ConfigError, match="line 1, was read by the model tiny") as refusal:
        Archive(out, other)
    assert str(other) in str(refusal.value)


def test_a_folder_is_no_archive(tmp_path: Path) -> None:
    with pytest.raises(PetraError, match="cannot be written"):
        Archive(tmp_path, TINY)


@given(st.permutations(["a", "b", "c", "d"]), st.permutations(["c", "d", "e"]))
def test_lines_come_into_the_order_of_the_texts(
    tmp_path_factory: pytest.TempPathFactory, order: list[str], wanted: list[str]
) -> None:
    out = written(tmp_path_factory.mktemp("archive") / "out.jsonl", *order)
    archive = Archive(out, TINY)
    archive.put_in_order(wanted)
    others = [source for source in order if source not in wanted]
    assert sources(out) == [*others, *(source for source in wanted if source in order)]
    archive.add("f", line("f"))  # it goes on as before
    archive.put_in_order(["f", *order])
    assert sources(out) == ["f", *order]
    assert [path.name for path in out.parent.iterdir()] == ["out.jsonl"]


def test_of_two_lines_for_a_text_the_last_is_kept(tmp_path: Path) -> None:
    out = written(tmp_path / "out.jsonl", "a", "b", "a")
    Archive(out, TINY).put_in_order(["a", "b"])
    assert sources(out) == ["a", "b"]
