"""A long attack on PeTra with random texts, damaged files, odd HTTP and processes that are killed.

    PYTHONPATH=tests/support python tests/scripts/fuzz.py --minutes 10 [--seed N] [--only text files http kills]

Every round has a number, which decides all that is random in it: `--seed N` begins with
that round. What goes wrong is printed with its round, and the exit status is then 1.
`make fuzz` runs this after the property tests. Models are tiny and random.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Any

from tiny import NAMES, WORDS, tiny_bert, tiny_model, tiny_span_model

import petra
from petra import PetraError, Tracker, Tracking
from petra.config import RunConfig
from petra.log import storage
from petra.people.finding import find_people
from petra.report.values.archive import Archive, ArchiveSettings
from petra.report.values.from_json import read_annotation

_PETRA = (sys.executable, "-c", "from petra.cli.app import main; main()")
_ODD = [
    "\u0301",
    "\u200d",
    "\ufeff",
    "\u2028",
    "\r\n",
    "\r",
    "\t",
    "\x00",
    "\x1b",
    "\ud800",
    "\U0001f469",
    "ﬁ",
    "İ",
    "ß",
]
_MARKS = [
    ".",
    ",",
    "!",
    "?",
    ";",
    ":",
    "\u2014",
    "'",
    '"',
    "\u201c",
    "\u201d",
    "(",
    ")",
    "\n",
    "\n\n",
    " ",
    "  ",
    "_",
    "*",
]


class Wrong(Exception):  # noqa: N818 (what is found, and no fault of this script)
    """Something that must never be."""


def expect(holds: bool, words: str) -> None:
    if not holds:
        raise Wrong(words)


def random_text(random: Random) -> str:
    """Words, names, marks and characters that trip programs, in any order."""
    kinds: list[Callable[[], str]] = [
        lambda: random.choice(WORDS),
        lambda: random.choice(NAMES).capitalize(),
        lambda: random.choice(_MARKS),
        lambda: random.choice(_ODD),
        lambda: chr(random.randrange(0x110000)),
        lambda: random.choice("abc") * random.randrange(1, 300),
        lambda: f"\nCHAPTER {random.randrange(9)}\n",
        lambda: f'"{random.choice(WORDS)}," said {random.choice(NAMES).capitalize()}.',
    ]
    weights = [30, 15, 20, random.choice([0, 3]), random.choice([0, 2]), 1, 1, 3]
    parts = random.choices(kinds, weights, k=random.choice([0, 1, 5, 40, 200]))
    return "".join(part() + random.choice(["", " ", " "]) for part in parts)


# Texts: what must hold for every text and every way to read it


def groups(spans: Iterable[tuple[int, int, Any]]) -> set[frozenset[tuple[int, int]]]:
    """Which spans are of one person, whatever its number."""
    people: dict[Any, set[tuple[int, int]]] = {}
    for start, end, person in spans:
        people.setdefault(person, set()).add((start, end))
    return {frozenset(each) for each in people.values()}


def people_of(tracking: Tracking) -> set[frozenset[tuple[int, int]]]:
    return groups((each.start, each.end, person.id) for person in tracking.people for each in person.mentions)


def check_text(tracker: Tracker, random: Random) -> None:
    text = random_text(random)
    tracking = tracker.track(text)
    for person in tracking.people:
        for mention in person.mentions:
            expect(text[mention.start : mention.end] == mention.text, f"offsets of {mention}")
    for quotation in tracking.quotations:
        expect(0 <= quotation.start < quotation.end <= len(text), f"offsets of {quotation}")
    json.loads(tracking.to_json())
    with tempfile.TemporaryDirectory() as folder:
        storage.save(tracking.log, Path(folder) / "x.log")
        stored = storage.load(Path(folder) / "x.log")
    expect(stored.text == text and find_people(stored) == tracking.people, "a stored log has other people")
    others = [random_text(random) for _ in range(random.randrange(3))]
    place = random.randrange(len(others) + 1)
    together = list(tracker.track_many([*others[:place], text, *others[place:]]))[place]
    expect(people_of(together) == people_of(tracking), "read with others, the text has other people")
    events = []
    with tracker.stream() as stream:
        done = 0
        while done < len(text):
            step = random.choice([1, 7, 100, 5000])
            events += stream.feed(text[done : done + step])
            done += step
    events += stream.finish()
    streamed = groups((event.mention.start, event.mention.end, event.person_id) for event in events)
    mentions = tracking.log.mentions
    first = None if mentions is None else mentions.people if mentions.read_as is None else mentions.read_as
    whole = groups(zip(mentions.starts, mentions.ends, first, strict=True)) if mentions is not None else set()
    expect(streamed == whole, "read as a stream, the text has other people")


# Files: damage ends in an error of ours or does no harm


def damaged(content: bytes, random: Random) -> bytes:
    data = bytearray(content)
    for _ in range(random.choice([1, 1, 3, 20])):
        kind = random.randrange(6)
        place = random.randrange(len(data) + 1)
        if kind == 0 and data:
            data[min(place, len(data) - 1)] ^= 1 << random.randrange(8)
        elif kind == 1:
            del data[place:]
        elif kind == 2:
            del data[place : place + random.choice([1, 10, 1000])]
        elif kind == 3:
            data[place:place] = random.randbytes(random.choice([1, 10, 1000]))
        elif kind == 4:
            data[place:place] = random.choice(
                [b"9" * 5000, b"[" * 20_000, b"{", b"\x00", b"nan", b"-1", b"1e999", b'"']
            )
        else:
            source = random.randrange(len(data) + 1)
            data[place:place] = data[source : source + random.choice([1, 50])]
    return bytes(data)


class Files:
    """The kinds of files that PeTra reads, each whole, to be damaged."""

    def __init__(self, folder: Path, encoder: Path, model: Path) -> None:
        self.folder, self.encoder, self.model = folder, encoder, model
        tracking = petra.load(model, device="cpu").track("Amelia met Paul. She told him.", source="a.txt")
        storage.save(tracking.log, folder / "whole.log")
        (folder / "whole.json").write_text(tracking.to_json(), encoding="utf-8")
        with Archive(folder / "whole.jsonl", ArchiveSettings(model="tiny")) as archive:
            archive.add("a.txt", ArchiveSettings(model="tiny").line(tracking.to_dict()))

    def check(self, random: Random) -> None:
        kind = random.choice([self._log, self._json, self._archive, self._recipe, self._model, self._encoder])
        with suppress(PetraError):
            kind(random)

    def _copy(self, name: str, random: Random) -> Path:
        copy = self.folder / f"damaged-{name}"
        copy.write_bytes(damaged((self.folder / name).read_bytes(), random))
        return copy

    def _log(self, random: Random) -> None:
        find_people(storage.load(self._copy("whole.log", random)))

    def _json(self, random: Random) -> None:
        read_annotation(self._copy("whole.json", random)).people_of("Amelia met Paul. She told him.")

    def _archive(self, random: Random) -> None:
        with Archive(self._copy("whole.jsonl", random), ArchiveSettings(model="tiny")) as archive:
            archive.put_in_order(["a.txt"])

    def _recipe(self, random: Random) -> None:
        copy = self.folder / "damaged.toml"
        copy.write_bytes(damaged((self.model / "config.toml").read_bytes(), random))
        RunConfig.read(copy)

    def _model(self, random: Random) -> None:
        self._read(self._with_damage(self.model, "damaged-model", random))

    def _encoder(self, random: Random) -> None:
        encoder = self._with_damage(self.encoder, "damaged-encoder", random)
        model = self.folder / "of-damaged-encoder"
        if not model.exists():
            tiny_model(model, encoder)
        self._read(model)

    def _with_damage(self, whole: Path, name: str, random: Random) -> Path:
        copy = self.folder / name
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(whole, copy)
        chosen = random.choice(sorted(copy.iterdir()))
        chosen.write_bytes(damaged(chosen.read_bytes(), random))
        return copy

    def _read(self, model: Path) -> None:
        tracking = petra.load(model, device="cpu").track("Amelia met Paul. She told him.")
        for person in tracking.people:
            for mention in person.mentions:
                expect(math.isfinite(mention.probability), f"a probability of {mention.probability}")


# HTTP: a server answers in words, and goes on


@contextmanager
def server(model: Path) -> Iterator[tuple[int, Path]]:
    """A server of its own process: its port, and what it writes."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "output"
        command = [*_PETRA, "serve", "--port", "0", "--device", "cpu", "--model", str(model)]
        with output.open("wb") as file, subprocess.Popen(command, stdout=file, stderr=file) as process:
            try:
                while b"http://" not in output.read_bytes():
                    expect(process.poll() is None, "the server does not start")
                    time.sleep(0.1)
                address = output.read_text(encoding="utf-8").partition("http://")[2].split("/")[0]
                yield int(address.rpartition(":")[2]), output
            finally:
                process.terminate()
                process.wait()


