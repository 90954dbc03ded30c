"""The form that an annotator answers a document with, as it is shown and as it comes back."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, Literal, cast, get_args
from urllib.parse import parse_qs

from fastapi import Request

from petra.study.answers import Answer
from petra.study.design import Task
from petra.web.answers import Refusal

LONGEST_COMMENT: Final = 4000  # characters
_MOST_BYTES: Final = 64 * 1024  # of a form, more than the longest comment takes
_MOST_FIELDS: Final = 8
_MOST_VERSIONS: Final = 10**6
_MOST_SECONDS: Final = 24 * 60 * 60  # on one document
_NUMBER: Final = re.compile(r"[0-9]{1,10}")
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")  # which databases and pages do not take

Then = Literal["next", "back", "pause"]


@dataclass(frozen=True, slots=True)
class Draft:
    """What the form of a document holds."""

    choice: str | None  # None before any
    comment: str
    version: int  # of the answer that it would change; 0 if there is none
    opened: int | None = None  # when its page was first shown, in seconds since 1970; None if that is now
    seconds: int | None = None  # for which the page was looked at; None where no script counted them

    @property
    def spent(self) -> int | None:
        """The seconds spent on it until now: those counted or, without a script, those since it was shown."""
        if self.seconds is not None or self.opened is None:
            return self.seconds
        return min(max(0, int(time.time()) - self.opened), _MOST_SECONDS)

    @classmethod
    def of(cls, answer: Answer | None) -> Draft:
        """The form for an answer that stands, or for none."""
        return cls(None, "", 0) if answer is None else cls(answer.choice, answer.comment, answer.version)


@dataclass(frozen=True, slots=True)
class Form:
    """What an annotator sent."""

    draft: Draft
    then: Then  # where to go after it is saved


async def read_form(request: Request, task: Task) -> Form:
    """The form in a request about a task; what no page of ours would send is refused."""
    fields = parse_form(await _body(request))
    choice = fields.get("choice")
    if choice is not None and choice not in task.choices:
        raise _refused(f"The choice {choice!r:.40} is none of {', '.join(task.choices)}.")
    then, version = fields.get("then", "next"), fields.get("version", "")
    if then not in get_args(Then) or not re.fullmatch(r"[0-9]{1,7}", version) or int(version) > _MOST_VERSIONS:
        raise _refused("The form is not as this page makes it.")
    comment = fields.get("comment", "")
    if len(comment) > LONGEST_COMMENT:
        raise _refused(
            f"The comment has {len(comment):,} characters; at most {LONGEST_COMMENT:,} are kept. Shorten it."
        )
    opened, seconds = (_number(fields.get(name, "")) for name in ("opened", "seconds"))
    seconds = None if seconds is None else min(seconds, _MOST_SECONDS)
    return Form(Draft(choice, comment, int(version), opened, seconds), cast(Then, then))


def parse_form(body: bytes) -> dict[str, str]:
    """The fields of a form: the last value of each, lines ended by a newline, without control characters."""
    try:
        fields = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise _refused("The form has more fields than this page makes.") from None
    return {name: _CONTROL.sub("", values[-1].replace("\r\n", "\n")).strip() for name, values in fields.items()}


def _number(written: str) -> int | None:
    return int(written) if _NUMBER.fullmatch(written) else None


async def _body(request: Request) -> bytes:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise Refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "An answer is sent by the form of its page.")
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > _MOST_BYTES:
            raise Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The form is too large. Shorten the comment.")
    return bytes(body)


def _refused(words: str) -> Refusal:
    return Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, f"{words} Go back to the page and send it again.")
