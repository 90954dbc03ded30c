"""HTML pages, filled from the files in ``static/``; what comes from the user never becomes markup.

A page is a fragment of ``static/`` inside the frame that all pages share. Values are
escaped as they are filled in, unless they are ``Markup``, which was made here.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from petra.report.templates import escaped, filled

_ASSETS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}  # what browsers ask for by name


class Markup(str):
    """HTML that is safe as it is."""

    __slots__ = ()


def static(name: str) -> str:
    """A file of ``static/``."""
    return (resources.files("petra.web") / "static" / name).read_text(encoding="utf-8")


def fragment(file: str, /, **values: str | int | float) -> Markup:
    """A file of ``static/`` with its ``{{placeholders}}`` filled in."""
    return Markup(filled(static(file), {key: _safe(value) for key, value in values.items()}))


def show(file: str, /, *, title: str, scripts: tuple[str, ...] = (), **values: str | int | float) -> Markup:
    """A whole page: a fragment, with its title and scripts, in the frame of all pages."""
    tags = Markup("".join(f'<script src="/static/{script}" defer></script>\n' for script in scripts))
    return fragment("frame.html", title=title, scripts=tags, body=fragment(file, title=title, **values))


def joined(*parts: str, separator: str = "\n") -> Markup:
    """Parts one after the other; text among them is escaped."""
    return Markup(separator.join(map(_safe, parts)))


def page_answer(page: Markup, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A page as the answer to a request."""
    return HTMLResponse(page, status, headers)


def serve_static(app: FastAPI) -> None:
    """Let an app serve the styles and scripts of ``static/``."""
    folder = resources.files("petra.web") / "static"
    kinds = {
        entry.name: kind for entry in folder.iterdir() for end, kind in _ASSETS.items() if entry.name.endswith(end)
    }

    @app.get("/static/{name}", include_in_schema=False)
    def asset(name: str) -> Response:
        if name not in kinds:
            raise HTTPException(404)
        return Response(static(name), media_type=kinds[name])


def _safe(value: str | int | float) -> str:
    return value if isinstance(value, Markup) else escaped(str(value))
