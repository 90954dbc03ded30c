"""Pages in the frame that all share, made by Jinja2 with autoescape, and the styles and scripts they ask for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import Final

from fastapi import FastAPI
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from petra.report.templating import Templates

ROOMS: Final = ("petra.web", "petra.web.compare", "petra.web.study")
_TEMPLATES: Final = Templates(*ROOMS)
_ASSETS: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}  # asked for by name


def show(
    template: str, /, *, title: str, styles: tuple[str, ...] = (), scripts: tuple[str, ...] = (), **values: object
) -> Markup:
    """A whole page, with its title, and the styles and scripts that it has besides those of all pages."""
    return _TEMPLATES.fill(template, title=title, styles=styles, scripts=scripts, **values)


def fill(template: str, /, **values: object) -> Markup:
    """A part of a page."""
    return _TEMPLATES.fill(template, **values)


def page_answer(page: Markup, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A page as the answer to a request."""
    return HTMLResponse(page, status, headers)


def serve_static(app: FastAPI, more: Mapping[str, str] | None = None) -> None:
    """Let an app serve what is in the folders ``static`` of the rooms, and more by their names."""
    assets = {
        entry.name: entry.read_text(encoding="utf-8")
        for room in ROOMS
        for entry in (resources.files(room) / "static").iterdir()
        if entry.name.endswith(tuple(_ASSETS))
    }
    assets |= more or {}

    @app.get("/static/{name}", include_in_schema=False)
    def asset(name: str) -> Response:
        if name not in assets:
            raise HTTPException(404)
        return Response(assets[name], media_type=_ASSETS[name[name.rindex(".") :]])
