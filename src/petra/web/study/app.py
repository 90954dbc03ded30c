"""The pages of a human evaluation: an annotator's link, their documents, their answers.

The token in a link is the only key there is, and it is asked for on every request:
whatever is not its owner's is simply not there. A page shows what the database says,
so that an annotator can stop anywhere and go on from any browser.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp

from petra.errors import PetraError, StudyError
from petra.report.picture.heatmap_page import log_style
from petra.study.answers import Answers
from petra.study.design import Task
from petra.study.storage import read_logs
from petra.study.study import Annotator, Study
from petra.web.answers import answer_errors
from petra.web.pages import page_answer, serve_static, show
from petra.web.serving.bodies import BodyLimit
from petra.web.serving.security import POLICY, Guard
from petra.web.study.forms import Draft, Form, read_form
from petra.web.study.pages import (
    TaskLogs,
    address_of,
    closed_page,
    document_page,
    example_page,
    home_page,
    logs_of,
    name_of,
)

# The squares of a memory log have their shades in attributes.
_POLICY: Final = POLICY.replace("style-src 'self'", "style-src 'self'; style-src-attr 'unsafe-inline'")
# With no-referrer a browser would not say that a form comes from our own page.
_HEADERS: Final = {"Content-Security-Policy": _POLICY, "Referrer-Policy": "same-origin", "X-Robots-Tag": "noindex"}
_UNREACHABLE: Final = (
    "The study cannot reach its answers just now. Nothing that you saved is lost. Try again in a moment."
)
_NOT_SAVED: Final = "Your answer was not saved, because the study cannot reach its database just now. Save it again."
_MEANWHILE: Final = (
    "This document was answered in another window meanwhile: {standing}. "
    "What you chose here is not saved yet; save it to replace that answer."
)
_MOST_BYTES: Final = 1_000_000  # of a request
_CHOOSE: Final = "Choose a model, or neutral, so that your comment can be saved with it."
_log = logging.getLogger("uvicorn.error")  # the server's own output


def study_app(
    folder: Path, study: Study, answers: Answers, *, hosts: Collection[str] = (), body_seconds: float = 60
) -> ASGIApp:
    """The app that serves the study in a folder; ``hosts`` are the names it is reached by besides addresses.

    A request must have arrived within ``body_seconds``.
    """
    app = FastAPI(title=study.title, docs_url=None, redoc_url=None, openapi_url=None)

    @cache
    def logs(task: Task) -> TaskLogs:
        return logs_of(read_logs(folder, study, task.document), task)

    _add_pages(app, study, answers, logs)
    serve_static(app, {"log.css": log_style()})
    answer_errors(app)

    @app.exception_handler(PetraError)
    async def unreachable(_: Request, error: PetraError) -> Response:
        _log.error("%s", error)  # which names places that annotators need not know
        return _answer(show("error.html", title="Not now", message=_UNREACHABLE), HTTPStatus.SERVICE_UNAVAILABLE)

    # A form has its own limit of bytes, with a page that says so; this one ends what is far beyond, or never ends.
    limited = BodyLimit(app, max_bytes=_MOST_BYTES, max_seconds=body_seconds, advice="Shorten the comment.")
    return Guard(limited, hosts=hosts)


def _add_pages(app: FastAPI, study: Study, answers: Answers, logs: Callable[[Task], TaskLogs]) -> None:
    def annotator_of(token: str) -> Annotator:
        annotator = study.annotator(token)
        if annotator is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return annotator

    def task_of(annotator: Annotator, place: int) -> Task:
        if not 0 < place <= len(annotator.tasks):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return annotator.tasks[place - 1]

    def shown(
        annotator: Annotator, place: int, draft: Draft, problem: str = "", status: int = HTTPStatus.OK
    ) -> Response:
        try:
            answered = len(answers.of(annotator.number))
        except StudyError:  # what was typed is worth more than the progress
            answered = None
        task_logs = logs(task_of(annotator, place))
        return _answer(document_page(study, annotator, place, task_logs, draft, answered, problem), status)

    def save(annotator: Annotator, place: int, form: Form) -> Response:
        draft = form.draft
        if draft.choice is None:
            if draft.comment or form.then == "next":
                problem = _CHOOSE if draft.comment else "Choose a model, or neutral, to go on."
                return shown(annotator, place, draft, problem, HTTPStatus.UNPROCESSABLE_ENTITY)
            return _to(annotator, place, form.then)
        try:
            saved = answers.save(
                annotator=annotator.number,
                place=place - 1,
                choice=draft.choice,
                comment=draft.comment,
                based_on=draft.version,
                seconds=draft.spent,
            )
        except StudyError as error:
            _log.error("%s", error)
            return shown(annotator, place, draft, _NOT_SAVED, HTTPStatus.SERVICE_UNAVAILABLE)
        if saved.outcome != "outdated":
            return _to(annotator, place, form.then)
        standing = Draft.of(saved.answer)
        problem = _MEANWHILE.format(standing=name_of(standing.choice) if standing.choice else "no answer")
        draft = replace(draft, version=standing.version)
        return shown(annotator, place, draft, problem, HTTPStatus.CONFLICT)

    @app.get("/")
    def nobody() -> Response:
        message = "Open the study with the personal link that you were given; this page belongs to nobody."
        return _answer(closed_page(study, message))

    @app.get("/a/{token}")
    def home(token: str) -> Response:
        annotator = annotator_of(token)
        return _answer(home_page(study, annotator, answers.of(annotator.number)))

    @app.get("/a/{token}/example")
    def example(token: str) -> Response:
        annotator = annotator_of(token)
        return _answer(example_page(study, annotator, answers.of(annotator.number)))

    @app.get("/a/{token}/{place:int}")
    def document(token: str, place: int) -> Response:
        annotator = annotator_of(token)
        task_of(annotator, place)
        return shown(annotator, place, Draft.of(answers.of(annotator.number).get(place - 1)))

    @app.post("/a/{token}/{place:int}")
    async def answer(token: str, place: int, request: Request) -> Response:
        annotator = annotator_of(token)
        form = await read_form(request, task_of(annotator, place))
        return await run_in_threadpool(save, annotator, place, form)


def _to(annotator: Annotator, place: int, then: str) -> Response:
    """On to the page that an annotator asked for with their answer."""
    step = {"next": 1, "back": -1}.get(then, 0)
    target = place + step if step and 0 < place + step <= len(annotator.tasks) else None
    return RedirectResponse(address_of(annotator, target), HTTPStatus.SEE_OTHER, headers=_HEADERS)


def _answer(page: Markup, status: int = HTTPStatus.OK) -> Response:
    return page_answer(page, status=status, headers=_HEADERS)
