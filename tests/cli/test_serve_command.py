from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from typer.testing import CliRunner
from web_samples import PAGE_TEXT, serving

from petra.cli.app import app
from petra.tracker import Tracker
from petra.web.serving.limits import Limits


def invoke(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[Any, dict[str, Any]]:
    """The outcome of the command, and what it would have served."""
    served: dict[str, Any] = {}

    def run(app: object, **options: Any) -> None:
        served.update(options)
        options["ready"]("http://127.0.0.1:8000/")

    monkeypatch.setattr("petra.web.serving.running.run", run)
    return CliRunner().invoke(app, ["serve", *arguments]), served


def test_it_serves_this_machine_only_unless_told_otherwise(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome, served = invoke(monkeypatch, "--model", str(tiny_model))
    assert (outcome.exit_code, served["host"], served["port"]) == (0, "127.0.0.1", 8000)
    assert (outcome.stdout, outcome.stderr) == ("", "PeTra is at http://127.0.0.1:8000/ (Ctrl-C ends it).\n")


def test_a_long_novel_may_be_read_unless_told_otherwise(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Limits] = []
    monkeypatch.setattr("petra.web.app.make_app", lambda shelf, limits, *_, **__: made.append(limits))
    invoke(monkeypatch, "--model", str(tiny_model))
    assert made == [Limits()]
    assert made[0].max_characters == 4_000_000  # War and Peace has 3,200,000


def test_it_opens_a_browser_if_asked(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    invoke(monkeypatch, "--model", str(tiny_model))
    assert opened == []
    invoke(monkeypatch, "--model", str(tiny_model), "--open")
    assert opened == ["http://127.0.0.1:8000/"]


def test_an_unknown_model_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome, served = invoke(monkeypatch, "--model", "nobody")
    assert (outcome.exit_code, served) == (1, {})
    assert outcome.stderr.startswith("error: No model named 'nobody'.")


@pytest.mark.parametrize("wrong", [("--port", "70000"), ("--max-jobs", "0"), ("--max-characters", "0")])
def test_wrong_usage(wrong: tuple[str, str]) -> None:
    assert CliRunner().invoke(app, ["serve", *wrong]).exit_code == 2


def test_the_real_server_keeps_to_its_limits(tiny_model: Path, tiny_tracker: Tracker) -> None:
    options = ["--model", str(tiny_model), "--max-characters", "1000", "--name", "petra.lan"]
    with serving(*options) as address, httpx.Client(base_url=address) as client:
        assert client.post("/api/track", json={"text": PAGE_TEXT}).json() == tiny_tracker.track(PAGE_TEXT).to_dict()
        assert client.post("/api/track", json={"text": "x" * 1001}).status_code == 413
        assert client.post("/api/track", json={"text": "x" * 30_000}).status_code == 413
        assert client.get("/", headers={"Host": "petra.lan"}).status_code == 200
        assert client.get("/", headers={"Host": "evil.example"}).status_code == 421
        assert "server" not in client.get("/").headers


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_ctrl_c_ends_it_cleanly(tiny_model: Path) -> None:
    code = "from petra.cli.app import main; main()"
    command = [sys.executable, "-c", code, "serve", "--port", "0", "--device", "cpu", "--model", str(tiny_model)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    line = process.stderr.readline()
    assert re.search(r"http://127\.0\.0\.1:\d+/", line), line
    os.kill(process.pid, signal.SIGINT)
    _, rest = process.communicate()
    assert (process.returncode, rest) == (130, "")
