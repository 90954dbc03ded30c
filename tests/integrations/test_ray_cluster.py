from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import ray
from ray.data import Dataset

from petra import ConfigError, ModelError, PetraError, Tracker
from petra.integrations.ray import ArchiveSummary, ReadFailure, track_dataset, track_files
from petra.integrations.ray_workers import Text, Tracked, outcomes
from petra.report.values.archive import Archive, ArchiveSettings

# Ray warns of settings of its own, whoever uses its datasets.
pytestmark = pytest.mark.filterwarnings(r"ignore:.* is deprecated:DeprecationWarning:ray\.data\.context")

LENA = "Lena Brook met Paul. He told her that his mother was the doctor. Amelia saw Lena and said it."
AMELIA = "Amelia Shepherd met Paul. She told him that Lena Brook saw her mother."


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """A Ray cluster of this machine alone, with a token of its own instead of one in the user's home."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
        yield
        ray.shutdown()


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / f"{number}.txt" for number in range(4)]
    for path, text in zip(paths, (LENA, "", AMELIA, LENA), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def lines(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def test_a_dataset_gets_a_column_and_keeps_order_and_columns(
    cluster: None, tiny_model: Path, tiny_tracker: Tracker
) -> None:
    texts = [LENA, None, AMELIA, ""] * 3
    rows = [{"n": number, "text": text, "file": f"{number}.txt"} for number, text in enumerate(texts)]
    dataset = ray.data.from_items(rows, override_num_blocks=4)
    tracked = track_dataset(dataset, source="file", model=tiny_model, batch_size=2, workers=1, threshold=0.1)
    found = tracked.take_all()
    assert [{name: row[name] for name in ("n", "text", "file")} for row in found] == rows
    assert [set(row) for row in found] == [{"n", "text", "file", "tracking"}] * len(rows)
    for row in found:
        if row["text"] is None:
            assert row["tracking"] is None
        else:
            expected = tiny_tracker.track(row["text"], threshold=0.1, source=row["file"]).to_dict()
            assert json.loads(row["tracking"]) == expected
    assert json.loads(found[0]["tracking"])["people"]


def test_files_are_tracked_and_broken_work_goes_on(
    cluster: None, files: list[Path], tmp_path: Path, tiny_model: Path, tiny_tracker: Tracker
) -> None:
    out = tmp_path / "out.jsonl"
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"caf\xe9")
    told: list[tuple[int, int]] = []
    settings: dict[str, Any] = {"model": tiny_model, "threshold": 0.1, "workers": 1}

    read_by = ArchiveSettings(model="tiny", threshold=0.1)
    with Archive(out, read_by) as archive:  # of a run that was broken off in its third line
        for path, text in zip(files[2:], (AMELIA, LENA), strict=True):
            tracking = tiny_tracker.track(text, threshold=0.1, source=str(path))
            archive.add(str(path), read_by.line(tracking.to_dict()))
            path.unlink()  # it is not read again
    with out.open("a", encoding="utf-8") as file:
        file.write('{"schema": "petra.tracking/1", "sou')

    summary = track_files([bad, *files], out, report=lambda *counts: told.append(counts), **settings)

    assert (summary.tracked, summary.found) == (2, 2)
    assert [failure.source for failure in summary.failures] == [str(bad)]
    assert "is not UTF-8" in summary.failures[0].reason
    assert told[0] == (2, 5)
    assert told[-1] == (5, 5)
    assert [line["source"] for line in lines(out)] == [str(path) for path in files]
    for line, text in zip(lines(out), (LENA, "", AMELIA, LENA), strict=True):
        expected = tiny_tracker.track(text, threshold=0.1, source=line["source"]).to_dict()
        assert line == {**expected, "cells": None, "threshold": 0.1}


def test_a_worker_that_dies_costs_only_the_text_that_killed_it(cluster: None) -> None:
    class Fragile:  # defined here, so that it travels to the worker whole
        def begin(self) -> list[Any]:
            return []

        def read(self, batch: list[Text]) -> list[Tracked]:
            if any(text.text == "deadly" for text in batch):
                os._exit(1)
            return [Tracked(text.source, text.text) for text in batch]

    worker = ray.remote(Fragile).options(num_cpus=1, max_restarts=-1).remote()
    batches = [[Text("a", "x"), Text("b", "deadly"), Text("c", "y")], [Text("d", "z")]]
    found = list(outcomes(iter(batches), [worker]))
    assert sorted(found) == [
        Tracked("a", "x"),
        ReadFailure("b", "The worker died while it read this text, perhaps out of memory."),
        Tracked("c", "y"),
        Tracked("d", "z"),
    ]
    ray.kill(worker)


def test_a_worker_that_never_begins_is_told(cluster: None) -> None:
    class Dead:
        def begin(self) -> list[Any]:
            os._exit(1)

    worker = ray.remote(Dead).options(num_cpus=1, max_restarts=-1).remote()
    with pytest.raises(PetraError, match="could not be started"):
        list(outcomes(iter([[Text("a", "x")]]), [worker]))
    ray.kill(worker)


def test_what_a_worker_cannot_do_is_told_in_its_own_words(cluster: None) -> None:
    class Unable:
        def begin(self) -> list[Any]:
            raise ModelError("The weights are damaged.")

    worker = ray.remote(Unable).remote()
    with pytest.raises(ModelError, match=r"^The weights are damaged\.$"):
        list(outcomes(iter([]), [worker]))
    ray.kill(worker)


def test_work_that_is_done_or_cannot_be_begun_needs_no_cluster(
    files: list[Path], tmp_path: Path, tiny_model: Path
) -> None:
    out = tmp_path / "out.jsonl"
    assert track_files([], out, model=tiny_model) == ArchiveSummary(tracked=0, found=0, failures=())
    with pytest.raises(ModelError, match="No model named 'huge'"):
        track_files(files, out, model="huge")
    with pytest.raises(ConfigError, match="is one of the texts"):
        track_files(files, files[0], model=tiny_model)
    with pytest.raises(ConfigError, match="0 workers"):
        track_files(files, out, model=tiny_model, workers=0)
    with pytest.raises(TypeError, match="Give a list of paths"):
        track_files(files[0], out, model=tiny_model)  # type: ignore[arg-type]
    absent = track_files([tmp_path / "absent.txt"], out, model=tiny_model, workers=1)
    assert [failure.reason[:10] for failure in absent.failures] == ["No file at"]


def test_of_two_calls_that_write_one_file_the_second_is_refused(
    files: list[Path], tmp_path: Path, tiny_model: Path
) -> None:
    out = tmp_path / "out.jsonl"
    with Archive(out, ArchiveSettings(model="tiny")), pytest.raises(PetraError, match="is being written by process"):
        track_files(files, out, model=tiny_model)


@pytest.fixture
def rows(cluster: None) -> Dataset:
    return ray.data.from_items([{"text": LENA, "year": 1900}])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"column": "body"}, "no column 'body'. It has: text, year"),
        ({"source": "file"}, "no column 'file'"),
        ({"result": "year"}, "a column 'year' already"),
    ],
)
def test_columns_that_do_not_fit_are_told_at_once(
    rows: Dataset, tiny_model: Path, wrong: dict[str, str], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        track_dataset(rows, model=tiny_model, **wrong)
