"""Workers of a Ray cluster, each with a model of its own, that read texts by the batch.

A worker that dies, for example out of memory, is started again. The texts it had are
then read one by one, so that the one that killed it is known and the others are read.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import ray
from ray.exceptions import RayActorError, RayTaskError

from petra.errors import PetraError
from petra.integrations.readings import ReadingSettings
from petra.report.values.archive import ArchiveSettings

if TYPE_CHECKING:
    from petra.tracker import Tracker

_MOST_DEATHS = 3  # of a worker in a row


class Text(NamedTuple):
    """A text to read and where it is from."""

    source: str
    text: str


class Tracked(NamedTuple):
    """A text that was read, and its line of the archive."""

    source: str
    line: str


class ReadFailure(NamedTuple):
    """A text that could not be read, and why."""

    source: str
    reason: str


TextBatch = Sequence[Text]


class Worker:
    """Reads texts in a process of its own; the model is loaded once."""

    def __init__(self, reading: ReadingSettings, read_by: ArchiveSettings) -> None:
        self._reading = reading
        self._read_by = read_by
        self._tracker: Tracker | None = None

    def begin(self) -> list[Tracked | ReadFailure]:
        """Load the model, with no text yet."""
        return self.read(())

    def read(self, batch: TextBatch) -> list[Tracked | ReadFailure]:
        """What became of each text, in order."""
        if self._tracker is None:
            self._tracker = self._reading.load()
        found = self._reading.track_each(self._tracker, [text.text for text in batch])
        return [
            ReadFailure(text.source, _reason(tracking))
            if isinstance(tracking, Exception)
            else Tracked(text.source, self._read_by.line({**tracking.to_dict(), "source": text.source}))
            for text, tracking in zip(batch, found, strict=True)
        ]


def outcomes(batches: Iterator[TextBatch], workers: Sequence[Any]) -> Iterator[Tracked | ReadFailure]:
    """What became of each text, as the workers come to it; the workers are Ray actors like ``Worker``.

    One that died has to begin again before it is given texts: what reached it too early would
    be lost with it, and a text among these be taken for the one that killed it.
    """
    under_way: dict[Any, tuple[Any, TextBatch]] = {worker.begin.remote(): (worker, ()) for worker in workers}
    once_more: deque[TextBatch] = deque()
    deaths: Counter[Any] = Counter()  # of each worker since it last answered
    while under_way:
        [ready], _ = ray.wait(list(under_way))
        worker, batch = under_way.pop(ready)
        try:
            yield from ray.get(ready)
        except RayTaskError as error:
            raise error.cause from None  # as it was raised there: an unknown model, a wrong setting
        except RayActorError as error:
            deaths[worker] += 1
            if deaths[worker] > _MOST_DEATHS:
                raise PetraError(f"A worker could not be started: {error}. Look into Ray's logs.") from None
            if len(batch) == 1:
                yield ReadFailure(batch[0].source, "The worker died while it read this text, perhaps out of memory.")
            else:
                once_more.extend((text,) for text in batch)
            under_way[worker.begin.remote()] = (worker, ())
            continue
        del deaths[worker]
        following = once_more.popleft() if once_more else next(batches, None)
        if following is not None:
            under_way[worker.read.remote(following)] = (worker, following)


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, PetraError) else f"{type(error).__name__}: {error}"
