from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from web_samples import PAGE_TEXT

from petra.log.edits import read_edits
from petra.web.app import make_app
from petra.web.reading.models import Shelf
from petra.web.reading.pool import Pool
from petra.web.serving.limits import Limits

HERE = "http://127.0.0.1:8000"


@pytest.fixture(scope="module")
def client(tiny_model: Path) -> Iterator[TestClient]:
    limits = Limits(max_characters=2000, max_edits=3)
    shelf = Shelf([str(tiny_model)], device="cpu")
    with TestClient(make_app(shelf, limits, Pool(shelf.tracker, limits)), base_url=HERE) as client:
        yield client


@pytest.fixture
def job(client: TestClient) -> str:
    """The address of a text that has been read."""
    place = f"/api/jobs/{client.post('/api/jobs', json={'text': PAGE_TEXT}).json()['id']}"
    client.get(f"{place}/events")
    return place


def test_a_correction_shows_everywhere_and_is_taken_back(client: TestClient, job: str) -> None:
    before = client.get(f"{job}/tracking.json").json()
    answer = client.post(f"{job}/edits", json={"edit": "rename", "person": 1, "name": "Ada <Lovelace>"})
    assert answer.status_code == 200
    assert [edit["edit"] for edit in answer.json()["edits"]] == ["rename"]
    after = client.get(f"{job}/tracking.json").json()
    assert after["people"][0]["name"] == "Ada <Lovelace>"
    assert after["found"]["people"] == before["people"]
    assert "Ada &lt;Lovelace&gt;" in client.get(f"{job}/report.html").text
    assert "1 correction made by hand" in client.get(f"{job}/report.html").text
    assert client.get(f"{job}/steps").json()["people"][0]["name"] in ("Ada <Lovelace>", before["people"][0]["name"])
    assert client.request("DELETE", f"{job}/edits/last").json()["edits"] == []
    assert client.get(f"{job}/tracking.json").json() == before


def test_people_are_named_by_a_mention_too(client: TestClient, job: str) -> None:
    first, second = client.get(f"{job}/tracking.json").json()["people"][:2]
    spans = [[person["mentions"][0]["start"], person["mentions"][0]["end"]] for person in (first, second)]
    answer = client.post(f"{job}/edits", json={"edit": "merge", "people": spans})
    assert answer.status_code == 200, answer.text
    merged = client.get(f"{job}/tracking.json").json()["people"][0]
    assert len(merged["mentions"]) >= max(len(first["mentions"]), len(second["mentions"]))


def test_corrections_go_away_and_come_back_as_a_file(client: TestClient, job: str) -> None:
    client.post(f"{job}/edits", json={"edit": "rename", "person": 1, "name": "Ada"})
    kept = client.get(f"{job}/edits.jsonl")
    assert kept.headers["content-type"].startswith("application/jsonl")
    assert [edit.name for edit in read_edits(kept.text, "kept")] == ["Ada"]
    client.request("DELETE", f"{job}/edits/last")
    answer = client.put(f"{job}/edits.jsonl", content=kept.content)
    assert (answer.status_code, len(answer.json()["edits"]), answer.json()["misfits"]) == (200, 1, [])
    assert client.get(f"{job}/tracking.json").json()["people"][0]["name"] == "Ada"
    other = kept.text.replace("[0, ", "[1, ")
    assert len(client.put(f"{job}/edits.jsonl", content=other).json()["misfits"]) == ("[0, " in kept.text)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"edit": "fly"}, "edit: Input should be 'merge'"),
        ({"edit": "merge", "people": [1]}, "two people"),
        ({"edit": "rename", "person": 1, "name": ""}, "needs name"),
        ({"edit": "rename", "person": 1, "name": "x" * 201}, "at most 200"),
        ({"edit": "rename", "person": 99, "name": "x"}, "no person 99"),
        ({"edit": "delete", "person": [0, 1]}, "Nobody is mentioned at 0..1"),
        ({"edit": "add", "mentions": [[0, 99999]]}, "not a part of the text"),
        ({"edit": "delete", "person": 1, "why": "x"}, "why: Extra inputs"),
    ],
)
def test_what_does_not_fit_is_refused(client: TestClient, job: str, values: object, words: str) -> None:
    answer = client.post(f"{job}/edits", json=values)
    assert answer.status_code == 422
    assert words in answer.json()["error"]
    assert client.get(f"{job}/edits").json()["edits"] == []


def test_no_more_corrections_than_the_server_keeps(client: TestClient, job: str) -> None:
    for number in range(3):
        client.post(f"{job}/edits", json={"edit": "rename", "person": 1, "name": f"Ada {number}"})
    answer = client.post(f"{job}/edits", json={"edit": "rename", "person": 1, "name": "Ada"})
    assert (answer.status_code, answer.json()["error"]) == (422, "This server keeps up to 3 corrections of a text.")


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"\xff", "not UTF-8"), (b"{}", "the schema is None"), (b"", "is empty"), (b'"' * 9, "no JSON")],
)
def test_a_file_that_is_no_file_of_edits(client: TestClient, job: str, content: bytes, words: str) -> None:
    answer = client.put(f"{job}/edits.jsonl", content=content)
    assert answer.status_code == 422
    assert words in answer.json()["error"]


def test_another_site_cannot_correct_anything(client: TestClient, job: str) -> None:
    headers = {"Origin": "https://example.org"}
    assert client.post(f"{job}/edits", json={"edit": "delete", "person": 1}, headers=headers).status_code == 403
    assert client.request("DELETE", f"{job}/edits/last", headers=headers).status_code == 403
    assert client.put(f"{job}/edits.jsonl", content=b"", headers=headers).status_code == 403
