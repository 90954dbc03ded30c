"""Corrections of what was found, over HTTP: the same as ``petra edit`` makes of a file."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from petra.errors import EditError
from petra.log.edits import Edit, Place, edits_lines, read_edits
from petra.people.edits import Editor
from petra.web.answers import API, Refusal
from petra.web.api import schemas
from petra.web.api.refusals import UNREAD, errors, file
from petra.web.api.routes import result_of
from petra.web.reading.pool import Pool
from petra.web.serving.limits import Limits

_WRONG = {**UNREAD, 422: "The correction does not fit the text or its people."}


def edit_routes(pool: Pool, limits: Limits) -> APIRouter:
    """The addresses below ``/api`` where results are corrected."""
    routes = APIRouter(prefix=API)

    @routes.get("/jobs/{job_id}/edits", response_model=schemas.EditsAnswer, responses=errors(UNREAD))
    def made(job_id: str) -> dict[str, Any]:
        """The corrections made so far."""
        job = pool.find(job_id)
        return _answer(job.editor(result_of(job)))

    @routes.post("/jobs/{job_id}/edits", response_model=schemas.EditsAnswer, responses=errors(_WRONG))
    def correct(job_id: str, ask: schemas.AskEdit) -> dict[str, Any]:
        """Make a correction. The people, the report and all other addresses of the result show it from now on."""

        def change(editor: Editor) -> None:
            _check_number(len(editor.edits) + 1)
            editor.do(_edit(editor, ask))

        job = pool.find(job_id)
        return _answer(job.correct(result_of(job), change))

    @routes.delete("/jobs/{job_id}/edits/last", response_model=schemas.EditsAnswer, responses=errors(_WRONG))
    def undo(job_id: str) -> dict[str, Any]:
        """Take the last correction back."""

        def change(editor: Editor) -> None:
            editor.undo()

        job = pool.find(job_id)
        return _answer(job.correct(result_of(job), change))

    @routes.get("/jobs/{job_id}/edits.jsonl", response_class=Response, responses=file("application/jsonl", UNREAD))
    def edits_file(job_id: str) -> Response:
        """The corrections as the file that `petra track --edits` applies to a new reading."""
        tracking = result_of(pool.find(job_id)).tracking
        lines = edits_lines(tracking.edits, source=tracking.source, characters=len(tracking.text))
        return Response(lines, media_type="application/jsonl")

    @routes.put("/jobs/{job_id}/edits.jsonl", response_model=schemas.EditsAnswer, responses=errors(_WRONG))
    async def replace_edits(job_id: str, request: Request) -> dict[str, Any]:
        """Apply such a file instead of the corrections made so far; what does not fit is told and left out."""
        job = pool.find(job_id)
        result = result_of(job)
        try:
            edits = read_edits((await request.body()).decode("utf-8-sig"), "the file")
        except UnicodeDecodeError:
            raise Refusal(422, "The file is not UTF-8; expected a file of edits.") from None
        _check_number(len(edits))
        return _answer(await run_in_threadpool(job.correct, result, lambda editor: editor.replace(edits)))

    def _check_number(number: int) -> None:
        if number > limits.max_edits:
            raise Refusal(422, f"This server keeps up to {limits.max_edits:,} corrections of a text.")

    return routes


def _edit(editor: Editor, ask: schemas.AskEdit) -> Edit:
    """The edit that a client asks for, in the text and the people as they are."""
    quotation = None if ask.quotation is None else editor.quotation_place(ask.quotation)
    return Edit(
        verb=ask.edit,
        people=tuple(_person(editor, each) for each in ask.people),
        person=None if ask.person is None else _person(editor, ask.person),
        mentions=tuple(map(editor.place, ask.mentions)),
        quotation=quotation,
        name=ask.name,
        kind=ask.kind,
    )


def _person(editor: Editor, whom: int | schemas.SpanOffsets) -> Place:
    if isinstance(whom, int):
        return editor.anchor(whom)
    for person in editor.people:
        if any((mention.start, mention.end) == whom for mention in person.mentions):
            return editor.anchor(person.id)
    raise EditError(f"Nobody is mentioned at {whom[0]}..{whom[1]}.")


def _answer(editor: Editor) -> dict[str, Any]:
    return {
        "edits": [{"edit": edit.verb, "words": str(edit)} for edit in editor.edits],
        "people": len(editor.people),
        "mentions": sum(len(person.mentions) for person in editor.people),
        "misfits": [str(misfit) for misfit in editor.state.misfits],
    }
