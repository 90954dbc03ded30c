"""The pages of a study as HTML: an annotator's first page, and one for each document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from petra.log.memory_log import MemoryLog
from petra.report.picture.captions import key
from petra.report.picture.heatmap_page import heatmap_tables
from petra.study.answers import Answer
from petra.study.design import LABELS, NEUTRAL, Task
from petra.study.instructions import blocks
from petra.study.study import Annotator, Study
from petra.study.views import task_panels
from petra.web.pages import Markup, fragment, joined, show
from petra.web.study_forms import LONGEST_COMMENT, Draft


def address_of(annotator: Annotator, place: int | None = None) -> str:
    """The path of an annotator's first page, or of a document of theirs, by place from 1."""
    return f"/a/{annotator.token}" if place is None else f"/a/{annotator.token}/{place}"


def name_of(choice: str) -> str:
    """What a choice is called."""
    return "Neutral" if choice == NEUTRAL else f"Model {choice}"


def home_page(study: Study, annotator: Annotator, answers: Mapping[int, Answer]) -> Markup:
    """Where an annotator begins, goes on and ends: instructions, and how far they are."""
    whole = len(annotator.tasks)
    places = [place for place in range(whole) if place not in answers]
    if not places:
        state = f"All {whole} documents are answered. Thank you! You can still look at your answers and change them."
        button, target = "Look at the first document", 1
    elif len(places) == whole:
        state = f"There are {whole} documents. You can stop at any time, and go on later with the same link."
        button, target = "Begin", 1
    else:
        state = f"{whole - len(places)} of {whole} documents answered; your answers are saved."
        button, target = f"Continue with document {places[0] + 1}", places[0] + 1
    return show(
        "study-home.html",
        title=study.title,
        state=state,
        button=button,
        target=address_of(annotator, target),
        documents=_document_list(annotator, answers),
        pilot=Markup(
            '<p class="state">This is a trial: your answers are no part of the results. Say in the comments what '
            "was unclear.</p>"
        )
        if study.is_pilot
        else "",
        consent=fragment("study-consent.html", consent=instructions_html(study.consent)) if study.consent else "",
        instructions=instructions_html(study.instructions),
    )


def document_page(
    study: Study, annotator: Annotator, place: int, logs: Markup, draft: Draft, problem: str = ""
) -> Markup:
    """One document, by place from 1: its text and logs, and the form to answer with."""
    task, whole = annotator.tasks[place - 1], len(annotator.tasks)
    return show(
        "study-document.html",
        title=f"Document {place} of {whole}",
        study=study.title,
        home=address_of(annotator),
        action=address_of(annotator, place),
        place=place,
        whole=whole,
        instructions=instructions_html(study.instructions),
        logs=logs,
        problem=fragment("study-problem.html", problem=problem) if problem else "",
        choices=joined(*(_radio(choice, draft) for choice in task.choices)),
        comment=draft.comment,
        longest=LONGEST_COMMENT,
        version=draft.version,
        back=Markup('<button name="then" value="back" formnovalidate>Back</button>') if place > 1 else "",
        go_on="Save and go on" if place < whole else "Save and finish",
        saved="Your answer is saved; you can change it." if draft.version else "",
    )


def logs_of(logs: Sequence[MemoryLog], task: Task) -> Markup:
    """The text of a document and the logs of its models, as a task orders them."""
    boxes = [
        fragment("study-log.html", label=f"Model {label}", tables=Markup(heatmap_tables(panel)))
        for label, panel in zip(LABELS, task_panels(logs, task), strict=False)
    ]
    return fragment("study-logs.html", text=logs[0].text, boxes=joined(*boxes), key=key())


def instructions_html(instructions: str) -> Markup:
    """Instructions as paragraphs and lists."""
    parts: list[Markup] = []
    for block in blocks(instructions):
        if isinstance(block, str):
            parts.append(joined(Markup("<p>"), block, Markup("</p>"), separator=""))
        else:
            items = (joined(Markup("<li>"), item, Markup("</li>"), separator="") for item in block)
            parts.append(joined(Markup("<ul>"), *items, Markup("</ul>")))
    return joined(*parts)


def _document_list(annotator: Annotator, answers: Mapping[int, Answer]) -> Markup:
    items = (
        fragment(
            "study-item.html",
            target=address_of(annotator, place + 1),
            number=place + 1,
            state=name_of(answers[place].choice) if place in answers else "not answered",
        )
        for place in range(len(annotator.tasks))
    )
    return joined(*items)


def _radio(choice: str, draft: Draft) -> Markup:
    checked = Markup(" checked") if choice == draft.choice else ""
    return fragment("study-choice.html", value=choice, label=name_of(choice), checked=checked)
