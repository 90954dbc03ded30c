"""Texts read by a Ray cluster: the rows of a dataset, or the files of an archive."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from petra.errors import ConfigError, TextError
from petra.integrations.readings import ReadingSettings
from petra.report.values.archive import Archive, ArchiveSettings
from petra.runtime.progress import Report, silent
from petra.text.source import read_text
from petra.trained import model_folder, read_record, shipped_models

try:
    import ray
    from ray.data import ActorPoolStrategy, Dataset
except ModuleNotFoundError as error:
    raise ImportError(f"Clusters need Ray ({error}). Install it with: pip install 'petra[ray]'") from None

from petra.integrations.ray_rows import RowReader, check_columns
from petra.integrations.ray_workers import ReadFailure, Text, TextBatch, Tracked, Worker, outcomes

__all__ = ["ArchiveSummary", "ReadFailure", "track_dataset", "track_files"]

_BATCH_TEXTS = 32
_BATCH_CHARACTERS = 100_000  # a batch is sent when it has so many


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchiveSummary:
    """What became of the files of an archive."""

    tracked: int  # read now
    found: int  # read before
    failures: tuple[ReadFailure, ...]


def track_dataset(
    dataset: Dataset,
    *,
    column: str = "text",
    result: str = "tracking",
    source: str | None = None,
    model: str | Path | None = None,
    device: str | None = None,
    cells: int | None = None,
    threshold: float | None = None,
    batch_size: int = _BATCH_TEXTS,
    workers: int | None = None,
    cpus: float = 1,
    gpus: float = 0,
) -> Dataset:
    """The dataset with a further column: what was found in each text, as JSON of the schema ``petra.tracking/1``.

    Rows keep their order and their columns, a missing text has no result, and nothing is
    read before the dataset is used. ``source`` names the column that says where a text is
    from. Each worker loads the model once, on as many ``cpus`` and ``gpus``; there are
    at most as many ``workers``, or as many as the cluster can hold.
    """
    columns = dataset.columns(fetch_if_missing=False)
    if columns is not None:
        check_columns(columns, column, result, source)
    reading = ReadingSettings(model=_sendable(model), device=_place(device, gpus), cells=cells, threshold=threshold)
    tracked = dataset.map_batches(
        RowReader,
        fn_constructor_kwargs={"reading": reading, "column": column, "result": result, "source": source},
        batch_size=batch_size,
        batch_format="pyarrow",
        compute=ActorPoolStrategy(min_size=1, max_size=_most_workers(workers, cpus, gpus)),
        num_cpus=cpus,
        num_gpus=gpus,
    )
    # By default Ray gives out blocks as they are done.
    tracked.context.execution_options.preserve_order = True
    return tracked


def track_files(
    paths: Iterable[str | Path],
    out: str | Path,
    *,
    model: str | Path | None = None,
    device: str | None = None,
    cells: int | None = None,
    threshold: float | None = None,
    workers: int | None = None,
    cpus: float = 1,
    gpus: float = 0,
    report: Report = silent,
) -> ArchiveSummary:
    """Read text files and write what was found to the file ``out``, a line of JSON for each, in the order given.

    A text that is in ``out`` already is not read again, so the same call goes on with work
    that was broken off. A text that fails is in the summary, keeps no other from being
    read, and is tried again next time. Files are read and written here, where this is
    called: the workers need no common disk. A second call that is to write to the same
    file at the same time is refused. ``report`` is called with the number of texts done.
    """
    if isinstance(paths, (str, os.PathLike)):
        raise TypeError("Several files were expected, and one came. Give a list of paths.")
    sources = list(dict.fromkeys(str(Path(path)) for path in paths))
    if Path(out).resolve() in {Path(source).resolve() for source in sources}:
        raise ConfigError(f"{out} is one of the texts. Give another file for what is found.")
    reading = ReadingSettings(model=_sendable(model), device=_place(device, gpus), cells=cells, threshold=threshold)
    name = str(read_record(model_folder(model))["name"])
    read_by = ArchiveSettings(model=name, cells=cells, threshold=threshold)
    with Archive(Path(out), read_by) as archive:
        return _track_into(archive, sources, reading, read_by, workers, cpus, gpus, report)


def _track_into(
    archive: Archive,
    sources: Sequence[str],
    reading: ReadingSettings,
    read_by: ArchiveSettings,
    workers: int | None,
    cpus: float,
    gpus: float,
    report: Report,
) -> ArchiveSummary:
    """Read the texts that an archive lacks, and put its lines into the order of the sources."""
    missing = [source for source in sources if source not in archive]
    found, tracked = len(sources) - len(missing), 0
    failures: list[ReadFailure] = []
    report(found, len(sources))
    texts = _ArchiveFiles(missing)
    if missing:  # else no cluster is needed
        number = min(len(missing), _most_workers(workers, cpus, gpus))
        for outcome in _read(texts, reading, read_by, number, cpus, gpus):
            if isinstance(outcome, Tracked):
                archive.add(outcome.source, outcome.line)
                tracked += 1
            else:
                failures.append(outcome)
            report(found + tracked + len(failures), len(sources))
    failures += texts.failures
    archive.put_in_order(sources)
    report(len(sources), len(sources))
    place = {source: number for number, source in enumerate(sources)}
    failures.sort(key=lambda failure: place[failure.source])
    return ArchiveSummary(tracked=tracked, found=found, failures=tuple(failures))


def _read(
    batches: Iterable[TextBatch],
    reading: ReadingSettings,
    read_by: ArchiveSettings,
    workers: int,
    cpus: float,
    gpus: float,
) -> Iterator[Tracked | ReadFailure]:
    """What became of each text, read by workers that are there as long as this takes."""
    coming = iter(batches)
    first = next(coming, None)
    if first is None:  # none of the files can be read
        return
    actors = ray.remote(Worker).options(num_cpus=cpus, num_gpus=gpus, max_restarts=-1)
    crew: list[Any] = [actors.remote(reading, read_by) for _ in range(workers)]
    try:
        yield from outcomes(chain([first], coming), crew)
    finally:
        for worker in crew:
            ray.kill(worker)


class _ArchiveFiles:
    """The texts of files in batches, read when they are needed; ``failures`` has those that cannot be read."""

    def __init__(self, sources: Iterable[str]) -> None:
        self._sources = sources
        self.failures: list[ReadFailure] = []

    def __iter__(self) -> Iterator[TextBatch]:
        batch: list[Text] = []
        characters = 0
        for source in self._sources:
            try:
                text = read_text(Path(source))
            except TextError as error:
                self.failures.append(ReadFailure(source, str(error)))
                continue
            batch.append(Text(source, text))
            characters += len(text)
            if len(batch) == _BATCH_TEXTS or characters >= _BATCH_CHARACTERS:
                yield batch
                batch, characters = [], 0
        if batch:
            yield batch


def _most_workers(workers: int | None, cpus: float, gpus: float) -> int:
    """The number asked for, else how many of this size the cluster can hold; this machine where there is no cluster."""
    if workers is not None:
        if workers < 1:
            raise ConfigError(f"{workers} workers cannot read anything; choose 1 or more.")
        return workers
    if not ray.is_initialized():
        ray.init()
    there = ray.cluster_resources()
    sizes = (("CPU", cpus), ("GPU", gpus))
    return max(1, int(min((there.get(kind, 0) / size for kind, size in sizes if size), default=1)))


def _place(device: str | None, gpus: float) -> str | None:
    """The device asked for, else the GPU of a worker that has one. Others may see a GPU too, which is not theirs."""
    return "cpu" if device is None and gpus == 0 else device


def _sendable(model: str | Path | None) -> str | None:
    """A model as workers elsewhere can find it: by its name, or by a folder that does not depend on where they run."""
    folder = model_folder(model)  # raises an error if the model is not there
    if model is None or str(model) in shipped_models():
        return None if model is None else str(model)
    return str(folder.resolve())
