"""What keeps a page safe in the browser of whoever opens it.

A server on the user's own machine can be reached by every page that the user's browser
shows. Three things keep those out: a request must name a host that the server has (or
an address, which no foreign name can pretend to be), a request that changes something
must come from the server's own pages, and every answer allows the browser to run only
the server's own scripts and never to show its pages inside foreign ones.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection
from html import unescape
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from petra.web.answers import problem

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
_OWN_PAGES = {"same-origin", "none"}  # of Sec-Fetch-Site; none: the user typed the address
_META_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')


class Guard:
    """Middleware that lets only requests from its own pages through, and adds the headers to every answer.

    ``hosts`` are the names that the server is reached by, besides localhost and addresses.
    A header that an answer sets itself stays as it is.
    """

    def __init__(self, app: ASGIApp, *, hosts: Collection[str] = ()) -> None:
        self._app = app
        self._hosts = {"localhost", *(host.lower() for host in hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        headers = Headers(scope=scope)
        app = self._app
        if not self._is_own_host(headers.get("host", "")):
            app = problem(
                421,
                f"This server does not know itself as {headers.get('host', '')!r:.100}. "
                "Open it by its address, or start it with the option --name and that name.",
            )
        elif scope["method"] not in _SAFE_METHODS and not _is_own_page(headers):
            app = problem(403, "This request was made by a page of another site. Make it from this server's own pages.")
        await app(scope, receive, send_with_headers)

    def _is_own_host(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
            return name in self._hosts or bool(ipaddress.ip_address(name))
        except ValueError:
            return False


def framed_policy(page: str) -> str:
    """The policy of a page that has one in its head, for the header of an answer: own pages may frame it."""
    found = _META_POLICY.search(page)
    own = unescape(found[1]) if found else POLICY.replace("; frame-ancestors 'none'", "")
    return f"{own}; frame-ancestors 'self'"


def _is_own_page(headers: Headers) -> bool:
    """Whether a browser made the request from a page of this server, or no browser did."""
    if (site := headers.get("sec-fetch-site")) is not None and site not in _OWN_PAGES:
        return False
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host")
