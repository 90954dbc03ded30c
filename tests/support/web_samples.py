"""What tests of the web pages share: people by hand, a reader that waits, and the real server as a process."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from written_logs import written_log

from petra.domain import Mention, Person
from petra.runtime.progress import Report
from petra.tracker import Tracking

STORY = "Jane met Tom. She told him about Ann. Tom smiled at her."
PAGE_TEXT = (
    "Ruth Calloway wrote her first novel on the night train to Lisbon. Her editor, Paul Brandt, thought it too long, "
    "but he printed every word of it. Years later she told Maria Lenz that the only line she would cut was his."
)


def person(number: int, text: str, *words: str) -> Person:
    """A person mentioned by words of a text, each at its next place."""
    mentions = []
    at = 0
    for word in words:
        at = text.index(word, at)
        mentions.append(Mention(start=at, end=at + len(word), text=word, kind="name", probability=0.9))
        at += 1
    return Person(number, words[0], tuple(mentions))


def story() -> Tracking:
    """A reading of STORY by hand."""
    log = written_log(STORY, ("Jane", 0, "new"), ("Tom", 1, "new"), ("She", 0, "same"), cells=2)
    people = (person(1, STORY, "Jane", "She"), person(2, STORY, "Tom"))
    return Tracking(source=None, log=log, people=people)


class PatientReader:
    """Reads a text only when it is let: ``go`` lets it end, and until then it says every moment that it is there."""

    def __init__(self, error: Exception | None = None) -> None:
        self.go = threading.Event()
        self.began = threading.Semaphore(0)
        self.left = threading.Semaphore(0)
        self.error = error

    def track(
        self, text: str, *, cells: int | None, threshold: float | None, source: str | None, report: Report
    ) -> Tracking:
        self.began.release()
        try:
            while not self.go.wait(0.005):
                report(1, 2)
            if self.error:
                raise self.error
            report(2, 2)
            return story()
        finally:
            self.left.release()


@contextmanager
def serving(*arguments: str | Path) -> Iterator[str]:
    """The address of ``petra serve`` in a process of its own."""
    code = "from petra.cli.app import main; main()"
    command = [sys.executable, "-c", code, "serve", "--port", "0", "--device", "cpu", *map(str, arguments)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
    assert process.stderr is not None
    try:
        told = ""
        for line in process.stderr:
            told += line
            if found := re.search(r"http://\S+/", line):
                yield found[0]
                break
        else:
            raise AssertionError(f"petra serve ended: {told}")
    finally:
        process.terminate()
        process.communicate()
