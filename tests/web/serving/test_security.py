from __future__ import annotations

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from web_samples import story

from petra.web.reading.jobs import Result
from petra.web.serving.security import POLICY, Guard, framed_policy

HERE = "http://127.0.0.1:8000"


def client(*hosts: str) -> TestClient:
    return TestClient(Guard(PlainTextResponse("fine"), hosts=hosts), base_url=HERE)


def test_every_answer_carries_the_headers() -> None:
    for answer in (client().get("/"), client().get("/", headers={"Host": "evil.example"})):
        assert answer.headers["Content-Security-Policy"] == POLICY
        assert "default-src 'none'" in POLICY
        assert "frame-ancestors 'none'" in POLICY
        assert "unsafe" not in POLICY
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_an_answer_may_set_a_header_itself() -> None:
    own = PlainTextResponse("fine", headers={"Content-Security-Policy": "default-src 'self'"})
    answer = TestClient(Guard(own), base_url=HERE).get("/")
    assert answer.headers.get_list("Content-Security-Policy") == ["default-src 'self'"]


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8000", "127.0.0.1:8000", "192.168.1.7", "[::1]:8000", "petra.lan", "PETRA.lan:80"]
)
def test_own_names_and_addresses_are_answered(host: str) -> None:
    assert client("petra.lan").get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example", "[::1", "", "a b"]
)
def test_a_foreign_name_for_this_machine_is_refused(host: str) -> None:
    answer = client("petra.lan").get("/", headers={"Host": host})
    assert answer.status_code == 421
    assert "--name" in answer.json()["error"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),  # no browser
        ({"Origin": HERE}, 200),
        ({"Origin": HERE, "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "none"}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://127.0.0.1:9000"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": HERE, "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
    ],
)
@pytest.mark.parametrize("method", ["POST", "DELETE", "PUT"])
def test_only_own_pages_change_something(method: str, headers: dict[str, str], status: int) -> None:
    assert client().request(method, "/", headers=headers).status_code == status


def test_anybody_may_link_to_a_page() -> None:
    assert client().get("/", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


def test_a_report_keeps_its_own_policy_and_is_framed_by_own_pages_only() -> None:
    policy = framed_policy(Result(story()).report)
    assert "script-src 'sha256-" in policy
    assert policy.endswith("; frame-ancestors 'self'")


def test_a_page_without_a_policy_gets_the_strict_one() -> None:
    assert framed_policy("<p>") == POLICY.replace("ancestors 'none'", "ancestors 'self'")
