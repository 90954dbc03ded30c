"""The folder of a study: ``study.json`` and the memory logs of each document.

Serving and reporting need nothing else, and no model. The file holds the annotators'
private links and says which model is A: the folder is for its owner alone.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from petra.errors import StudyError
from petra.log import storage
from petra.log.memory_log import MemoryLog
from petra.runtime.files import write_atomically
from petra.study.study import SCHEMA, Study, from_dict, to_dict

_FILE: Final = "study.json"
_MAKE: Final = "Make one with: petra study new --model A --model B"


def check_place(folder: Path) -> None:
    """Refuse a place that holds something already: answers may belong to it."""
    if (folder / _FILE).exists():
        raise StudyError(f"{folder} holds a study already. Choose another folder, or remove that one.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise StudyError(f"{folder} is not an empty folder. Choose another place for the study.")


def write_study(folder: Path, study: Study, logs: Iterable[Sequence[MemoryLog]]) -> None:
    """Write a study's folder, whole or not at all; logs come by document, and for each by model."""
    check_place(folder)
    place = folder.resolve()
    place.parent.mkdir(parents=True, exist_ok=True)
    # Made by mkdtemp, a folder is for its owner alone, and stays so under its new name.
    temporary = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
    try:
        for document, of_document in enumerate(logs):
            for model, log in enumerate(of_document):
                storage.save(log, _log_file(temporary, document, model))
        content = json.dumps(to_dict(study), ensure_ascii=False, indent=2)
        write_atomically(temporary / _FILE, (content + "\n").encode("utf-8", "backslashreplace"))
        if place.exists():
            place.rmdir()
        temporary.rename(place)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def read_study(folder: Path) -> Study:
    """The study in a folder."""
    try:
        values = json.loads((folder / _FILE).read_text(encoding="utf-8"))
        if values["schema"] == SCHEMA:
            return from_dict(values)
    except FileNotFoundError:
        raise StudyError(f"No study at {folder}. {_MAKE} {folder}") from None
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise StudyError(f"{folder / _FILE} cannot be read as a study ({error!r}). {_MAKE} ...") from None
    raise StudyError(f"{folder / _FILE} is of the format {values['schema']}; this version of PeTra reads {SCHEMA}.")


def read_logs(folder: Path, study: Study, document: int) -> list[MemoryLog]:
    """The memory logs of a document, by model."""
    return [storage.load(_log_file(folder, document, model)) for model in range(len(study.models))]


def _log_file(folder: Path, document: int, model: int) -> Path:
    return folder / "logs" / f"{document + 1:03d}-{model + 1}.log"
