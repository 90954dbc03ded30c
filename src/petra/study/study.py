"""A study: models, documents, and an annotator with a private link for each evaluation set."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from petra.errors import StudyError
from petra.study.design import Design, EvaluationSet, Task, deal_sets
from petra.study.guidance.consent import default_consent
from petra.study.guidance.instructions import paper_instructions

SCHEMA: Final = "petra.study/1"
_TOKEN_BYTES: Final = 24  # of a private link: nobody guesses 192 bits
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{20,}")


@dataclass(frozen=True, slots=True)
class StudyModel:
    """A model that is compared."""

    name: str
    cells: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Annotator:
    """Somebody who judges one evaluation set, known to the study by number and private token alone."""

    number: int  # from 1
    token: str  # the secret part of their link
    round: int
    tasks: tuple[Task, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Study:
    """Everything about a study but the memory logs and the answers."""

    id: str  # distinguishes studies that share a database
    title: str
    is_paper: bool  # whether documents, sets and cells are those of the paper's own study
    seed: int
    instructions: str
    consent: str = ""  # what annotators agree to by beginning; empty: nothing is shown
    is_pilot: bool = False  # a trial with documents of its own, whose answers are no results
    models: tuple[StudyModel, ...]
    documents: tuple[str, ...]  # names, for the report
    annotators: tuple[Annotator, ...]  # by number

    @property
    def num_tasks(self) -> int:
        """How many answers there are when everybody has finished."""
        return sum(len(annotator.tasks) for annotator in self.annotators)

    @property
    def outcomes(self) -> tuple[str, ...]:
        """What an answer can be for: a model, by name, or neither."""
        return (*(model.name for model in self.models), "Neutral")

    def annotator(self, token: str) -> Annotator | None:
        """Whose link has this token."""
        asked = token.encode()
        return next((each for each in self.annotators if secrets.compare_digest(each.token.encode(), asked)), None)


def make_study(
    *,
    models: Sequence[StudyModel],
    documents: Sequence[str],
    design: Design,
    title: str | None = None,
    instructions: str | None = None,
    consent: str | None = None,
    is_paper: bool = False,
    is_pilot: bool = False,
) -> Study:
    """A new study of documents that were drawn already, with links that nobody can guess."""
    if len({model.name for model in models}) < len(models):
        raise StudyError("Two of the models have the same name, so that no report could tell them apart. Rename one.")
    if len(documents) != design.num_documents:
        raise StudyError(f"The design is for {design.num_documents} documents, and there are {len(documents)}.")
    return Study(
        id=secrets.token_hex(8),
        title=title or "Which model tracks people better?",
        is_paper=is_paper,
        seed=design.seed,
        instructions=paper_instructions([model.cells for model in models]) if instructions is None else instructions,
        consent=default_consent() if consent is None else consent,
        is_pilot=is_pilot,
        models=tuple(models),
        documents=tuple(documents),
        annotators=tuple(_annotators(deal_sets(len(models), design))),
    )


def _annotators(sets: Sequence[EvaluationSet]) -> list[Annotator]:
    return [
        Annotator(number=number, token=secrets.token_urlsafe(_TOKEN_BYTES), round=each.round, tasks=each.tasks)
        for number, each in enumerate(sets, start=1)
    ]


def to_dict(study: Study) -> dict[str, Any]:
    """A study as plain values, for JSON."""
    return {
        "schema": SCHEMA,
        "id": study.id,
        "title": study.title,
        "is_paper": study.is_paper,
        "seed": study.seed,
        "instructions": study.instructions,
        "consent": study.consent,
        "is_pilot": study.is_pilot,
        "models": [{"name": model.name, "cells": model.cells} for model in study.models],
        "documents": list(study.documents),
        "annotators": [
            {
                "number": annotator.number,
                "token": annotator.token,
                "round": annotator.round,
                "tasks": [{"document": task.document, "order": list(task.order)} for task in annotator.tasks],
            }
            for annotator in study.annotators
        ],
    }


def from_dict(values: Mapping[str, Any]) -> Study:
    """The study in plain values; those that are no study raise KeyError, TypeError or ValueError."""
    study = Study(
        id=str(values["id"]),
        title=str(values["title"]),
        is_paper=bool(values["is_paper"]),
        seed=int(values["seed"]),
        instructions=str(values["instructions"]),
        consent=str(values.get("consent", "")),
        is_pilot=bool(values.get("is_pilot", False)),
        models=tuple(StudyModel(str(model["name"]), int(model["cells"])) for model in values["models"]),
        documents=tuple(map(str, values["documents"])),
        annotators=tuple(_annotator(each) for each in values["annotators"]),
    )
    models, documents = set(range(len(study.models))), range(len(study.documents))
    for number, annotator in enumerate(study.annotators, start=1):
        if annotator.number != number or not _TOKEN.fullmatch(annotator.token):
            raise ValueError(f"annotator {number} has the number {annotator.number} or an unsafe token")
        if any(task.document not in documents or set(task.order) != models for task in annotator.tasks):
            raise ValueError(f"a task of annotator {number} is of a document or model that the study does not have")
    return study


def _annotator(values: Mapping[str, Any]) -> Annotator:
    tasks = (Task(int(task["document"]), tuple(map(int, task["order"]))) for task in values["tasks"])
    return Annotator(
        number=int(values["number"]), token=str(values["token"]), round=int(values["round"]), tasks=tuple(tasks)
    )
