"""The pages: a text is given, watched while it is read, looked at, stepped through and compared."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import PurePath

from fastapi import APIRouter, FastAPI, Request
from starlette.responses import Response

from petra.report.values.summaries import counted
from petra.tracker import Tracking
from petra.web.answers import API
from petra.web.api import check_same_text, result_of
from petra.web.comparing import differences_table
from petra.web.differences import compare
from petra.web.limits import Limits
from petra.web.models import Shelf
from petra.web.pages import Markup, fragment, joined, page_answer, show
from petra.web.pool import Pool
from petra.web.reference import reference

_UNTITLED = "Pasted text"


def page_routes(app: FastAPI, pool: Pool, shelf: Shelf, limits: Limits) -> APIRouter:
    """The addresses of pages; ``app`` is described on one of them."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/")
    def first_page() -> Response:
        names = [model.name for model in shelf.offered]
        page = show(
            "index.html",
            title="People of a text",
            scripts=("form.js",),
            models=_options(names),
            second_models=joined(Markup('<option value="">none</option>'), _options(names)),
            max_characters=limits.max_characters,
            max_characters_words=f"{limits.max_characters:,}",
            max_cells=limits.max_cells,
            idle=_duration(limits.idle_seconds),
            keep=_duration(limits.keep_seconds),
        )
        return page_answer(page)

    def found(job_id: str) -> Tracking:
        return result_of(pool.find(job_id)).tracking

    def bar(job_id: str, tracking: Tracking, *, is_report: bool) -> Markup:
        kept = f"Kept for {_duration(limits.keep_seconds)}" if pool.find(job_id).kept else ""
        return _bar(job_id, tracking, is_report=is_report, kept=kept)

    @routes.get("/results/{job_id}")
    def result_page(job_id: str) -> Response:
        tracking = found(job_id)
        page = show(
            "result.html",
            title=_title(tracking),
            scripts=("result.js", "edits.js"),
            bar=bar(job_id, tracking, is_report=True),
            place=_place(job_id),
        )
        return page_answer(page)

    @routes.get("/results/{job_id}/steps")
    def steps_page(job_id: str) -> Response:
        tracking = found(job_id)
        page = show(
            "steps.html",
            title=_title(tracking),
            scripts=("result.js", "steps.js"),
            bar=bar(job_id, tracking, is_report=False),
            place=_place(job_id),
            tokens=tracking.log.num_tokens,
            last=max(0, tracking.log.num_tokens - 1),
            counted="mention" if tracking.log.read_by == "mention" else "decision",
            threshold=f"{tracking.log.threshold:g}",
        )
        return page_answer(page)

    @routes.get("/compare/{first}/{second}")
    def comparison_page(first: str, second: str) -> Response:
        one, other = found(first), found(second)
        check_same_text(one.text, other.text)
        comparison = compare(one.people, other.people)
        page = show(
            "compare.html",
            title=_title(one),
            scripts=("result.js",),
            first=_place(first),
            second=_place(second),
            first_page=f"/results/{first}",
            second_page=f"/results/{second}",
            first_model=one.model,
            second_model=other.model,
            first_found=_found(one),
            second_found=_found(other),
            agreeing=counted(comparison.agreeing, "mention"),
            differing=counted(len(comparison.differences), "difference"),
            differences=differences_table(comparison, one.text, (one.model, other.model)),
            download=f"{API}/compare/{first}/{second}",
        )
        return page_answer(page)

    @routes.get(API)
    def api_page(request: Request) -> Response:
        content = reference(app.openapi(), str(request.base_url))
        return page_answer(show("api.html", title="HTTP API", content=content))

    return routes


def _bar(job_id: str, tracking: Tracking, *, is_report: bool, kept: str) -> Markup:
    """The top of a result's pages: where one is, and what can be taken away."""
    stem = PurePath(tracking.source or "people").stem or "people"
    picture = "svg" if find_spec("matplotlib") else "html"  # the one that needs no drawing library
    here = Markup('aria-current="page"')
    return fragment(
        "bar.html",
        title=_title(tracking),
        kept=kept,
        place=_place(job_id),
        page=f"/results/{job_id}",
        stem=stem,
        picture=picture,
        on_report=here if is_report else "",
        on_steps="" if is_report else here,
    )


def _place(job_id: str) -> str:
    return f"{API}/jobs/{job_id}"


def _title(tracking: Tracking) -> str:
    return tracking.source or _UNTITLED


def _found(tracking: Tracking) -> str:
    mentions = sum(len(person.mentions) for person in tracking.people)
    people = "1 person" if len(tracking.people) == 1 else f"{len(tracking.people):,} people"
    return f"{people}, {counted(mentions, 'mention')}"


def _options(names: list[str]) -> Markup:
    return joined(*(fragment("option.html", name=name) for name in names), separator="")


def _duration(seconds: float) -> str:
    if seconds >= 7200:
        return f"{seconds / 3600:g} hours"
    return f"{seconds / 60:g} minutes" if seconds >= 120 else f"{seconds:g} seconds"
