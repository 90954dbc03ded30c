"""The documents of a study: texts of GAP by id or split, and files of the user's own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from petra.corpora.gap import Split, read_gap
from petra.corpora.places import data_folder
from petra.errors import StudyError
from petra.text.source import read_text

PAPER_SPLIT: Final = "gap-validation"  # where the paper draws its documents
_SPLITS: Final = "development|validation|test"


@dataclass(frozen=True, slots=True)
class StudyText:
    """A text and what the report calls it."""

    name: str
    text: str


def find_texts(names: Sequence[str], data: Path | None) -> list[StudyText]:
    """The texts of that name, each once: a file, an id of GAP (validation-17), or a split of it (gap-validation).

    ``data`` is the folder of corpora; if None, the one that PETRA_DATA names.
    """
    found = {text.name: text for name in names for text in _texts_of(name, data)}
    for text in found.values():
        if not text.text.strip():
            raise StudyError(f"The document {text.name} has no words. Leave it out.")
    return list(found.values())


def _texts_of(name: str, data: Path | None) -> Iterator[StudyText]:
    if Path(name).is_file():
        yield StudyText(name, read_text(Path(name)))
    elif split := re.fullmatch(f"gap-({_SPLITS})", name):
        yield from _gap_texts(split[1], data)
    elif split := re.fullmatch(rf"({_SPLITS})-\d+", name):
        matching = [text for text in _gap_texts(split[1], data) if text.name == name]
        if not matching:
            raise StudyError(f"The {split[1]} split of GAP has no text with the id {name}. Check the number.")
        yield from matching
    else:
        raise StudyError(
            f"There is no document {name!r}. Give a text file, an id of GAP such as validation-17, "
            f"or a split of it such as {PAPER_SPLIT}."
        )


def _gap_texts(split: str, data: Path | None) -> list[StudyText]:
    instances = read_gap(data_folder(data), cast(Split, split))
    return [StudyText(instance.id, instance.text) for instance in instances]
