from __future__ import annotations

import asyncio
import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.types import Message
from tiny import tiny_reader
from web_samples import PAGE_TEXT, PatientReader

from petra.log.storage import load
from petra.tracker import Tracker
from petra.web.app import make_app
from petra.web.reading.models import Shelf
from petra.web.reading.pool import Pool
from petra.web.serving.limits import Limits

HERE = "http://127.0.0.1:8000"


@pytest.fixture(scope="module")
def shelf(tiny_model: Path, tiny_encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    reader = tiny_reader(tmp_path_factory.mktemp("models") / "reader", tiny_encoder)
    return Shelf([str(tiny_model), str(reader)], device="cpu")


@pytest.fixture(scope="module")
def client(shelf: Shelf) -> Iterator[TestClient]:
    limits = Limits(max_characters=2000, max_cells=20)
    with TestClient(make_app(shelf, limits, Pool(shelf.tracker, limits)), base_url=HERE) as client:
        yield client


def begin(client: TestClient, **asked: object) -> str:
    """The id of a text that has been read."""
    answer = client.post("/api/jobs", json={"text": PAGE_TEXT, **asked})
    assert answer.status_code == 202, answer.text
    job = str(answer.json()["id"])
    assert follow(client, job)[-1]["state"] == "done"
    return job


def follow(client: TestClient, job: str) -> list[dict[str, object]]:
    """All that is told of a job until it ends."""
    answer = client.get(f"/api/jobs/{job}/events")
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    return [json.loads(line.removeprefix("data: ")) for line in answer.text.splitlines() if line.startswith("data: ")]


def test_the_same_json_as_the_command_line(client: TestClient, tiny_tracker: Tracker) -> None:
    asked = {"text": PAGE_TEXT, "source": "story.txt", "threshold": 0.3, "cells": 3}
    expected = tiny_tracker.track(PAGE_TEXT, source="story.txt", threshold=0.3, cells=3)
    assert expected.people
    assert client.post("/api/track", json=asked).json() == expected.to_dict()


@pytest.mark.parametrize("text", ["", " \n", "Amelia 👩‍🚀 met\r\nPaul\u00a0Brook", "\0", "שלום Amelia"])
def test_any_text_is_read(client: TestClient, text: str) -> None:
    answer = client.post("/api/track", json={"text": text})
    assert answer.status_code == 200
    for person in answer.json()["people"]:
        for mention in person["mentions"]:
            assert text[mention["start"] : mention["end"]] == mention["text"]


def test_half_a_surrogate_pair_harms_nothing(client: TestClient) -> None:
    headers = {"Content-Type": "application/json"}
    answer = client.post("/api/track", content=b'{"text": "Amelia \\ud800 met Paul"}', headers=headers)
    assert answer.status_code in (200, 422)


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({}, 422, "text: Field required."),
        ({"text": 5}, 422, "text: Input should be a valid string."),
        ({"text": "x", "colour": "red"}, 422, "colour:"),
        ({"text": "x", "model": "nobody"}, 422, "It offers: tiny, tiny-reader."),
        ({"text": "x", "cells": 0}, 422, "cells:"),
        ({"text": "x", "cells": 21}, 422, "up to 20"),
        ({"text": "x", "threshold": 1.5}, 422, "threshold:"),
        ({"text": "x" * 2001}, 413, "2,001 characters; this server reads up to 2,000"),
        ({"text": "x" * 40_000}, 413, "up to 2,000 characters"),
        ({"text": "x", "source": "s" * 201}, 422, "source:"),
    ],
)
@pytest.mark.parametrize("address", ["/api/track", "/api/jobs"])
def test_what_cannot_be_met_is_answered_in_words(
    client: TestClient, address: str, body: dict[str, object], status: int, words: str
) -> None:
    answer = client.post(address, json=body)
    assert (answer.status_code, list(answer.json())) == (status, ["error"])
    assert words in answer.json()["error"]


@pytest.mark.parametrize("body", [b"", b"{", b"[" * 10_000, b'"text"', b"\xff\xfe"])
def test_what_is_no_json_is_answered_in_words(client: TestClient, body: bytes) -> None:
    answer = client.post("/api/track", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]


