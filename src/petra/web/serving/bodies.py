"""Requests that are too large or never end, turned away before they fill the memory."""

from __future__ import annotations

import asyncio

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from petra.web.answers import Refusal, problem


class BodyLimit:
    """Middleware that lets the body of a request have so many bytes and arrive within so many seconds."""

    def __init__(self, app: ASGIApp, *, max_bytes: int, max_seconds: float, advice: str) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._max_seconds = max_seconds
        self._too_large = f"The request has more than {max_bytes:,} bytes. {advice}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        announced = Headers(scope=scope).get("content-length", "")
        if announced.isdecimal() and int(announced) > self._max_bytes:
            await problem(413, self._too_large)(scope, receive, send)
            return
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._max_seconds
        received = 0
        complete = False

        async def receive_within_limits() -> Message:
            nonlocal received, complete
            if complete:  # after the body only a disconnect can follow
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), deadline - loop.time())
            except asyncio.TimeoutError:  # its name before Python 3.11 differs from the built-in one
                raise Refusal(408, "The request did not arrive in time. Send it again.") from None
            received += len(message.get("body", b""))
            complete = not message.get("more_body", False)
            if received > self._max_bytes:
                raise Refusal(413, self._too_large)
            return message

        await self._app(scope, receive_within_limits, send)
