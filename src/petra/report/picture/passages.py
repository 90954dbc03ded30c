"""A passage of a text, chosen by characters or by words."""

from __future__ import annotations

import re

from petra.errors import ConfigError


def find_passage(text: str, first: str | None, last: str | None) -> tuple[int, int]:
    """The half-open character range of a passage; without a beginning or end, the text's own.

    Either is a character offset or words of the text. The passage begins with the first
    place of the words ``first`` and ends with the next place of the words ``last``.
    """
    start = 0 if first is None else _place(text, first, 0)[0]
    end = len(text) if last is None else _place(text, last, start)[1]
    if text and start >= end:
        raise ConfigError(
            f"The passage from {start} to {end} is empty; the text has {len(text):,} characters, counted from 0. "
            "Let it begin before it ends."
        )
    return start, end


def _place(text: str, wanted: str, after: int) -> tuple[int, int]:
    if wanted.isascii() and wanted.isdigit():
        offset = min(int(wanted), len(text))
        return offset, offset
    # Words may stand on two lines of the text.
    pattern = r"\s+".join(map(re.escape, wanted.split()))
    found = re.compile(rf"(?<!\w){pattern}(?!\w)").search(text, after) or re.compile(pattern).search(text, after)
    if not wanted.strip() or found is None:
        where = f"after character {after:,}" if after else "in the text"
        raise ConfigError(f"{wanted!r} does not stand {where}. Give words as the text has them, or a character offset.")
    return found.span()
