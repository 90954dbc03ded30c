"""Answers to requests that cannot be met: what was found, what was expected, what to do.

Programs get ``{"error": "…"}``, people a page with the same words.
"""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from petra.errors import ConfigError, EditError, ModelError, PetraError, StudyError, TextError
from petra.web.api.refusals import REFUSALS
from petra.web.pages import page_answer, show

API = "/api"  # where programs are answered, below it
_UNPARSED = "There was an error parsing the body"  # what FastAPI says of what the parser gives up on
NOT_OURS = "Something went wrong inside PeTra; the server's own output says what. Other requests are not affected."


class Refusal(HTTPException):
    """A request that is refused, with the status and the words to say; after some seconds it may be tried again."""

    def __init__(self, status: int, message: str, *, retry_after: int | None = None) -> None:
        headers = None if retry_after is None else {"Retry-After": str(retry_after)}
        super().__init__(status, message, headers)


def problem(status: int, message: str, headers: dict[str, str] | None = None) -> Response:
    """The answer for programs."""
    return JSONResponse({"error": message}, status, headers)


def status_of(error: PetraError) -> int:
    """The status of an error of ours: who can put it right, the client or the server's owner."""
    if isinstance(error, (ConfigError, TextError, EditError)):
        return HTTPStatus.UNPROCESSABLE_ENTITY
    if isinstance(error, StudyError):
        return HTTPStatus.CONFLICT
    if isinstance(error, ModelError):
        return HTTPStatus.SERVICE_UNAVAILABLE
    return HTTPStatus.INTERNAL_SERVER_ERROR


def answer_errors(app: FastAPI) -> None:
    """Let an app answer every error in words, as JSON below ``/api`` and as a page elsewhere."""

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> Response:
        return _answer(request, error.status_code, _words(error), dict(error.headers or {}))

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        return _answer(request, HTTPStatus.UNPROCESSABLE_ENTITY, _faults(error.errors()), {})

    @app.exception_handler(PetraError)
    async def ours(request: Request, error: PetraError) -> Response:
        return _answer(request, status_of(error), str(error), {})

    @app.exception_handler(Exception)
    async def not_ours(request: Request, error: Exception) -> Response:  # noqa: ARG001 (the server writes its trace)
        return _answer(request, HTTPStatus.INTERNAL_SERVER_ERROR, NOT_OURS, {})


def _answer(request: Request, status: int, message: str, headers: dict[str, str]) -> Response:
    if request.url.path.startswith(f"{API}/"):
        return problem(status, message, headers)
    title = HTTPStatus(status).phrase
    return page_answer(show("error.html", title=title, message=message), status=status, headers=headers)


def _words(error: HTTPException) -> str:
    # The router knows only the name of a status.
    if error.detail == HTTPStatus.NOT_FOUND.phrase:
        return "Nothing is at this address. It may be misspelt; begin again from the first page."
    if error.detail == HTTPStatus.METHOD_NOT_ALLOWED.phrase:
        return "This address does not take such a request. See the description of the API at /api."
    if error.detail == _UNPARSED:
        return f"{REFUSALS[400]} Send JSON as /api describes it."
    return error.detail


def _faults(errors: Sequence[Any]) -> str:
    """What is wrong with a request, a sentence for each fault; the values themselves are not repeated."""
    sentences = []
    for fault in errors:
        where = ".".join(str(place) for place in fault["loc"][1:]) or "the request"
        sentences.append(f"{where}: {fault['msg']}.")
    return " ".join(sentences)
