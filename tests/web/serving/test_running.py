from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys

import pytest
from starlette.responses import PlainTextResponse

from petra.errors import ConfigError
from petra.web.serving.running import _address, _listen, require, run

SERVER = """
from starlette.responses import PlainTextResponse
from petra.web.serving.running import run
run(
    PlainTextResponse("fine"),
    host="127.0.0.1",
    port=0,
    ready=lambda address: print(address, flush=True),
    ending=lambda: print("ending", flush=True),
)
"""


def test_a_taken_port_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError, match=rf"Port {port} of 127\.0\.0\.1 cannot be used .* --port; 0 takes any"):
            run(PlainTextResponse(""), host="127.0.0.1", port=port, ready=print)


def test_an_unknown_host_is_told() -> None:
    with pytest.raises(ConfigError, match=r"'no\.such\.host\.invalid' is no address of this machine"):
        run(PlainTextResponse(""), host="no.such.host.invalid", port=0, ready=print)


def test_the_address_of_all_interfaces_is_one_to_open_here() -> None:
    with _listen("0.0.0.0", 0) as listener:
        assert _address(listener) == f"http://127.0.0.1:{listener.getsockname()[1]}/"


def test_an_address_of_version_6() -> None:
    try:
        listener = _listen("::1", 0)
    except ConfigError:
        pytest.skip("this machine has no IPv6")
    with listener:
        assert re.fullmatch(r"http://\[::1\]:\d+/", _address(listener))


def test_what_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    require()
    monkeypatch.setattr("petra.web.serving.running.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"need fastapi and uvicorn.* pip install 'petra\[web\]'"):
        require()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, -signal.SIGINT), (signal.SIGTERM, -signal.SIGTERM)])
def test_it_ends_when_told_to(sent: signal.Signals, status: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("http://127.0.0.1:")
    os.kill(process.pid, sent)
    out, _ = process.communicate()
    assert (process.returncode, out) == (status, "ending\n")


SLOW = SERVER.replace("    port=0,", "    port=0,\n    header_seconds=0.3,")


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTTP/1.1\r\nHost: loc",  # the second of two
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc",  # answered before it is whole
    ],
    ids=["nothing", "headers", "second headers", "body"],
)
def test_a_connection_without_a_whole_request_is_closed(sent: bytes) -> None:
    with subprocess.Popen([sys.executable, "-c", SLOW], stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            host, port = server.stdout.readline().strip().removeprefix("http://").rstrip("/").split(":")
            with socket.create_connection((host, int(port)), timeout=60) as connection:
                connection.sendall(sent)
                received = b""
                with contextlib.suppress(ConnectionError):
                    while piece := connection.recv(4096):  # ends when the server has closed the connection
                        received += piece
                        connection.sendall(b"a" if b"Content" in sent else b"")
                assert received.count(b"fine") == (1 if b"\r\n\r\n" in sent else 0)
        finally:
            server.terminate()
