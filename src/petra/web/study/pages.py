"""The pages of a study as HTML: an annotator's first page, a worked example, and one page for each document."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from markupsafe import Markup

from petra.log.memory_log import MemoryLog
from petra.report.picture.captions import key
from petra.report.picture.heatmap_page import heatmap_tables
from petra.study.answers import Answer
from petra.study.design import LABELS, NEUTRAL, Task
from petra.study.guidance.example import EXAMPLE_REMARKS, EXAMPLE_TEXT, example_logs
from petra.study.guidance.instructions import blocks
from petra.study.study import Annotator, Study
from petra.study.views import task_panels
from petra.web.pages import show
from petra.web.study.forms import LONGEST_COMMENT, Draft

_STYLES: Final = ("log.css", "study.css")


class TaskLogs(NamedTuple):
    """What is shown of a document."""

    text: str
    panels: list[Markup]  # of the models, in the order of the task


def address_of(annotator: Annotator, place: int | None = None) -> str:
    """The path of an annotator's first page, or of a document of theirs, by place from 1."""
    return f"/a/{annotator.token}" if place is None else f"/a/{annotator.token}/{place}"


def name_of(choice: str) -> str:
    """What a choice is called."""
    return "Neutral" if choice == NEUTRAL else f"Model {choice}"


def closed_page(study: Study, message: str) -> Markup:
    """A page of the study that belongs to nobody."""
    return show("study_closed.html", title=study.title, styles=_STYLES, message=message)


def home_page(study: Study, annotator: Annotator, answers: Mapping[int, Answer]) -> Markup:
    """Where an annotator begins, goes on and ends: instructions, and how far they are."""
    whole = len(annotator.tasks)
    places = [place for place in range(whole) if place not in answers]
    example = f"{address_of(annotator)}/example"
    if not places:
        state = f"All {whole} documents are answered. Thank you! You can still look at your answers and change them."
        button, target = "Look at the first document", address_of(annotator, 1)
    elif len(places) == whole:
        state = f"There are {whole} documents. You can stop at any time, and go on later with the same link."
        button, target = "Begin", example
    else:
        state = f"{whole - len(places)} of {whole} documents answered; your answers are saved."
        button, target = f"Continue with document {places[0] + 1}", address_of(annotator, places[0] + 1)
    return show(
        "study_home.html",
        title=study.title,
        styles=_STYLES,
        state=state,
        button=button,
        target=target,
        example=example,
        answered=whole - len(places),
        whole=whole,
        is_pilot=study.is_pilot,
        consent=list(blocks(study.consent)) if study.consent else [],
        guide=list(blocks(study.instructions)),
        documents=[
            (address_of(annotator, place + 1), name_of(answers[place].choice) if place in answers else "")
            for place in range(whole)
        ],
    )


def document_page(
    study: Study,
    annotator: Annotator,
    place: int,
    logs: TaskLogs,
    draft: Draft,
    answered: int | None,
    problem: str = "",
) -> Markup:
    """One document, by place from 1: its text and logs, and the form to answer with.

    ``answered`` is how many documents are answered; None where that is not known.
    """
    task, whole = annotator.tasks[place - 1], len(annotator.tasks)
    return show(
        "study_document.html",
        title=f"Document {place} of {whole}",
        styles=_STYLES,
        scripts=("study.js",),
        study=study.title,
        home=address_of(annotator),
        action=address_of(annotator, place),
        place=place,
        whole=whole,
        answered=answered,
        guide=list(blocks(study.instructions)),
        text=logs.text,
        panels=logs.panels,
        labels=LABELS,
        key=key(),
        problem=problem,
        choices=[(choice, name_of(choice), choice[0].upper()) for choice in task.choices],
        draft=draft,
        opened=int(time.time()) if draft.opened is None else draft.opened,
        seconds="" if draft.seconds is None else draft.seconds,
        longest=LONGEST_COMMENT,
    )


def example_page(study: Study, annotator: Annotator, answers: Mapping[int, Answer]) -> Markup:
    """A document with two logs of which it is said how they compare."""
    logs = logs_of(example_logs(), Task(0, (0, 1)))
    unanswered = [place for place in range(1, len(annotator.tasks) + 1) if place - 1 not in answers]
    return show(
        "study_example.html",
        title="A worked example",
        styles=_STYLES,
        study=study.title,
        home=address_of(annotator),
        guide=list(blocks(study.instructions)),
        text=EXAMPLE_TEXT,
        panels=logs.panels,
        labels=LABELS,
        key=key(),
        remarks=EXAMPLE_REMARKS,
        target=address_of(annotator, unanswered[0] if unanswered else 1),
        button=f"To document {unanswered[0] if unanswered else 1}",
    )


def logs_of(logs: Sequence[MemoryLog], task: Task) -> TaskLogs:
    """The text of a document and the logs of its models, as a task orders them."""
    return TaskLogs(logs[0].text, [heatmap_tables(panel) for panel in task_panels(logs, task)])
