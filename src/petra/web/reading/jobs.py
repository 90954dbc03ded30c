"""A text to be read for a client: what was asked, how far it is, what came of it."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from petra.people.occupancy import Occupancy, find_occupancy

if TYPE_CHECKING:
    from petra.people.edits import Editor
    from petra.tracker import Tracking

State = Literal["waiting", "loading", "reading", "done", "failed"]


class GivenUpError(Exception):
    """Raised in the thread that reads a text which nobody waits for any more."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """What a client asks for."""

    text: str
    model: str
    source: str | None = None
    cells: int | None = None
    threshold: float | None = None
    keep: bool = False  # the result is to stay for a day, whether anybody looks at it or not


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a text is: tokens while it is read, bytes while its model is fetched."""

    state: State
    done: int = 0
    whole: int = 0


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no result, with the status that says so to a client."""

    status: int
    message: str


@dataclass(frozen=True, eq=False)
class Result:
    """What was found, and what is made from it once for all who look."""

    tracking: Tracking

    @cached_property
    def occupancy(self) -> Occupancy:
        return find_occupancy(self.tracking.log, self.tracking.people)

    @cached_property
    def report(self) -> str:
        from petra.report.page.report_page import html_report

        found = self.tracking
        return html_report(
            source=found.source,
            model=found.model,
            threshold=found.log.threshold,
            text=found.text,
            people=found.people,
            quotations=found.quotations,
            log=found.log,
        )


class Job:
    """One text of one client, from the request until the result is removed.

    The thread that reads reports its progress. Any thread may read the progress and may end
    the job, which stops the reading at its next step; only the first end has an effect.
    Times are of the pool's clock.
    """

    def __init__(self, asked: Asked, client: str, now: float) -> None:
        self.id = secrets.token_urlsafe(16)
        self.client = client
        self.model = asked.model
        self.kept = asked.keep
        self.characters = len(asked.text)
        self.created = now
        self.seen = now  # when somebody last asked for it
        self.since = now  # when it began to wait or to be read, or ended
        self.result: Result | None = None
        self.failure: Failure | None = None
        self._asked: Asked | None = asked  # until the end: the text is not kept longer than it is needed
        self._progress = Progress("waiting")
        self._lock = threading.Lock()
        self._editor: Editor | None = None  # once somebody corrected the result
        self._editing = threading.Lock()

    @property
    def progress(self) -> Progress:
        return self._progress

    @property
    def ended(self) -> bool:
        return self.result is not None or self.failure is not None

    @property
    def asked(self) -> Asked:
        """What was asked for, for the thread that reads."""
        if (asked := self._asked) is None:
            raise GivenUpError
        return asked

    def tell(self, progress: Progress, now: float | None = None) -> None:
        """Say how far the reading is, and when a new part of the work began."""
        with self._lock:
            if self.ended:
                raise GivenUpError
            self._progress = progress
            self.since = self.since if now is None else now

    def finish(self, tracking: Tracking, now: float) -> None:
        """End with a result."""
        with self._lock:
            if not self.ended:
                self.result = Result(tracking)
                self._end(Progress("done", self._progress.whole, self._progress.whole), now)

    def fail(self, failure: Failure, now: float) -> None:
        """End without one."""
        with self._lock:
            if not self.ended:
                self.failure = failure
                self._end(Progress("failed", self._progress.done, self._progress.whole), now)

    def correct(self, result: Result, change: Callable[[Editor], None]) -> Editor:
        """Let ``change`` correct the result, one change at a time; whoever looks then sees the corrected one."""
        editor = self.editor(result)
        with self._editing:
            change(editor)
            self.result = Result(result.tracking.edited(editor))
            return editor

    def editor(self, result: Result) -> Editor:
        """What corrects the result, with the corrections made so far."""
        with self._editing:
            self._editor = self._editor or result.tracking.editor()
            return self._editor

    def _end(self, progress: Progress, now: float) -> None:
        self._progress = progress
        self._asked = None
        self.since = self.seen = now
