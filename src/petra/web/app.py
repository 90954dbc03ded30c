"""The web application: pages and API over one pool of readers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from importlib.metadata import version

from fastapi import FastAPI
from starlette.types import ASGIApp

from petra.report.page.report_page import looks_style
from petra.web.answers import API, answer_errors
from petra.web.api.edits import edit_routes
from petra.web.api.routes import api_routes
from petra.web.pages import serve_static
from petra.web.reading.models import Shelf
from petra.web.reading.pool import Pool
from petra.web.serving.bodies import BodyLimit
from petra.web.serving.limits import Limits
from petra.web.serving.security import Guard
from petra.web.site import page_routes

_SWEEP = 0.5  # seconds between looks for what takes too long or is no longer needed
_DESCRIPTION = """\
Reads texts and tells which people they mention and where, as `petra track` does. Offsets are counted in
Unicode code points from 0, and an end is the first character that is no longer part. A request that cannot be met
is answered by `{"error": "…"}` with a status that says whose turn it is."""


def make_app(shelf: Shelf, limits: Limits, pool: Pool, *, hosts: Collection[str] = ()) -> ASGIApp:
    """The application for the models of a shelf, whose texts are read by a pool.

    ``hosts`` are the names that the server is reached by, besides localhost and addresses.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        sweeping = asyncio.create_task(_sweep(pool))
        try:
            yield
        finally:
            sweeping.cancel()
            with suppress(asyncio.CancelledError):
                await sweeping
            pool.close()

    app = FastAPI(
        title="PeTra",
        version=version("petra"),
        description=_DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,  # these pages load their scripts from elsewhere; /api shows the same without
        redoc_url=None,
        openapi_url=f"{API}/openapi.json",
    )
    answer_errors(app)
    serve_static(app, {"looks.css": looks_style()})
    app.include_router(api_routes(pool, shelf, limits))
    app.include_router(edit_routes(pool, limits))
    app.include_router(page_routes(app, pool, shelf, limits))
    advice = f"A text may have up to {limits.max_characters:,} characters."
    limited = BodyLimit(app, max_bytes=limits.max_body, max_seconds=limits.body_seconds, advice=advice)
    # Outermost, so that no answer goes out without its headers.
    return Guard(limited, hosts=hosts)


async def _sweep(pool: Pool) -> None:
    while True:
        await asyncio.sleep(_SWEEP)
        pool.sweep()
