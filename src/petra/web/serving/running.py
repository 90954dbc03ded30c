"""A web server in this process, from the moment it can be reached until Ctrl-C."""

from __future__ import annotations

import socket
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from petra.errors import ConfigError

if TYPE_CHECKING:
    from starlette.types import ASGIApp

_LAST_ANSWERS = 3  # seconds that requests under way have when the server ends
_NEEDED = ("fastapi", "uvicorn")


def require() -> None:
    """Say what is missing if pages cannot be served here."""
    if missing := [name for name in _NEEDED if find_spec(name) is None]:
        raise ConfigError(
            f"The web pages need {' and '.join(missing)}, which this installation lacks. "
            "Install what they need with: pip install 'petra[web]'"
        )


def run(
    app: ASGIApp,
    *,
    host: str,
    port: int,
    ready: Callable[[str], None],
    ending: Callable[[], None] = lambda: None,
    header_seconds: float = 20,
) -> None:
    """Serve an app until Ctrl-C or SIGTERM; port 0 takes a free one.

    A connection that does not bring the headers of a request within ``header_seconds`` is closed.

    ``ready`` is called with the address once requests are answered, and ``ending`` when
    no new ones are taken, to end what would go on for long. Ctrl-C surfaces as
    KeyboardInterrupt after requests under way have been answered.
    """
    import uvicorn

    from petra.web.serving.connections import limited_http

    listener = _listen(host, port)
    address = _address(listener)

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                ready(address)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            ending()
            await super().shutdown(sockets)

    # No log of requests: addresses of results are as private as the results.
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        http=limited_http(header_seconds),
        ws="none",
        timeout_graceful_shutdown=_LAST_ANSWERS,
    )
    with listener:
        Server(config).run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise ConfigError(
            f"{host!r} is no address of this machine ({error.strerror or error}). "
            "Give one, for example 127.0.0.1, or 0.0.0.0 for all of them."
        ) from None
    listener = socket.socket(family, kind, protocol)
    try:
        # As every server does where a port lingers after its last owner; on Windows this would share the port.
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
    except OSError as error:
        listener.close()
        raise ConfigError(
            f"Port {port} of {host} cannot be used ({error.strerror or error}). "
            "Choose another with --port; 0 takes any that is free."
        ) from None
    return listener


def _address(listener: socket.socket) -> str:
    """Where a browser on this machine finds the listener."""
    name: tuple[Any, ...] = listener.getsockname()
    host, port = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(name[0], name[0]), name[1]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