def test_a_text_is_followed_and_looked_at(client: TestClient, tiny_tracker: Tracker) -> None:
    job = begin(client, source="story.txt")
    expected = tiny_tracker.track(PAGE_TEXT, source="story.txt")
    assert client.get(f"/api/jobs/{job}").json()["state"] == "done"
    place = f"/api/jobs/{job}"
    assert client.get(f"{place}/tracking.json").json() == expected.to_dict()
    report = client.get(f"{place}/report.html")
    assert report.text.startswith("<!doctype html>")
    assert report.headers["Content-Security-Policy"].endswith("frame-ancestors 'self'")
    assert client.get(f"{place}/picture.svg").text.startswith("<?xml")
    assert client.get(f"{place}/picture.html").text.startswith("<!doctype html>")
    assert client.get(f"{place}/picture.png").content.startswith(b"\x89PNG")
    assert client.get(f"{place}/picture.bmp").status_code == 422
    sent = client.get(f"{place}/export/conll2012")
    assert sent.text == expected.to_conll2012()
    assert sent.headers["Content-Disposition"] == "attachment; filename*=UTF-8''story.conll"
    assert client.get(f"{place}/export/csv").content.startswith(b"PK")
    unknown = client.get(f"{place}/export/docx")
    assert (unknown.status_code, unknown.json()["error"][:23]) == (422, "No format named 'docx'.")


@pytest.mark.parametrize("text", ["", ".", "Nothing."])
def test_a_text_without_people_has_its_pages_too(client: TestClient, text: str) -> None:
    job = begin(client, text=text, threshold=1)
    for address in ("report.html", "picture.svg", "tracking.json", "memory.log", "steps"):
        assert client.get(f"/api/jobs/{job}/{address}").status_code == 200
    for address in (f"/results/{job}", f"/results/{job}/steps", f"/compare/{job}/{job}"):
        assert client.get(address).status_code == 200


def test_the_log_is_the_file_of_the_command_line(client: TestClient, tmp_path: Path) -> None:
    content = client.get(f"/api/jobs/{begin(client)}/memory.log").content
    assert "header.json" in zipfile.ZipFile(io.BytesIO(content)).namelist()
    (tmp_path / "story.log").write_bytes(content)
    assert load(tmp_path / "story.log").text == PAGE_TEXT


def test_steps(client: TestClient) -> None:
    place = f"/api/jobs/{begin(client)}/steps"
    told = client.get(place, params={"first": 3, "count": 2}).json()
    assert (told["schema"], told["first"], len(told["steps"])) == ("petra.steps/1", 3, 2)
    assert client.get(place, params={"count": 1001}).status_code == 422
    assert client.get(place, params={"first": -1}).status_code == 422


def test_two_models_compared(client: TestClient) -> None:
    one, other = begin(client), begin(client, model="tiny-reader")
    told = client.get(f"/api/compare/{one}/{other}").json()
    assert told["models"] == ["tiny", "tiny-reader"]
    assert told["differences"]
    assert client.get(f"/compare/{one}/{other}").status_code == 200


def test_readings_of_different_texts_are_not_compared(client: TestClient) -> None:
    one, other = begin(client), begin(client, text="Amelia")
    answer = client.get(f"/api/compare/{one}/{other}")
    assert (answer.status_code, "two different texts" in answer.json()["error"]) == (422, True)


