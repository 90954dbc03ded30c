"""Markdown -> its text, as a reader sees it: no marks, no addresses of links."""

from __future__ import annotations

import re

from petra.text.inputs import html
from petra.text.inputs.encodings import decode_any

_FRONT_MATTER = re.compile(r"\A---\r?\n.*?\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)


def extract_text(content: bytes, source: str, encoding: str | None) -> str:
    """The text of a file in CommonMark, with tables; metadata at its head is left out."""
    from markdown_it import MarkdownIt

    written, _ = decode_any(content, source, encoding)
    page = MarkdownIt("commonmark").enable("table").render(_FRONT_MATTER.sub("", written))
    return html.extract_text(page.encode(), source, "utf-8")
