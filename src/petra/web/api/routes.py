"""The HTTP API: the same results as the command line gives, for other programs and for the pages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from petra.log.storage import to_bytes
from petra.report.export.archive import one_file
from petra.report.export.names import document_id
from petra.report.picture.files import PictureFileForm, picture_file, require
from petra.report.picture.panels import View, make_panels
from petra.report.values.as_json import dump
from petra.report.values.differences import compare, comparison_json
from petra.web.answers import API, Refusal
from petra.web.api import schemas
from petra.web.api.refusals import GONE, REFUSALS, REMOVED, UNREAD, errors, file
from petra.web.api.steps import steps_json
from petra.web.reading.jobs import Asked, Failure, Job, Result
from petra.web.reading.models import Shelf
from petra.web.reading.pool import Pool
from petra.web.serving.limits import Limits
from petra.web.serving.security import framed_policy

_LOOK = 0.05  # seconds between looks at a job: soon enough for eyes, and no work for the server
_SIGN_OF_LIFE = 10  # seconds without news after which a stream says that it is still there
_MOST_STEPS = 1000
_KINDS: Mapping[PictureFileForm, str] = {
    "png": "image/png",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "html": "text/html; charset=utf-8",
}


def api_routes(pool: Pool, shelf: Shelf, limits: Limits) -> APIRouter:
    """The addresses below ``/api``."""
    routes = APIRouter(prefix=API)

    def submit(ask: schemas.Ask, request: Request, *, keep: bool = False) -> Job:
        if ask.cells is not None and ask.cells > limits.max_cells:
            raise Refusal(422, f"cells is {ask.cells}; this server reads with up to {limits.max_cells}.")
        asked = Asked(
            text=ask.text,
            model=shelf.choose(ask.model),
            source=ask.source,
            cells=ask.cells,
            threshold=ask.threshold,
            keep=keep,
        )
        return pool.submit(asked, request.client.host if request.client else "")

    @routes.post("/track", response_model=schemas.TrackingAnswer, responses=errors(REFUSALS))
    async def track(ask: schemas.Ask, request: Request) -> Response:
        """Find the people of a text.

        The answer comes when the text has been read and is what `petra track --json`
        prints. Nothing is kept; a client that goes away ends the reading.
        """
        job = submit(ask, request)
        try:
            while not job.ended:
                pool.touch(job)
                if await request.is_disconnected():
                    raise Refusal(499, "The client has gone.")
                await asyncio.sleep(_LOOK)
            return _json(result_of(job).tracking.to_dict())
        finally:
            pool.remove(job.id)

    @routes.post("/jobs", status_code=202, response_model=schemas.JobAnswer, responses=errors(REFUSALS))
    def begin(ask: schemas.AskJob, request: Request) -> dict[str, Any]:
        """Begin to read a text, and look at it later.

        Follow it at `/api/jobs/{job_id}/events`. Unless `keep` is set, the text is given up
        when nobody has asked for it for half a minute, and the result is removed when
        nobody has looked at it for some minutes.
        """
        return status_of_job(submit(ask, request, keep=ask.keep))

    @routes.get("/jobs/{job_id}", response_model=schemas.JobAnswer, responses=errors(GONE))
    def status(job_id: str) -> dict[str, Any]:
        """How far a text is. Asking also keeps it from being removed for a while."""
        return status_of_job(pool.find(job_id))

    @routes.get("/jobs/{job_id}/events", response_class=StreamingResponse, responses=file("text/event-stream", GONE))
    async def events(job_id: str) -> Response:
        """How far a text is, as server-sent events until it has been read.

        The data of each event is what `/api/jobs/{job_id}` gives; the last has the state
        `done` or `failed`.
        """
        return StreamingResponse(_events(pool, pool.find(job_id)), media_type="text/event-stream")

    @routes.delete("/jobs/{job_id}", status_code=204, responses=errors(REMOVED))
    def remove(job_id: str) -> Response:
        """Remove a text and its result; reading that is under way ends."""
        pool.remove(pool.find(job_id).id)
        return Response(status_code=204)

    def found(job_id: str) -> Result:
        return result_of(pool.find(job_id))

    @routes.get("/jobs/{job_id}/tracking.json", response_model=schemas.TrackingAnswer, responses=errors(UNREAD))
    def tracking(job_id: str) -> Response:
        """The people of the text: what `petra track --json` prints."""
        return _json(found(job_id).tracking.to_dict())

    @routes.get("/jobs/{job_id}/report.html", response_class=Response, responses=file("text/html", UNREAD))
    def report(job_id: str) -> Response:
        """The report: the file that `petra track --html` writes."""
        return _page(found(job_id).report)

    @routes.get("/jobs/{job_id}/memory.log", response_class=Response, responses=file("application/zip", UNREAD))
    def memory_log(job_id: str) -> Response:
        """The memory log: the file that `petra track --log` writes."""
        return Response(to_bytes(found(job_id).tracking.log), media_type="application/zip")

    @routes.get("/jobs/{job_id}/picture.{form}", response_class=Response, responses=file("image/svg+xml", UNREAD))
    def picture(job_id: str, form: PictureFileForm) -> Response:
        """A picture of the memory log: the file that `petra show --people` writes."""
        require(form)
        content = picture_file(make_panels([found(job_id).tracking.log], View(with_people=True)), form)
        return _page(content.decode()) if form == "html" else Response(content, media_type=_KINDS[form])

    @routes.get(
        "/jobs/{job_id}/export/{name}", response_class=Response, responses=file("application/octet-stream", UNREAD)
    )
    def export(job_id: str, name: str) -> Response:
        """What was found in another format: the files that `petra export --to` writes, in a ZIP archive if several."""
        tracking = found(job_id).tracking
        sent = one_file(tracking.export(name), document_id(tracking.source))
        headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(sent.name)}"}
        return Response(sent.content, media_type="application/octet-stream", headers=headers)

    @routes.get("/jobs/{job_id}/steps", response_model=schemas.StepsAnswer, responses=errors(UNREAD))
    def steps(
        job_id: str,
        first: Annotated[int, Query(ge=0, description="The first token, from 0.")] = 0,
        count: Annotated[int, Query(ge=1, le=_MOST_STEPS, description="How many.")] = 200,
    ) -> Response:
        """What the memory decided, token by token."""
        result = found(job_id)
        return _json(steps_json(result.tracking.log, result.tracking.people, result.occupancy, first, count))

    @routes.get("/compare/{first}/{second}", response_model=schemas.ComparisonAnswer, responses=errors(UNREAD))
    def comparison(first: str, second: str) -> Response:
        """Where two readings of one text differ; each is named by its id."""
        one, other = found(first).tracking, found(second).tracking
        check_same_text(one.text, other.text)
        return _json(comparison_json(compare(one.people, other.people), (one.model, other.model)))

    @routes.get("/models", response_model=schemas.ModelsAnswer)
    def models() -> dict[str, Any]:
        """The models on offer, the one used by default first."""
        names = schemas.ModelAnswer.model_fields
        return {"models": [{name: getattr(model, name) for name in names} for model in shelf.offered]}

    @routes.get("/limits", response_model=schemas.LimitsAnswer)
    def limits_of_server() -> dict[str, Any]:
        """How much the server takes on."""
        return {name: getattr(limits, name) for name in schemas.LimitsAnswer.model_fields}

    return routes


def status_of_job(job: Job) -> dict[str, Any]:
    """How far a job is, as plain values."""
    progress = job.progress
    return {
        "id": job.id,
        "state": progress.state,
        "done": progress.done,
        "whole": progress.whole,
        "model": job.model,
        "kept": job.kept,
        "error": job.failure.message if job.failure else None,
    }


def result_of(job: Job) -> Result:
    """The result of a job, or the refusal that says why there is none."""
    if job.result is not None:
        return job.result
    failure = job.failure or Failure(409, "The text is still being read. Follow it at /api/jobs/ID/events.")
    raise Refusal(failure.status, failure.message)


def check_same_text(one: str, other: str) -> None:
    """Refuse to compare readings of different texts."""
    if one != other:
        raise Refusal(422, "These are readings of two different texts. Compare two models on the same text.")


async def _events(pool: Pool, job: Job) -> AsyncIterator[str]:
    told: dict[str, Any] | None = None
    silence = 0.0
    while True:
        status = status_of_job(job)
        if status != told:
            yield f"data: {json.dumps(status)}\n\n"
            told, silence = status, 0.0
        elif silence >= _SIGN_OF_LIFE:
            yield ": still there\n\n"
            silence = 0.0
        if status["state"] in ("done", "failed"):
            return
        pool.touch(job)
        await asyncio.sleep(_LOOK)
        silence += _LOOK


def _json(values: Mapping[str, Any]) -> Response:
    return Response(dump(values, indent=None), media_type="application/json")


def _page(page: str) -> Response:
    return Response(page, media_type=_KINDS["html"], headers={"Content-Security-Policy": framed_policy(page)})