def random_request(random: Random) -> bytes:
    """A request as clients make them, more or less."""
    method = random.choice([b"GET", b"POST", b"POST", b"PUT", b"DELETE", b"HEAD", b"OPTIONS", b"\x00"])
    paths = [
        b"/",
        b"/api",
        b"/api/track",
        b"/api/jobs",
        b"/api/jobs/x",
        b"/api/jobs/x/steps?first=9",
        b"/static/web.css",
    ]
    paths += [b"/api/jobs/%00/events", b"/api/compare/a/b", b"/results/x", b"/static/../../x", b"*", b"//", b"/%ff"]
    body = random.choice(
        [
            b"",
            json.dumps({"text": random_text(random)}).encode(),
            json.dumps({"text": "Amelia met Paul.", "cells": random.choice([0, 3, -1, 10**30, None, 1.5])}).encode(),
            b"[" * 20_000,
            b'{"text": "x", "cells": ' + b"9" * 5000 + b"}",
            random.randbytes(100),
        ]
    )
    headers = {
        b"Host": random.choice([b"localhost", b"127.0.0.1", b"evil.example", b"", b"a b"]),
        b"Content-Type": random.choice([b"application/json", b"text/plain", b"", b"application/json; charset=\xff"]),
        b"Content-Length": random.choice([str(len(body)).encode()] * 4 + [b"-1", b"9" * 30, b"x", b"5"]),
        b"Connection": b"close",
    }
    if random.random() < 0.2:
        headers[b"Origin"] = random.choice([b"http://evil.example", b"null", b"\xff"])
    lines = [b"%s %s HTTP/1.1" % (method, random.choice(paths))]
    lines += [b"%s: %s" % item for item in headers.items() if random.random() < 0.9]
    request = b"\r\n".join(lines) + b"\r\n\r\n" + body
    return damaged(request, random) if random.random() < 0.4 else request