def test_a_removed_text_is_gone(client: TestClient) -> None:
    job = begin(client, keep=True)
    assert client.delete(f"/api/jobs/{job}").status_code == 204
    for address in (f"/api/jobs/{job}", f"/api/jobs/{job}/events", f"/api/jobs/{job}/tracking.json"):
        answer = client.get(address)
        assert (answer.status_code, list(answer.json())) == (404, ["error"])
    page = client.get(f"/results/{job}")
    assert (page.status_code, page.headers["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert "Read the text again" in page.text


def test_nothing_is_left_of_a_text_read_at_once(shelf: Shelf) -> None:
    limits = Limits()
    pool = Pool(shelf.tracker, limits)
    with TestClient(make_app(shelf, limits, pool), base_url=HERE) as client:
        client.post("/api/track", json={"text": "Amelia"})
        assert pool._jobs == {}


def test_a_user_text_is_no_markup_on_any_page(client: TestClient) -> None:
    evil = "<script>alert(1)</script>"
    one, other = begin(client, text=evil, source=evil), begin(client, text=evil, model="tiny-reader")
    for address in (f"/results/{one}", f"/results/{one}/steps", f"/compare/{one}/{other}"):
        answer = client.get(address)
        assert answer.status_code == 200
        assert "<script>alert" not in answer.text
    report = client.get(f"/api/jobs/{one}/report.html").text
    assert "<script>alert" not in report


def test_models_and_limits(client: TestClient) -> None:
    models = client.get("/api/models").json()["models"]
    assert [(model["name"], model["variant"]) for model in models] == [
        ("tiny", "vanilla"),
        ("tiny-reader", "referential-reader"),
    ]
    assert client.get("/api/limits").json()["max_characters"] == 2000


def test_every_address_is_described(client: TestClient) -> None:
    document = client.get("/api/openapi.json").json()
    assert "/api/track" in document["paths"]
    page = client.get("/api").text
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert f'<span class="method">{method.upper()}</span> <code>{path}</code>' in page
            assert operation["description"]
    for name in document["components"]["schemas"]:
        assert f'id="{name}"' in page
    assert "http://" not in page.replace("http://127.0.0.1:8000/api/track", "")
    elsewhere = client.get("/api", headers={"Host": "127.0.0.1:5871"}).text
    assert "curl http://127.0.0.1:5871/api/track" in elsewhere
    assert "8000" not in elsewhere
    assert "https://" not in page


def test_what_may_be_refused_is_described(client: TestClient) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    for path in ("/api/track", "/api/jobs"):
        assert {"400", "403", "408", "413", "422", "429", "503"} <= paths[path]["post"]["responses"].keys()
    assert {"204", "403", "404", "422"} <= paths["/api/jobs/{job_id}"]["delete"]["responses"].keys()
    for methods in paths.values():
        for operation in methods.values():
            for status, answer in operation["responses"].items():
                if status >= "400":
                    schema = answer["content"]["application/json"]["schema"]
                    assert schema == {"$ref": "#/components/schemas/ErrorAnswer"}


@pytest.mark.parametrize("body", ['{"text": "x", "cells": ' + "9" * 5000 + "}", "[" * 30_000])
def test_a_body_that_no_parser_takes_is_refused_in_words(client: TestClient, body: str) -> None:
    answer = client.post("/api/track", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("The body cannot be read: it is nested too deeply, or a number in it has")


def test_styles_and_scripts_are_served_and_nothing_else(client: TestClient) -> None:
    assert client.get("/static/web.css").headers["Content-Type"] == "text/css; charset=utf-8"
    assert client.get("/static/form.js").headers["Content-Type"] == "text/javascript; charset=utf-8"
    for name in ("index.html", "../pages.py", "..%2fpages.py", "nothing.js"):
        assert client.get(f"/static/{name}").status_code == 404


def test_pages_of_another_site_cannot_send_texts(client: TestClient) -> None:
    answer = client.post("/api/track", json={"text": "x"}, headers={"Origin": "http://evil.example"})
    assert answer.status_code == 403


@contextmanager
def patient(shelf: Shelf, max_seconds: float = 600) -> Iterator[tuple[PatientReader, TestClient]]:
    """A server whose texts are read only when they are let, one of a client at a time."""
    reader = PatientReader()
    limits = Limits(max_jobs=1, max_waiting=1, max_jobs_per_client=1, max_seconds=max_seconds)
    pool = Pool(lambda name, report: reader, limits)
    with TestClient(make_app(shelf, limits, pool), base_url=HERE) as client:
        yield reader, client
        reader.go.set()


def test_a_second_text_of_a_busy_client_is_refused(shelf: Shelf) -> None:
    with patient(shelf) as (reader, client):
        job = client.post("/api/jobs", json={"text": "x", "keep": True}).json()["id"]
        assert client.get(f"/api/jobs/{job}/tracking.json").status_code == 409
        answer = client.post("/api/track", json={"text": "x"})
        assert (answer.status_code, answer.headers["Retry-After"]) == (429, "5")
        reader.go.set()
        assert follow(client, job)[-1]["state"] == "done"


def test_a_text_that_takes_too_long(shelf: Shelf) -> None:
    with patient(shelf, max_seconds=0.2) as (_, client):
        answer = client.post("/api/track", json={"text": "x"})
    assert (answer.status_code, "took longer than the 0.2 seconds" in answer.json()["error"]) == (503, True)


def test_a_client_that_goes_away_ends_the_reading(shelf: Shelf) -> None:
    reader, limits = PatientReader(), Limits()
    pool = Pool(lambda name, report: reader, limits)
    app = make_app(shelf, limits, pool)
    body = b'{"text": "x"}'
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        if messages:
            return messages.pop()
        if not reader.began.acquire(blocking=False):
            await asyncio.Event().wait()  # no news of the client until reading has begun
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        pass

    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/api/track", "query_string": b"", "headers": headers}
    asyncio.run(app(scope, receive, send))
    reader.left.acquire()
    assert pool._jobs == {}
    pool.close()


def test_a_failure_is_followed_to_its_end(shelf: Shelf) -> None:
    with patient(shelf) as (reader, client):
        reader.error = ZeroDivisionError("secret")
        reader.go.set()
        job = client.post("/api/jobs", json={"text": "x"}).json()["id"]
        last = follow(client, job)[-1]
        assert (last["state"], "secret" in str(last["error"])) == ("failed", False)
        answer = client.get(f"/results/{job}")
    assert (answer.status_code, "Something went wrong inside PeTra" in answer.text) == (500, True)


def test_a_fault_of_ours_has_the_headers_too(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(Shelf, "choose", broken)
    limits = Limits()
    app = make_app(shelf, limits, Pool(shelf.tracker, limits))
    with TestClient(app, base_url=HERE, raise_server_exceptions=False) as client:
        answer = client.post("/api/track", json={"text": "x"})
    assert (answer.status_code, "secret" in answer.text) == (500, False)
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
