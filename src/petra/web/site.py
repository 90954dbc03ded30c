"""The pages: a text is given, watched while it is read, looked at, stepped through and compared."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import PurePath
from typing import Annotated, Literal

from fastapi import APIRouter, FastAPI, Query, Request
from starlette.responses import Response

from petra.report.export.format import format_names
from petra.report.page.looks import RARE, looks_of
from petra.report.values.differences import DifferenceKind
from petra.text.source import source_name
from petra.tracker import Tracking
from petra.web.answers import API
from petra.web.api.routes import check_same_text, result_of
from petra.web.compare.page import Chosen, compare_page, difference_list
from petra.web.compare.paired_readings import PairedReadings
from petra.web.pages import page_answer, show
from petra.web.reading.models import Shelf
from petra.web.reading.pool import Pool
from petra.web.serving.limits import Limits

KindQuery = Annotated[DifferenceKind | Literal[""], Query()]
PersonQuery = Annotated[int, Query(ge=0)]

_UNTITLED = "Pasted text"


def page_routes(app: FastAPI, pool: Pool, shelf: Shelf, limits: Limits) -> APIRouter:
    """The addresses of pages; ``app`` is described on one of them."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/")
    def first_page() -> Response:
        page = show(
            "index.html",
            title="People of a text",
            scripts=("form.js",),
            models=[model.name for model in shelf.offered],
            max_characters=limits.max_characters,
            max_cells=limits.max_cells,
            idle=_duration(limits.idle_seconds),
            keep=_duration(limits.keep_seconds),
        )
        return page_answer(page)

    def found(job_id: str) -> Tracking:
        return result_of(pool.find(job_id)).tracking

    def result_view(template: str, job_id: str, here: str, scripts: tuple[str, ...], **values: object) -> Response:
        tracking = found(job_id)
        page = show(
            template,
            title=_title(tracking),
            scripts=("result.js", *scripts),
            styles=("looks.css",),
            here=here,
            kept=f"Kept for {_duration(limits.keep_seconds)}" if pool.find(job_id).kept else "",
            place=_place(job_id),
            address=f"/results/{job_id}",
            stem=PurePath(tracking.source or "people").stem or "people",
            picture="svg" if find_spec("matplotlib") else "html",  # the one that needs no drawing library
            formats=format_names(),
            **values,
        )
        return page_answer(page)

    @routes.get("/results/{job_id}")
    def result_page(job_id: str) -> Response:
        return result_view("result.html", job_id, "report", ("edits.js",))

    @routes.get("/results/{job_id}/steps")
    def steps_page(job_id: str) -> Response:
        tracking = found(job_id)
        log, looks = tracking.log, looks_of(tracking.people)
        return result_view(
            "steps.html",
            job_id,
            "steps",
            ("steps.js",),
            tokens=log.num_tokens,
            last=max(0, log.num_tokens - 1),
            counted="mention" if log.read_by == "mention" else "decision",
            threshold=f"{log.threshold:g}",
            looks=json.dumps({person: look for person, look in looks.items() if look != RARE}),
        )

    def paired(first: str, second: str) -> tuple[PairedReadings, tuple[str, str]]:
        one, other = found(first), found(second)
        check_same_text(one.text, other.text)
        return PairedReadings(one.text, one.people, other.people), (one.model, other.model)

    @routes.get("/compare/{first}/{second}")
    def comparison_page(first: str, second: str, kind: KindQuery = "", person: PersonQuery = 0) -> Response:
        pair, models = paired(first, second)
        chosen = Chosen(kind or None, person or None)
        title = _title(found(first))
        return page_answer(compare_page(pair, models, title=title, chosen=chosen, ids=(first, second)))

    @routes.get("/compare/{first}/{second}/list")
    def list_of_differences(first: str, second: str, kind: KindQuery = "", person: PersonQuery = 0) -> Response:
        return page_answer(difference_list(*paired(first, second), Chosen(kind or None, person or None)))

    @routes.get(API)
    def api_page(request: Request) -> Response:
        address = str(request.base_url)
        return page_answer(show("reference.html", title="HTTP API", document=app.openapi(), address=address))

    return routes


def _place(job_id: str) -> str:
    return f"{API}/jobs/{job_id}"


def _title(tracking: Tracking) -> str:
    return source_name(tracking.source) or _UNTITLED


def _duration(seconds: float) -> str:
    if seconds >= 7200:
        return f"{seconds / 3600:g} hours"
    return f"{seconds / 60:g} minutes" if seconds >= 120 else f"{seconds:g} seconds"
