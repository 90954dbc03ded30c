"""The pages of a study by HTTP: who may see and change what, and what becomes of every kind of request."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from human_study import small_study
from starlette.testclient import TestClient
from starlette.types import Message

from petra.errors import StudyError
from petra.study.answers import Answers
from petra.study.databases import database_of
from petra.study.study import Study, from_dict, to_dict
from petra.web.study.app import study_app
from petra.web.study.pages import home_page


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return small_study(tmp_path / "study", title="People & <cells>")


@pytest.fixture
def answers(study: Study, tmp_path: Path) -> Iterator[Answers]:
    with Answers(database_of(tmp_path / "study"), study.id) as opened:
        yield opened


@pytest.fixture
def client(study: Study, answers: Answers, tmp_path: Path) -> TestClient:
    app = study_app(tmp_path / "study", study, answers, hosts=["study.example.org"])
    return TestClient(app, base_url="http://localhost", follow_redirects=False)


def link(study: Study, annotator: int = 1, place: int | None = None) -> str:
    home = f"/a/{study.annotators[annotator - 1].token}"
    return home if place is None else f"{home}/{place}"


def form(choice: str | None = "A", comment: str = "", version: int = 0, then: str = "next") -> dict[str, str]:
    fields = {"comment": comment, "version": str(version), "then": then}
    return fields if choice is None else fields | {"choice": choice}


def test_an_annotator_answers_goes_back_and_changes(client: TestClient, study: Study, answers: Answers) -> None:
    home = client.get(link(study))
    assert "There are 2 documents." in home.text
    assert "People &amp; &lt;cells&gt;" in home.text
    first = client.post(link(study, 1, 1), data=form("A", "good"))
    assert (first.status_code, first.headers["location"]) == (303, link(study, 1, 2))
    assert "Continue with document 2" in client.get(link(study)).text
    back = client.post(link(study, 1, 2), data=form(None, then="back"))
    assert (back.status_code, back.headers["location"]) == (303, link(study, 1, 1))
    page = client.get(link(study, 1, 1)).text
    assert re.search(r'value="A" required checked', page)
    assert '<input type="hidden" name="version" value="1">' in page
    assert "\ngood</textarea>" in page
    assert client.post(link(study, 1, 1), data=form("neutral", "hm", version=1)).status_code == 303
    last = client.post(link(study, 1, 2), data=form("B"))
    assert last.headers["location"] == link(study)
    assert "All 2 documents are answered. Thank you!" in client.get(link(study)).text
    assert [(each.choice, each.comment) for each in answers.all()] == [("neutral", "hm"), ("B", "")]
    assert len(answers.history()) == 3


def test_annotators_agree_before_they_begin(client: TestClient, study: Study) -> None:
    home = client.get(link(study)).text
    assert home.index("By beginning you confirm") < home.index(">Begin</a>")
    assert "Taking part is voluntary" in home
    assert "Before you begin" not in client.get(link(study, 1, 1)).text
    assert "This is a trial" not in home


def test_a_pilot_says_so_and_a_study_of_former_days_asks_for_no_consent(study: Study) -> None:
    pilot = str(home_page(replace(study, is_pilot=True), study.annotators[0], {}))
    assert "your answers are no part of the results" in pilot
    values = {name: value for name, value in to_dict(study).items() if name not in ("consent", "is_pilot")}
    former = from_dict(values)
    assert (former.consent, former.is_pilot) == ("", False)
    assert "Before you begin" not in str(home_page(former, former.annotators[0], {}))


def test_save_and_pause(client: TestClient, study: Study, answers: Answers) -> None:
    paused = client.post(link(study, 1, 1), data=form("B", then="pause"))
    assert paused.headers["location"] == link(study)
    assert "1 of 2 documents answered" in client.get(link(study)).text
    assert client.post(link(study, 1, 2), data=form(None, then="pause")).headers["location"] == link(study)
    assert len(answers.all()) == 1


def test_a_choice_is_asked_for_and_the_comment_kept(client: TestClient, study: Study, answers: Answers) -> None:
    for fields in (form(None, "wait"), form(None, "wait", then="back"), form(None, "wait", then="pause")):
        refused = client.post(link(study, 1, 2), data=fields)
        assert refused.status_code == 422
        assert "so that your comment can be saved" in refused.text
        assert "\nwait</textarea>" in refused.text
    assert "Choose a model, or neutral, to go on." in client.post(link(study, 1, 1), data=form(None)).text
    assert answers.all() == []


def test_the_same_form_twice_is_one_answer(client: TestClient, study: Study, answers: Answers) -> None:
    for _ in range(2):
        assert client.post(link(study, 1, 1), data=form("A")).status_code == 303
    assert len(answers.history()) == 1


def test_another_tab_replaces_an_answer_only_when_told_so(client: TestClient, study: Study, answers: Answers) -> None:
    client.post(link(study, 1, 1), data=form("A"))
    refused = client.post(link(study, 1, 1), data=form("B", "I mean it"))
    assert refused.status_code == 409
    assert "answered in another window meanwhile: Model A" in refused.text
    assert re.search(r'value="B" required checked', refused.text)  # nothing typed is lost
    assert "\nI mean it</textarea>" in refused.text
    assert [each.choice for each in answers.all()] == ["A"]
    version = re.search(r'name="version" value="(\d+)"', refused.text)
    assert version is not None
    assert client.post(link(study, 1, 1), data=form("B", "I mean it", int(version[1]))).status_code == 303
    assert [each.choice for each in answers.all()] == ["B"]
    lost = client.post(link(study, 1, 2), data=form("B", version=7))  # as after a change of database
    assert lost.status_code == 409
    assert 'name="version" value="0"' in lost.text


def test_what_belongs_to_others_is_not_there(client: TestClient, study: Study, answers: Answers) -> None:
    client.post(link(study, 2, 1), data=form("A", "secret thought"))
    for path in ("/a/", "/a/x", "/a/x/1", "/a/%C3%A9/1", link(study, 1, 3), link(study, 1, 0), "/study.json", "/a"):
        found = client.get(path)
        assert found.status_code == 404
        assert "secret thought" not in found.text
    for path in ("/a/x/1", link(study, 1, 3), f"{link(study, 1, 1)}000000000000000000000000"):
        assert client.post(path, data=form("B")).status_code == 404
    pages = [client.get(link(study)).text, client.get(link(study, 1, 1)).text, client.get("/").text]
    others = [annotator.token for annotator in study.annotators[1:]]
    assert not any(token in page for token in others for page in pages)
    assert not any("secret thought" in page for page in pages)
    assert [(each.annotator, each.choice) for each in answers.all()] == [(2, "A")]


def test_models_have_no_names_before_annotators(client: TestClient, study: Study) -> None:
    for annotator in range(1, 5):
        page = client.get(link(study, annotator, 1)).text
        assert "Model A" in page
        assert not re.search(r"\b(good|bad)\b", page)


def test_texts_and_comments_never_become_markup(client: TestClient, study: Study) -> None:
    page = client.get(link(study, 1, 1)).text
    assert "&lt;b&gt;harbour&lt;/b&gt;" in page
    assert "<b>harbour" not in page
    client.post(link(study, 1, 1), data=form("A", "</textarea><script>alert(1)</script>"))
    page = client.get(link(study, 1, 1)).text
    assert "<script>alert" not in page
    assert "&lt;/textarea&gt;" in page


def test_odd_characters_in_a_comment(client: TestClient, study: Study, answers: Answers) -> None:
    client.post(link(study, 1, 1), data=form("A", " \x00a\r\nb\x07 é 👩‍👧 "))
    assert [each.comment for each in answers.all()] == ["a\nb é 👩‍👧"]


@pytest.mark.parametrize(
    "fields",
    [
        form("C"),
        form("A") | {"version": "x"},
        form("A") | {"version": "-1"},
        form("A", then="elsewhere"),
        form("A", "x" * 4001),
        {f"field{number}": "" for number in range(20)},
    ],
)
def test_what_no_page_sends_is_refused(
    client: TestClient, study: Study, answers: Answers, fields: dict[str, str]
) -> None:
    assert client.post(link(study, 1, 1), data=fields).status_code == 422
    assert answers.all() == []


def test_other_bodies_are_refused(client: TestClient, study: Study) -> None:
    assert client.post(link(study, 1, 1), json={"choice": "A"}).status_code == 415
    large = client.post(
        link(study, 1, 1),
        content=b"comment=" + b"x" * 70_000,
        headers={"content-type": "application/x-www-form-urlencoded"},
    )
    assert large.status_code == 413


def test_requests_of_other_sites_are_refused(client: TestClient, study: Study, answers: Answers) -> None:
    for headers in (
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ):
        assert client.post(link(study, 1, 1), data=form("A"), headers=headers).status_code == 403
    assert client.get(link(study), headers={"host": "evil.example"}).status_code == 421
    assert answers.all() == []
    own = {"host": "study.example.org", "origin": "https://study.example.org", "sec-fetch-site": "same-origin"}
    assert client.post(link(study, 1, 1), data=form("A"), headers=own).status_code == 303


def test_the_headers_of_every_answer(client: TestClient, study: Study) -> None:
    for answer in (
        client.get("/"),
        client.get(link(study)),
        client.get(link(study, 1, 1)),
        client.post(link(study, 1, 1), data=form("A")),
        client.get("/a/x"),
    ):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "'unsafe-inline'" not in policy.replace("style-src-attr 'unsafe-inline'", "")
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] in ("same-origin", "no-referrer")
    for name in ("log.css", "study.css", "web.css"):
        style = client.get(f"/static/{name}")
        assert (style.status_code, style.headers["content-type"]) == (200, "text/css; charset=utf-8")


def test_nothing_comes_from_elsewhere(client: TestClient, study: Study) -> None:
    for path in ("/", link(study), link(study, 1, 1)):
        assert not re.search(r'(src|href|action)="(?!/)', client.get(path).text)


def test_an_answer_that_cannot_be_saved_is_not_called_saved(
    client: TestClient, study: Study, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(**_: object) -> None:
        raise StudyError("the disk at /secret/place is full")

    monkeypatch.setattr(answers, "save", failing)
    refused = client.post(link(study, 1, 1), data=form("B", "keep me"))
    assert refused.status_code == 503
    assert "Your answer was not saved" in refused.text
    assert "\nkeep me</textarea>" in refused.text
    assert re.search(r'value="B" required checked', refused.text)
    assert "/secret/place" not in refused.text


def test_a_database_that_cannot_be_reached(
    client: TestClient, study: Study, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(_: int) -> None:
        raise StudyError("no connection to postgresql://owner@host/name")

    monkeypatch.setattr(answers, "of", failing)
    told = client.get(link(study))
    assert told.status_code == 503
    assert "Nothing that you saved is lost" in told.text
    assert "postgresql" not in told.text


def test_a_form_that_never_arrives_is_not_waited_for(study: Study, answers: Answers, tmp_path: Path) -> None:
    app = study_app(tmp_path / "study", study, answers, body_seconds=0.01)
    sent: list[Message] = []

    async def never() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    kind = b"application/x-www-form-urlencoded"
    headers = [(b"host", b"localhost"), (b"content-type", kind), (b"content-length", b"10")]
    scope = {"type": "http", "method": "POST", "path": link(study, 1, 1), "query_string": b"", "headers": headers}
    asyncio.run(app(scope, never, send))
    assert sent[0]["status"] == 408
    assert answers.all() == []
