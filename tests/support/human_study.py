"""A small human evaluation, and the real server that serves it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path

from written_logs import written_log

from petra.log.memory_log import MemoryLog
from petra.study.answers import Answer
from petra.study.design import Design, Task
from petra.study.storage import read_study, write_study
from petra.study.study import Annotator, Study, StudyModel, make_study

TEXT = "Jane met Tom at the <b>harbour</b>. She had written to him twice, and he had answered neither letter."


def logs_of(text: str = TEXT) -> tuple[MemoryLog, MemoryLog]:
    """What a good model and a bad one decide on a text about Jane and Tom."""
    good = written_log(
        text, ("Jane", 0, "new"), ("Tom", 1, "new"), ("She", 0, "same"), ("him", 1, "same"), ("he", 1, "same"), cells=3
    )
    bad = written_log(text, ("Jane", 0, "new", 0.6), ("She", 1, "new"), ("him", 2, "new", 0.7), cells=3)
    return good, bad


def small_study(folder: Path, *, documents: int = 4, set_size: int = 2, rounds: int = 2, title: str = "Trial") -> Study:
    """A study of the two models on as many documents, written to a folder."""
    study = make_study(
        models=[StudyModel("good", 3), StudyModel("bad", 3)],
        documents=[f"document-{number}" for number in range(1, documents + 1)],
        design=Design(num_documents=documents, set_size=set_size, rounds=rounds),
        title=title,
    )
    write_study(folder, study, [logs_of(f"{TEXT} It was day {number}.") for number in range(1, documents + 1)])
    return study


def judged_study(orders: list[list[tuple[int, int]]], *, is_paper: bool = False) -> Study:
    """A study of models one and two and as many documents as a round has; orders come by round and document."""
    return Study(
        id="by-hand",
        title="By hand",
        is_paper=is_paper,
        seed=0,
        instructions="Look.",
        models=(StudyModel("one", 8), StudyModel("two", 8)),
        documents=tuple(f"d{number}" for number in range(1, len(orders[0]) + 1)),
        annotators=tuple(
            Annotator(
                number=number + 1,
                token=f"token-of-annotator-{number + 1}",
                round=number,
                tasks=tuple(Task(document, order) for document, order in enumerate(of_round)),
            )
            for number, of_round in enumerate(orders)
        ),
    )


def answer(annotator: int, place: int, choice: str, comment: str = "", *, seconds: int | None = None) -> Answer:
    return Answer(
        annotator=annotator,
        place=place,
        choice=choice,
        comment=comment,
        version=1,
        answered_at=datetime(2026, 3, 1, 12, 30, tzinfo=timezone.utc),
        seconds=seconds,
    )


class Server:
    """The command ``petra study serve`` in a process of its own."""

    def __init__(self, folder: Path, *options: str, port: int = 0) -> None:
        code = "from petra.cli.app import main; main()"
        arguments = ["study", "serve", str(folder), "--port", str(port), *options]
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        # They come when the server answers.
        lines = [self.process.stdout.readline() for _ in read_study(folder).annotators]
        if not all(lines):
            raise AssertionError(f"the server did not start: {self.kill()}")
        self.links = [line.split("\t")[1].strip() for line in lines]  # of the annotators, by number

    @property
    def port(self) -> int:
        return int(self.links[0].split(":")[2].split("/")[0])

    def link(self, annotator: int) -> str:
        """The link of an annotator, by number from 1."""
        return self.links[annotator - 1]

    def kill(self) -> str:
        """End the server as a power cut would; what it said on stderr."""
        self.process.kill()
        return self.process.communicate()[1]


@contextmanager
def serving(folder: Path, *options: str, port: int = 0) -> Iterator[Server]:
    """A server until the end of the block."""
    server = Server(folder, *options, port=port)
    try:
        yield server
    finally:
        server.kill()
