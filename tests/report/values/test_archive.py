from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from found_people import tracking_of
from hypothesis import given
from hypothesis import strategies as st

from petra import ConfigError, DataError, PetraError
from petra.report.values.archive import Archive, ArchiveSettings

TINY = ArchiveSettings(model="tiny")


def line(source: str, read_by: ArchiveSettings = TINY) -> str:
    return read_by.line({**tracking_of("Ann slept."), "model": read_by.model, "source": source})


def written(path: Path, *sources: str) -> Path:
    with Archive(path, TINY) as archive:
        for source in sources:
            archive.add(source, line(source))
    return path


def sources(path: Path) -> list[str]:
    return [json.loads(text)["source"] for text in path.read_text(encoding="utf-8").splitlines()]


def test_a_line_is_written_at_once_and_taken_up_again(tmp_path: Path) -> None:
    out = tmp_path / "new" / "out.jsonl"
    with Archive(out, TINY) as archive:
        archive.add("a.txt", line("a.txt"))
        assert sources(out) == ["a.txt"]
    with Archive(out, TINY) as again:
        assert "a.txt" in again
        assert "b.txt" not in again
        assert len(again) == 1


@pytest.mark.parametrize("kept", [1, 12, 40, -1])
def test_a_line_that_was_broken_off_is_written_anew(tmp_path: Path, kept: int) -> None:
    out = written(tmp_path / "out.jsonl", "a.txt")
    with out.open("a", encoding="utf-8") as file:
        file.write(line("b.txt")[:kept])
    with Archive(out, TINY) as archive:
        assert "a.txt" in archive
        assert "b.txt" not in archive
        archive.add("b.txt", line("b.txt"))
    assert sources(out) == ["a.txt", "b.txt"]


@pytest.mark.parametrize("content", ["Ann slept.", "Ann slept.\n", '{"schema": "other/1"}\n', "[1]\n", "\n"])
def test_a_file_of_another_kind_is_refused_and_left_as_it_is(tmp_path: Path, content: str) -> None:
    out = tmp_path / "story.txt"
    out.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match="line 1, is not of an archive"), Archive(out, TINY):
        pass
    assert out.read_text(encoding="utf-8") == content


@pytest.mark.parametrize(
    "other",
    [
        ArchiveSettings(model="big"),
        ArchiveSettings(model="tiny", cells=3),
        ArchiveSettings(model="tiny", threshold=0.4),
    ],
)
def test_texts_read_in_different_ways_do_not_mix(tmp_path: Path, other: ArchiveSettings) -> None:
    out = written(tmp_path / "out.jsonl", "a.txt")
    with pytest.raises(ConfigError, match="line 1, was read by the model tiny") as refusal, Archive(out, other):
        pass
    assert str(other) in str(refusal.value)


def test_a_folder_is_no_archive(tmp_path: Path) -> None:
    with pytest.raises(PetraError, match="cannot be written"), Archive(tmp_path, TINY):
        pass


@given(st.permutations(["a", "b", "c", "d"]), st.permutations(["c", "d", "e"]))
def test_lines_come_into_the_order_of_the_texts(
    tmp_path_factory: pytest.TempPathFactory, order: list[str], wanted: list[str]
) -> None:
    out = written(tmp_path_factory.mktemp("archive") / "out.jsonl", *order)
    with Archive(out, TINY) as archive:
        archive.put_in_order(wanted)
        others = [source for source in order if source not in wanted]
        assert sources(out) == [*others, *(source for source in wanted if source in order)]
        archive.add("f", line("f"))  # it goes on as before
        archive.put_in_order(["f", *order])
    assert sources(out) == ["f", *order]
    assert [path.name for path in out.parent.iterdir()] == ["out.jsonl"]


def test_of_two_lines_for_a_text_the_last_is_kept(tmp_path: Path) -> None:
    out = written(tmp_path / "out.jsonl", "a", "b", "a")
    with Archive(out, TINY) as archive:
        archive.put_in_order(["a", "b"])
    assert sources(out) == ["a", "b"]


def test_a_second_writer_is_told_who_is_writing(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with Archive(out, TINY) as archive:
        archive.add("a", line("a"))
        refusal = pytest.raises(PetraError, match=rf"out\.jsonl is being written by process {os.getpid()} of ")
        with refusal, Archive(out, TINY):
            pass
        archive.add("b", line("b"))
    assert sources(written(out, "c")) == ["a", "b", "c"]
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]


def test_what_another_program_wrote_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    out = written(tmp_path / "out.jsonl", "a", "b")
    with Archive(out, TINY) as archive:
        with out.open("a", encoding="utf-8") as file:
            file.write(line("c") + "\n")
        before = out.read_bytes()
        with pytest.raises(DataError, match="was changed by another program"):
            archive.add("d", line("d"))
        with pytest.raises(DataError, match="was changed by another program"):
            archive.put_in_order(["b", "a"])
        assert out.read_bytes() == before
    with Archive(out, TINY) as archive:
        assert "c" in archive


def test_lines_that_moved_are_not_put_in_order(tmp_path: Path) -> None:
    out = written(tmp_path / "out.jsonl", "a", "bbbb")
    with Archive(out, TINY) as archive:
        content = written(tmp_path / "other.jsonl", "bbbb", "a").read_bytes()  # the same size
        out.write_bytes(content)
        with pytest.raises(DataError, match="where a line was written there is"):
            archive.put_in_order(["bbbb", "a"])
    assert out.read_bytes() == content


WRITER = """
import sys
from pathlib import Path
from petra.errors import PetraError
from petra.report.values.archive import Archive, ArchiveSettings

out, read_by = Path(sys.argv[1]), ArchiveSettings(model="tiny")
while True:
    try:
        with Archive(out, read_by) as archive:
            for number in range(10_000_000):
                source = f"{number}.txt"
                if source not in archive:
                    found = {"schema": "petra.tracking/1", "source": source, "filler": "x" * 9_999}
                    archive.add(source, read_by.line(found))
                    print(source, flush=True)
    except PetraError as error:
        assert "is being written by process" in str(error), error
"""


def test_two_writers_that_are_killed_lose_and_double_nothing(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    shared, ours = os.pipe()
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(out)], stdout=ours) for _ in range(2)]
    os.close(ours)
    told = []
    with os.fdopen(shared, encoding="utf-8") as lines:
        told += [next(lines) for _ in range(30)]
        for writer in writers:  # the other one goes on when the first is dead
            writer.send_signal(signal.SIGKILL)
            writer.wait()
            told += [next(lines) for _ in range(30)] if writer is writers[0] else lines.readlines()
    told = [source.strip() for source in told]
    assert len(told) == len(set(told)) >= 60
    with Archive(out, TINY) as archive:
        assert all(source in archive for source in told)
    assert len(sources(out)) == len(set(sources(out)))
