"""Connections that bring no request, or never the whole of it, closed after some time."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


def limited_http(seconds: float) -> type[H11Protocol]:
    """The server's HTTP protocol, in which the headers of a request have so many seconds to arrive.

    The same holds for the rest of a request that was answered before it was whole. What an
    app waits for itself is limited by ``petra.web.serving.bodies``.
    """

    class LimitedHttp(H11Protocol):
        _deadline: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._wait()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._wait()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            self._forget()

        def _wait(self) -> None:
            """Begin to count the seconds, or end it, as more is to come or not."""
            answered = self.conn.our_state is h11.DONE and self.conn.their_state is h11.SEND_BODY
            if self.conn.their_state is not h11.IDLE and not answered:
                self._forget()
            elif self._deadline is None:
                self._deadline = self.loop.call_later(seconds, self._end)

        def _forget(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

        def _end(self) -> None:
            if not self.transport.is_closing():
                self.transport.close()

    return LimitedHttp
