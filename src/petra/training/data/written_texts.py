"""Texts written for training, in which every mention of a person is marked (``written/*.txt``).

They are everyday sentences, paragraphs of many registers, dialogue, singular they and
neopronouns, and share no six words in a row with the texts that models are measured on.
"""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from typing import Literal
from zlib import crc32

from petra.corpora.annotated import AnnotatedDocument
from petra.corpora.bracketed import read_bracketed

_HELD_OUT = 5  # one of so many
_TWIN = re.compile(r"(?<=\d)[a-z]$")  # texts that differ in a few words, "meaning-001a" and "-001b", are on one side


def written_documents(part: Literal["training", "held_out"]) -> tuple[AnnotatedDocument, ...]:
    """The texts to learn from, or those that training is scored on."""
    folder = Path(str(resources.files("petra.training.data"))) / "written"
    documents = (tagged.document for path in sorted(folder.glob("*.txt")) for tagged in read_bracketed(path))
    return tuple(document for document in documents if _is_held_out(document) == (part == "held_out"))


def _is_held_out(document: AnnotatedDocument) -> bool:
    return crc32(_TWIN.sub("", document.id).encode()) % _HELD_OUT == 0
