from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import logs
from written_logs import read_by_mention, written_log

from petra.errors import LogError
from petra.log import storage
from petra.log.memory_log import MemoryLog
from petra.log.mentions import LogMentions
from petra.people.finding import find_people

ARRAYS = ("starts", "ends", "words", "mention_prob", "coref_prob", "overwrite_prob", "usage")
in_one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def jane() -> MemoryLog:
    return written_log("Jane met Tom.\r\nShe 👩‍👧 smiled.", ("Jane", 0, "new"), ("Tom", 1, "new"), ("She", 0, "same"))


def same(one: MemoryLog, other: MemoryLog) -> bool:
    return (
        (one.text, one.model, one.threshold, one.read_by) == (other.text, other.model, other.threshold, other.read_by)
        and (one.mentions is None) == (other.mentions is None)
        and list(one.mentions or ()) == list(other.mentions or ())
        and all(getattr(one, name).dtype == getattr(other, name).dtype for name in ARRAYS)
        and all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ARRAYS)
    )


def rewrite(path: Path, **members: bytes | None) -> None:
    """Replace or drop members of a stored log, checksums and all."""
    with zipfile.ZipFile(path) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    found |= {name.replace("__", "."): data for name, data in members.items()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in found.items():
            if data is not None:
                archive.writestr(name, data)


@in_one_folder
@given(log=logs())
def test_a_log_survives_saving(log: MemoryLog, tmp_path: Path) -> None:
    storage.save(log, tmp_path / "any.log")
    assert same(storage.load(tmp_path / "any.log"), log)


def test_the_same_log_gives_the_same_bytes(tmp_path: Path) -> None:
    storage.save(jane(), tmp_path / "one.log")
    storage.save(jane(), tmp_path / "two.log")
    assert (tmp_path / "one.log").read_bytes() == (tmp_path / "two.log").read_bytes()


def test_numpy_alone_can_read_the_arrays(tmp_path: Path) -> None:
    storage.save(jane(), tmp_path / "jane.log")
    with np.load(tmp_path / "jane.log", allow_pickle=False) as archive:
        assert np.array_equal(archive["coref_prob"], jane().coref_prob)


def test_what_is_loaded_can_be_written_to(tmp_path: Path) -> None:
    storage.save(jane(), tmp_path / "jane.log")
    storage.load(tmp_path / "jane.log").usage[0, 0] = 1


def test_an_older_file_is_replaced_and_nothing_else_left(tmp_path: Path) -> None:
    path = tmp_path / "jane.log"
    path.write_text("something older")
    storage.save(jane(), path)
    assert same(storage.load(path), jane())
    assert [item.name for item in tmp_path.iterdir()] == ["jane.log"]


def test_a_full_disk_leaves_the_older_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "jane.log"
    path.write_text("something older")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(LogError, match=r"not saved: .*jane\.log cannot be written: No space left on device"):
        storage.save(jane(), path)
    assert path.read_text() == "something older"
    assert [item.name for item in tmp_path.iterdir()] == ["jane.log"]


def test_an_interrupted_save_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        storage.save(jane(), tmp_path / "jane.log")
    assert list(tmp_path.iterdir()) == []


def test_places_that_cannot_hold_a_log_are_named(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="not a plain file"):
        storage.save(jane(), tmp_path)
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(LogError, match=r"file.jane\.log cannot be written"):
        storage.save(jane(), tmp_path / "file" / "jane.log")


def test_a_missing_file_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"No memory log at .*petra track TEXT --log"):
        storage.load(tmp_path / "jane.log")
    with pytest.raises(LogError, match="cannot be read"):
        storage.load(tmp_path)


@pytest.mark.parametrize("content", [b"", b"PK", b"Jane met Tom.", bytes(1000)])
def test_a_file_of_another_kind_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(LogError, match="not a memory log, or it is damaged"):
        storage.load(path)


def test_an_archive_of_another_kind_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", starts=np.arange(3))
    with pytest.raises(LogError, match="not a memory log"):
        storage.load(tmp_path / "other.npz")


def test_a_newer_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "jane.log"
    storage.save(jane(), path)
    rewrite(path, header__json=json.dumps({"schema": "petra.log/3"}).encode())
    with pytest.raises(LogError, match=r"format petra\.log/3; this version of PeTra reads petra\.log/2\. Update"):
        storage.load(path)


HEADER = {"schema": "petra.log/1", "model": "by hand", "threshold": 0.5, "characters": 30, "tokens": 10, "cells": 4}


def test_an_earlier_format_is_read(tmp_path: Path) -> None:
    """petra.log/1 has no mentions: people are grouped from the gates."""
    path = tmp_path / "jane.log"
    storage.save(jane(), path)
    rewrite(path, header__json=json.dumps(HEADER).encode())
    log = storage.load(path)
    assert same(log, jane())
    assert (log.read_by, log.mentions) == ("token", None)
    assert [person.name for person in find_people(log)] == ["Jane", "Tom"]


def npy(array: np.ndarray) -> bytes:
    data = io.BytesIO()
    np.save(data, array)
    return data.getvalue()


def test_the_people_of_the_first_pass_are_kept(tmp_path: Path) -> None:
    log = emma()
    assert log.mentions is not None
    joined = [one._replace(person=1, read_as=one.person) for one in log.mentions]
    storage.save(replace(log, mentions=LogMentions.of(joined)), tmp_path / "emma.log")
    mentions = storage.load(tmp_path / "emma.log").mentions
    assert mentions is not None
    assert [(one.person, one.read_as) for one in mentions] == [(1, 1), (1, 2)]
    # Of two equal parts the first goes on as the person, and the mention of the other was moved.
    assert mentions.final_person == {1: 1, 2: 1}
    assert mentions.moved.tolist() == [False, True]