def check_http(port: int, output: Path, random: Random) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=120) as connection, suppress(ConnectionError):
        connection.sendall(random_request(random))
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
        expect(not answer.startswith(b"HTTP/1.1 500"), f"the server answered {answer[-200:]!r}")
    expect(b"Traceback" not in output.read_bytes(), "the server wrote a trace")
    if random.random() < 0.1:
        client = HTTPConnection("127.0.0.1", port, timeout=120)
        client.request(
            "POST", "/api/track", json.dumps({"text": "Amelia met Paul."}), {"Content-Type": "application/json"}
        )
        answered = client.getresponse()
        expect((answered.status, len(answered.read()) > 0) == (200, True), f"then it answered {answered.status}")
        client.close()


# Kills: work that is killed goes on, and nothing is lost or doubled


def check_kills(model: Path, random: Random) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "texts").mkdir()
        for number in range(40):
            text = " ".join(random.choice([*WORDS, *NAMES]) for _ in range(random.choice([0, 20, 400])))
            (folder / "texts" / f"{number:02}.txt").write_text(text, encoding="utf-8")
        out = folder / "out.jsonl"
        command = [*_PETRA, "track", "texts", "--jsonl", str(out), "--resume"]
        command += ["--device", "cpu", "--model", str(model)]
        for kill in (True, True, False):
            process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if kill:  # at any time after it has begun to write, or before
                wanted = random.choice([0, 1, 2000, 20_000])
                while process.poll() is None and (out.stat().st_size if out.exists() else -1) < wanted:
                    time.sleep(0.005)
                process.kill()
            process.wait()
        expect(process.returncode == 0, f"the last run ended with {process.returncode}")
        found = [json.loads(line)["source"] for line in out.read_text(encoding="utf-8").splitlines()]
        expect(found == [f"texts/{number:02}.txt" for number in range(40)], f"these are in the file: {found}")


def attacks(folder: Path, only: Collection[str], held: ExitStack) -> dict[str, Callable[[Random], None]]:
    """The attacks asked for; what they need is held open."""
    encoder = tiny_bert(folder / "encoder")
    model, spans = tiny_model(folder / "model", encoder), tiny_span_model(folder / "spans", encoder)
    found: dict[str, Callable[[Random], None]] = {}
    if "text" in only:
        trackers = [petra.load(each, device="cpu") for each in (model, spans)]
        found["text"] = lambda random: check_text(random.choice(trackers), random)
    if "files" in only:
        found["files"] = Files(folder, encoder, model).check
    if "http" in only:
        port, output = held.enter_context(server(spans))
        found["http"] = lambda random: check_http(port, output, random)
    if "kills" in only:
        found["kills"] = lambda random: check_kills(spans, random)
    return found


_SHARES = {"text": 30, "files": 60, "http": 60, "kills": 1}  # rounds of each attack in a turn


def fuzz(
    seed: int, *, minutes: float = 0, rounds: int | None = None, only: Collection[str] = tuple(_SHARES)
) -> list[str]:
    """Attack until the time is over, or for so many rounds of each attack: what went wrong."""
    wrong: list[str] = []
    until = time.monotonic() + 60 * minutes
    with ExitStack() as held:
        folder = held.enter_context(tempfile.TemporaryDirectory())
        chosen = attacks(Path(folder), only, held)
        counts = dict.fromkeys(chosen, 0)
        while time.monotonic() < until if rounds is None else min(counts.values()) < rounds:
            for name, attack in chosen.items():
                for _ in range(_SHARES[name] if rounds is None else rounds):
                    number = seed + counts[name]
                    counts[name] += 1
                    try:
                        attack(Random(f"{name} {number}"))
                    except KeyboardInterrupt:
                        raise
                    except BaseException:  # whatever it is, it is what we look for
                        wrong.append(f"{name}, round {number}:\n{traceback.format_exc()}")
                        print(wrong[-1], file=sys.stderr, flush=True)
    print(", ".join(f"{count:,} rounds of {name}" for name, count in counts.items()) + f"; {len(wrong)} went wrong")
    return wrong


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=int(time.time()), help="the first round (default: by the clock)")
    parser.add_argument("--only", nargs="+", choices=list(_SHARES), default=list(_SHARES))
    arguments = parser.parse_args()
    print(f"The first round is {arguments.seed}.", flush=True)
    sys.exit(1 if fuzz(arguments.seed, minutes=arguments.minutes, only=arguments.only) else 0)
