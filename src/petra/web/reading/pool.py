"""The texts of all clients: a few are read at once, some wait, results are held for a while.

One client's texts never push out another's. What a client asks for beyond its share is
refused (429), and what the server cannot take on is refused for everybody (503).
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol

from petra.errors import PetraError
from petra.runtime.progress import Report
from petra.web.answers import NOT_OURS, Refusal, status_of
from petra.web.reading.jobs import Asked, Failure, GivenUpError, Job, Progress
from petra.web.serving.limits import Limits

if TYPE_CHECKING:
    from petra.tracker import Tracking

_RETRY = 5  # seconds after which a client may ask again
_logger = logging.getLogger(__name__)


class Reads(Protocol):
    """What reads texts: a tracker."""

    def track(
        self, text: str, *, cells: int | None, threshold: float | None, source: str | None, report: Report
    ) -> Tracking: ...


class Pool:
    """Reads texts in threads of its own, within limits, and holds what was found.

    ``readers`` gives the reader of a model by its name.
    """

    def __init__(
        self, readers: Callable[[str, Report], Reads], limits: Limits, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._readers = readers
        self._limits = limits
        self._clock = clock
        self._jobs: dict[str, Job] = {}
        self._under_way: list[tuple[Job, Future[None]]] = []  # also those given up that still occupy a thread
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(limits.max_jobs, thread_name_prefix="reading")

    def submit(self, asked: Asked, client: str) -> Job:
        """Take on a text, or refuse it."""
        limits = self._limits
        if len(asked.text) > limits.max_characters:
            raise Refusal(
                413,
                f"The text has {len(asked.text):,} characters; this server reads up to {limits.max_characters:,}. "
                "Send a part of it, or read it on your own machine with: petra track FILE",
            )
        with self._lock:
            self._check_share(client)
            self._make_room(client, len(asked.text))
            job = Job(asked, client, self._clock())
            self._jobs[job.id] = job
            self._under_way.append((job, self._threads.submit(self._read, job)))
        return job

    def find(self, job_id: str) -> Job:
        """A job by its id; that somebody asked for it is noted."""
        job = self._jobs.get(job_id)
        if job is None:
            raise Refusal(
                404,
                "This result is not here, or not here any more: texts and results are kept only for as long as "
                "somebody looks at them, unless that was asked for. Read the text again.",
            )
        self.touch(job)
        return job

    def touch(self, job: Job) -> None:
        """Note that somebody waits for a job or looks at it."""
        job.seen = self._clock()

    def remove(self, job_id: str) -> None:
        """Forget a job; if it is under way, it ends."""
        with self._lock:
            self._remove(job_id)

    def sweep(self) -> None:
        """End what takes too long and remove what nobody needs."""
        now, limits = self._clock(), self._limits
        with self._lock:
            for job in list(self._jobs.values()):
                if not job.ended and job.progress.state != "loading" and now - job.since > limits.max_seconds:
                    job.fail(self._too_slow(job), now)
                if self._is_over(job, now):
                    self._remove(job.id)

    def close(self) -> None:
        """End everything and forget it; threads that read stop at their next step."""
        with self._lock:
            for job_id in list(self._jobs):
                self._remove(job_id)
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _read(self, job: Job) -> None:
        try:
            asked = job.asked
            job.tell(Progress("loading"))
            reader = self._readers(asked.model, lambda done, whole: job.tell(Progress("loading", done, whole)))
            job.tell(Progress("reading"), self._clock())
            tracking = reader.track(
                asked.text,
                cells=asked.cells,
                threshold=asked.threshold,
                source=asked.source,
                report=lambda done, whole: job.tell(Progress("reading", done, whole)),
            )
            job.finish(tracking, self._clock())
        except GivenUpError:
            pass
        except PetraError as error:
            self._fail(job, status_of(error), str(error))
        except MemoryError:
            self._fail(job, 503, "The server has too little memory for this text now. Try a shorter one, or later.")
        except Exception:
            _logger.exception("A text could not be read.")
            self._fail(job, 500, NOT_OURS)

    def _fail(self, job: Job, status: int, message: str) -> None:
        job.fail(Failure(status, message), self._clock())

    def _check_share(self, client: str) -> None:
        self._under_way = [(job, future) for job, future in self._under_way if not future.done()]
        own = sum(job.client == client for job, _ in self._under_way)
        if own >= self._limits.max_jobs_per_client:
            raise Refusal(
                429,
                f"{own} texts from your address are being read or wait for it; more are not taken at once. "
                "Wait for one to end.",
                retry_after=_RETRY,
            )
        if len(self._under_way) >= self._limits.max_jobs + self._limits.max_waiting:
            raise Refusal(
                503,
                f"The server is busy: {len(self._under_way)} texts are before yours. Try again soon.",
                retry_after=_RETRY,
            )

    def _make_room(self, client: str, characters: int) -> None:
        """A client's oldest results give way to its new one, except those to be kept."""
        limits = self._limits
        own = [job for job in self._jobs.values() if job.client == client and job.ended]
        passing = sorted((job for job in own if not job.kept), key=lambda job: job.seen)
        for job in passing[: max(0, len(own) + 1 - limits.max_results_per_client)]:
            self._remove(job.id)
            own.remove(job)
        if len(own) >= limits.max_results_per_client:
            raise Refusal(
                429, f"{len(own)} results are kept for your address, as many as may be. Remove one of them first."
            )
        held = characters + sum(job.characters for job in self._jobs.values())
        if len(self._jobs) >= limits.max_results or held > limits.max_held_characters:
            raise Refusal(
                503, "The server holds as many results as it may. Try again in a few minutes.", retry_after=60
            )

    def _is_over(self, job: Job, now: float) -> bool:
        limits = self._limits
        if job.kept:
            return job.ended and now - job.since > limits.keep_seconds
        return now - job.seen > (limits.idle_seconds if job.ended else limits.lost_seconds)

    def _too_slow(self, job: Job) -> Failure:
        seconds = f"{self._limits.max_seconds:g} seconds"
        if job.progress.state == "waiting":
            return Failure(503, f"The text waited {seconds} for its turn: the server is busy. Try again later.")
        return Failure(503, f"Reading the text took longer than the {seconds} allowed. Try a shorter one.")

    def _remove(self, job_id: str) -> None:
        removed = self._jobs.pop(job_id, None)
        if removed is not None:
            removed.fail(Failure(404, "The text was removed before it was read."), self._clock())
            for job, future in self._under_way:
                if job is removed:
                    future.cancel()
