"""The report of a study: tables, figures and every answer, as files and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from petra.publication.documents import Block, Heading, Paragraph, Picture, as_html, as_markdown
from petra.publication.tables import Table, to_csv
from petra.runtime.files import write_atomically
from petra.study.results import tables
from petra.study.results.analysis import CONFIDENCE, Analysis, Interval
from petra.study.study import Study

SCHEMA: Final = "petra.study-report/1"
STUDY_TABLES: Final = (
    tables.preference_table,
    tables.difference_table,
    tables.agreement_summary,
    tables.agreement_table,
    tables.document_table,
    tables.progress_table,
)
_FIGURE_OF: Final = {"preferences": "preferences", "differences": "leads", "agreement-matrix": "agreement"}  # by table


def draws_pictures() -> bool:
    """Whether figures can be drawn here."""
    return find_spec("matplotlib") is not None


def write_report(out: Path, study: Study, analysis: Analysis) -> None:
    """Write the report and what it is made of into a folder; without Matplotlib there are no figures."""
    pictures: dict[str, Picture] = {}
    if draws_pictures():
        from petra.publication.figures import FIGURE_FORMS, figure_file
        from petra.study.results.figures import STUDY_FIGURES, draw

        for name, (words, _) in STUDY_FIGURES.items():
            figure = draw(name, study, analysis)
            for form in FIGURE_FORMS:
                write_atomically(out / f"{name}.{form}", figure_file(figure, form))
            pictures[name] = Picture(f"{name}.svg", words, figure_file(figure, "svg"))
    blocks = _blocks(study, analysis, pictures)
    for table in (block for block in blocks if isinstance(block, Table)):
        write_atomically(out / f"{table.name}.csv", table.to_csv().encode())
    write_atomically(out / "answers.csv", to_csv(tables.answer_rows(study, analysis)).encode())
    report = json.dumps(report_json(study, analysis), ensure_ascii=False, indent=2)
    write_atomically(out / "report.json", f"{report}\n".encode())
    write_atomically(out / "report.md", as_markdown(blocks).encode())
    write_atomically(out / "report.html", as_html(blocks).encode())


def report_json(study: Study, analysis: Analysis) -> dict[str, Any]:
    """The report as plain values of the schema ``petra.study-report/1``; no private link is among them."""
    return {
        "schema": SCHEMA,
        "study": study.id,
        "title": study.title,
        "is_pilot": study.is_pilot,
        "models": [{"name": model.name, "cells": model.cells} for model in study.models],
        "documents": len(study.documents),
        "annotators": len(study.annotators),
        "answers": len(analysis.judgements),
        "answers_expected": study.num_tasks,
        "confidence": CONFIDENCE,
        "preferences": [
            {"preferred": name, "answers": each.count, "percent": _interval(each.percent)}
            for each, name in zip(analysis.preferences, study.outcomes, strict=True)
        ],
        "differences": [
            {"model": study.outcomes[it.model], "over": study.outcomes[it.other], "points": _interval(it.points)}
            for it in analysis.differences
        ],
        "agreement": {
            "outcomes": list(study.outcomes),
            "matrix": analysis.agreement.tolist(),
            "compared": analysis.num_compared,
            "agreeing": analysis.num_agreeing,
        },
        "judgements": [
            {
                "annotator": each.annotator,
                "round": each.round + 1,
                "document": study.documents[each.document],
                "choice": each.answer.choice,
                "preferred": study.outcomes[each.outcome],
                "comment": each.answer.comment,
                "version": each.answer.version,
                "answered_at": each.answer.answered_at.isoformat(),
                "seconds": each.answer.seconds,
            }
            for each in analysis.judgements
        ],
    }


def _blocks(study: Study, analysis: Analysis, pictures: Mapping[str, Picture]) -> list[Block]:
    names = " and ".join(model.name for model in study.models)
    models = ", ".join(f"{model.name} ({model.cells} cells)" for model in study.models)
    blocks: list[Block] = [
        Heading(1, f"{'Pilot of a human' if study.is_pilot else 'Human'} evaluation: {names}"),
        Paragraph(
            f"Compared: {models}. {len(study.documents)} documents, {len(study.annotators)} annotators; "
            f"{len(analysis.judgements)} of {study.num_tasks} answers are given."
        ),
    ]
    for make in STUDY_TABLES:
        table = make(study, analysis)
        blocks += [Heading(2, table.title), table]
        if (picture := pictures.get(_FIGURE_OF.get(table.name, ""))) is not None:
            blocks.append(picture)
    return blocks


def _interval(interval: Interval | None) -> dict[str, float] | None:
    if interval is None:
        return None
    return {"value": round(interval.value, 2), "low": round(interval.low, 2), "high": round(interval.high, 2)}
