"""What an address of the API may answer besides JSON of its own, for its description."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from petra.web.api.schemas import ErrorAnswer

_FOREIGN = {403: "The request was made by a page of another site."}
REFUSALS = {
    400: "The body cannot be read: it is nested too deeply, or a number in it has too many digits.",
    **_FOREIGN,
    408: "The request did not arrive in time.",
    413: "The text is too long.",
    422: "The request is not as described, or the model cannot read with these settings.",
    429: "Too many texts of one client at once; `Retry-After` says when to try again.",
    503: "The server is busy, or reading took too long.",
}
GONE = {404: "No such result, or not any more.", 422: "The request is not as described."}
UNREAD = {**GONE, 409: "The text is still being read."}
REMOVED = {**_FOREIGN, **GONE}


def errors(statuses: Mapping[int, str]) -> dict[int | str, dict[str, Any]]:
    """The description of refusals."""
    return {status: {"model": ErrorAnswer, "description": words} for status, words in statuses.items()}


def file(kind: str, statuses: Mapping[int, str]) -> dict[int | str, dict[str, Any]]:
    """The description of an answer that is a file, with its refusals."""
    return {200: {"content": {kind: {}}, "description": "The file."}, **errors(statuses)}
