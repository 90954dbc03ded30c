"""Names of texts and people as formats with few characters allow them."""

from __future__ import annotations

import re
from pathlib import PurePath

_ODD = re.compile(r"[^\w.-]+")


def document_id(source: str | None) -> str:
    """A name for a text, without spaces and marks."""
    stem = PurePath(source).stem if source else ""
    return _ODD.sub("_", stem).strip("_") or "text"


def one_word(name: str) -> str:
    """A name without white space."""
    return "_".join(name.split()) or "-"


def one_line(words: str) -> str:
    """Words with single spaces between them."""
    return " ".join(words.split())
