"""A new study made: documents drawn, read by every model, and written with their logs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from petra.evaluation.runs import ReadingModel
from petra.log.memory_log import MemoryLog
from petra.study.design import PILOT, Design, draw_documents, draw_pilot
from petra.study.documents import StudyText
from petra.study.storage import check_place, write_study
from petra.study.study import Study, StudyModel, make_study
from petra.study.views import check_length

PAPER_MODELS: Final = ("paper-petra-8", "paper-reader-8")  # the best runs of PeTra and the Referential Reader, 8 cells


def create_study(
    folder: Path,
    *,
    readers: Iterable[ReadingModel],
    texts: Sequence[StudyText],
    design: Design,
    cells: int | None = None,
    names: Sequence[str] | None = None,
    title: str | None = None,
    instructions: str | None = None,
    consent: str | None = None,
    is_paper: bool = False,
    is_pilot: bool = False,
) -> Study:
    """Make a study in a new folder.

    Readers are taken one after the other, so that only one model need be in memory.
    ``names`` are the models' names in the report, their own if not given. A pilot of a design has a
    few documents that the study itself does not have.
    """
    check_place(folder)
    draw = draw_pilot if is_pilot else draw_documents
    drawn = [texts[number] for number in draw(len(texts), design)]
    design = replace(PILOT, seed=design.seed) if is_pilot else design
    models: list[StudyModel] = []
    by_model: list[list[MemoryLog]] = []
    for reader in readers:
        logs = list(reader.logs([text.text for text in drawn], cells=cells))
        by_model.append(logs)
        models.append(StudyModel(reader.name, logs[0].num_cells))
    if names is not None:
        models = [replace(model, name=name) for model, name in zip(models, names, strict=True)]
    study = make_study(
        models=models,
        documents=[text.name for text in drawn],
        design=design,
        title=title,
        instructions=instructions,
        consent=consent,
        is_paper=is_paper and not is_pilot,
        is_pilot=is_pilot,
    )
    by_document = list(zip(*by_model, strict=True))
    for text, logs_of_text in zip(drawn, by_document, strict=True):
        check_length(text, logs_of_text)
    write_study(folder, study, by_document)
    return study
