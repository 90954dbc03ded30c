from __future__ import annotations

import asyncio
from collections.abc import Iterator

from fastapi import Body, FastAPI
from starlette.testclient import TestClient
from starlette.types import Message

from petra.web.answers import answer_errors
from petra.web.serving.bodies import BodyLimit


def limited(max_seconds: float = 60) -> BodyLimit:
    app = FastAPI()
    answer_errors(app)

    @app.post("/api/length")
    def length(words: str = Body()) -> int:
        return len(words)

    return BodyLimit(app, max_bytes=20, max_seconds=max_seconds, advice="Send less.")


def test_as_many_bytes_as_allowed() -> None:
    assert TestClient(limited()).post("/api/length", json="a" * 18).json() == 18  # and two quotation marks


def test_an_announced_size_is_refused_at_once() -> None:
    answer = TestClient(limited()).post("/api/length", json="a" * 19)
    assert (answer.status_code, answer.json()["error"]) == (413, "The request has more than 20 bytes. Send less.")


def test_an_unannounced_size_is_refused_when_it_is_reached() -> None:
    taken = []

    def endless() -> Iterator[bytes]:
        for number in range(100):
            taken.append(number)
            yield b"          "

    headers = {"Content-Type": "application/json"}
    answer = TestClient(limited()).post("/api/length", content=endless(), headers=headers)
    assert answer.status_code == 413


def test_a_body_that_does_not_arrive_is_not_waited_for() -> None:
    sent: list[Message] = []

    async def never() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [(b"content-type", b"application/json"), (b"content-length", b"10")]
    scope = {"type": "http", "method": "POST", "path": "/api/length", "query_string": b"", "headers": headers}
    asyncio.run(limited(max_seconds=0.01)(scope, never, send))
    assert sent[0]["status"] == 408
