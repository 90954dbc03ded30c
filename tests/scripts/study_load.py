"""Many annotators answering a study at once, by HTTP.

The test in web/test_study_load.py has each of them answer everything once. A longer run
measures:

    PYTHONPATH=tests/support python tests/scripts/study_load.py --annotators 50 --seconds 60 [--database URL]
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from urllib.parse import urlencode

from human_study import serving, small_study

from petra.study.answers import Answers
from petra.study.databases import database_of
from petra.study.study import Study

_VERSION = re.compile(r'name="version" value="(\d+)"')


@dataclass
class Visit:
    """What one annotator did: answers that the server acknowledged, by place, and everything that went wrong."""

    choices: dict[int, tuple[str, str]] = field(default_factory=dict)
    changes: int = 0
    seconds: list[float] = field(default_factory=list)  # of each request
    errors: list[str] = field(default_factory=list)


def visit(port: int, token: str, places: int, *, number: int, until: float = 0) -> Visit:
    """Answer every document, again and again until a time (of ``time.monotonic``); each answer is sent twice."""
    random, done = Random(number), Visit()
    connection = HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(method: str, path: str, body: str | None = None) -> tuple[int, str]:
        headers = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
        began = time.monotonic()
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        done.seconds.append(time.monotonic() - began)
        return answer.status, text

    turn = 0
    while turn == 0 or time.monotonic() < until:
        for place in range(1, places + 1):
            path = f"/a/{token}/{place}"
            status, page = ask("GET", path)
            version = _VERSION.search(page)
            if status != 200 or version is None:
                done.errors.append(f"GET {status}")
                continue
            choice, comment = random.choice(["A", "B", "neutral"]), f"{number}, {turn}"
            body = urlencode({"choice": choice, "comment": comment, "version": version[1], "then": "next"})
            statuses = [ask("POST", path, body)[0] for _ in range(2)]  # a double click
            if statuses != [303, 303]:
                done.errors.append(f"POST {statuses}")
                continue
            done.choices[place - 1] = (choice, comment)
            done.changes += 1
        turn += 1
    connection.close()
    return done


def all_visits(port: int, study: Study, *, seconds: float = 0) -> list[Visit]:
    """The visits of all annotators, at the same time."""
    until = time.monotonic() + seconds if seconds else 0
    with ThreadPoolExecutor(len(study.annotators)) as pool:
        visits = [
            pool.submit(visit, port, annotator.token, len(annotator.tasks), number=annotator.number, until=until)
            for annotator in study.annotators
        ]
        return [each.result() for each in visits]


def faults(visits: list[Visit], answers: Answers) -> list[str]:
    """What is wrong: errors, and answers lost, changed or doubled."""
    found = [error for each in visits for error in each.errors]
    for number, each in enumerate(visits, start=1):
        kept = {place: (answer.choice, answer.comment) for place, answer in answers.of(number).items()}
        if kept != each.choices:
            found.append(f"annotator {number} was promised {each.choices} and has {kept}")
    changes, history = sum(each.changes for each in visits), len(answers.history())
    if changes != history:
        found.append(f"{changes} changes were acknowledged, and {history} are in the history")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--annotators", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--database")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "study"
        study = small_study(folder, documents=given.annotators * 5, set_size=10, rounds=2)
        options = ["--database", given.database] if given.database else []
        with serving(folder, *options) as server:
            began = time.monotonic()
            visits = all_visits(server.port, study, seconds=given.seconds)
            took = time.monotonic() - began
        with Answers(database_of(folder, given.database), study.id) as answers:
            problems = faults(visits, answers)
    times = sorted(second for each in visits for second in each.seconds)
    print(f"{len(visits)} annotators, {took:.0f} s: {len(times):,} requests, {len(times) / took:.0f} a second")
    print(f"answers saved: {sum(each.changes for each in visits):,}; each was sent twice")
    print(f"a request took {times[len(times) // 2]:.3f} s (median), {times[int(len(times) * 0.99)]:.3f} s (99 %)")
    print("faults: none" if not problems else "\n".join(["faults:", *problems[:20]]))


if __name__ == "__main__":
    main()
