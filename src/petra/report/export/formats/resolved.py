"""The text with names for pronouns, as ``petra resolve`` writes it."""

from __future__ import annotations

from petra.people.resolving import resolve
from petra.report.export.format import Format

FORMAT = Format(
    about="the text with names for pronouns",
    files=lambda tracked, _: {".txt": resolve(tracked.text, tracked.people)},
)