@pytest.mark.parametrize(
    "members",
    [
        {"header__json": b"[]"},
        {"header__json": b"{"},
        {"header__json": b" " * (1 << 21)},
        {"header__json": json.dumps(HEADER | {"schema": 1}).encode()},
        {"header__json": json.dumps(HEADER | {"tokens": 10**15}).encode()},
        {"header__json": json.dumps(HEADER | {"tokens": -1}).encode()},
        {"header__json": json.dumps(HEADER | {"tokens": "9"}).encode()},
        {"header__json": json.dumps(HEADER | {"cells": 3}).encode()},
        {"header__json": json.dumps(HEADER | {"characters": 3}).encode()},
        {"header__json": json.dumps(HEADER | {"threshold": None}).encode()},
        {"header__json": json.dumps({"schema": "petra.log/1"}).encode()},
        {"text__txt": b"\xff\xfe"},
        {"text__txt": None},
        {"usage__npy": None},
        {"usage__npy": b""},
        {"usage__npy": npy(np.zeros((10, 4), np.float64))},
        {"usage__npy": npy(np.asfortranarray(np.zeros((10, 4), np.float32)))},
        {"usage__npy": npy(np.zeros((10, 4), np.float32))[:-4]},
        {"usage__npy": npy(np.full((10, 4), np.nan, np.float32))},
        {"starts__npy": npy(np.arange(10)[::-1] + 40)},
    ],
)
def test_a_file_that_contradicts_itself_is_refused(members: dict[str, bytes | None], tmp_path: Path) -> None:
    path = tmp_path / "jane.log"
    storage.save(jane(), path)
    rewrite(path, header__json=json.dumps(HEADER).encode())
    assert storage.load(path).num_tokens == 10  # so far all is well
    rewrite(path, **members)
    with pytest.raises(LogError, match=r"jane\.log"):
        storage.load(path)


def emma() -> MemoryLog:
    return read_by_mention(
        "Emma's father left.",
        ("Emma", "Emma", 1, {"new": 0}),
        ("Emma's father", "father", 2, {"new": 1}),
    )


def test_mentions_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "emma.log"
    storage.save(emma(), path)
    log = storage.load(path)
    assert same(log, emma())
    assert log.read_by == "mention"
    assert [(person.id, person.name) for person in find_people(log)] == [(1, "Emma"), (2, "Emma's father")]
    with np.load(path, allow_pickle=False) as archive:
        assert archive["mentions/heads"].tolist() == [0, 3]


@pytest.mark.parametrize(
    "members",
    [
        {"mentions/starts__npy": None},
        {"mentions/starts__npy": npy(np.array([5, 0]))},  # not in text order
        {"mentions/ends__npy": npy(np.array([4, 99]))},
        {"mentions/ends__npy": npy(np.array([0, 13]))},
        {"mentions/kinds__npy": npy(np.array([0, 7]))},
        {"mentions/heads__npy": npy(np.array([0, 99]))},
        {"mentions/people__npy": npy(np.array([2, 1]))},  # not by first mention
        {"mentions/people__npy": npy(np.array([1, 2, 3]))},
        {"mentions/probability__npy": npy(np.array([0.5, np.nan]))},
        {"mentions/probability__npy": npy(np.array([1, 1]))},
    ],
)
def test_mentions_that_do_not_fit_are_refused(members: dict[str, bytes | None], tmp_path: Path) -> None:
    path = tmp_path / "emma.log"
    storage.save(emma(), path)
    rewrite(path, **members)
    with pytest.raises(LogError, match=r"emma\.log"):
        storage.load(path)


@pytest.mark.parametrize("changed", [{"read_by": "letter"}, {"mentions": None}, {"mentions": 3}, {"mentions": "2"}])
def test_a_header_that_does_not_fit_the_mentions_is_refused(changed: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "emma.log"
    storage.save(emma(), path)
    with zipfile.ZipFile(path) as archive:
        header = json.loads(archive.read("header.json"))
    rewrite(path, header__json=json.dumps(header | changed).encode())
    with pytest.raises(LogError, match=r"emma\.log"):
        storage.load(path)


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_file_is_refused_or_harmless(data: st.DataObject, tmp_path: Path) -> None:
    """Flipped bytes or a cut: the log as it was (dates and the like are not read), or a LogError."""
    path = tmp_path / "jane.log"
    storage.save(jane(), path)
    content = bytearray(path.read_bytes())
    if data.draw(st.booleans()):
        content = content[: data.draw(st.integers(0, len(content) - 1))]
    for _ in range(data.draw(st.integers(0, 3))):
        if content:
            content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)
    try:
        loaded = storage.load(path)
    except LogError:
        return
    assert same(loaded, jane())


def test_a_file_that_would_fill_the_memory_is_refused(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.log"
    header = {"schema": "petra.log/2", "model": "m", "threshold": 0.5, "characters": 0, "tokens": 0, "cells": 1}
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("header.json", json.dumps(header))
        with archive.open("text.txt", "w") as member:
            for _ in range(600):
                member.write(bytes(1 << 20))
    assert bomb.stat().st_size < 5_000_000
    with pytest.raises(LogError, match=r"would unpack to 629,\d+,\d+, as no memory log does"):
        storage.load(bomb)
