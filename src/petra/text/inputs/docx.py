"""DOCX -> its text: paragraphs and the cells of tables, in order. Notes, headers and comments are left out."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from petra.errors import TextError


def extract_text(content: bytes, source: str, encoding: str | None) -> str:  # noqa: ARG001
    """The text of a document; its XML says its encoding."""
    from docx import Document

    try:
        document = Document(io.BytesIO(content))
    except (KeyError, ValueError) as error:
        raise TextError(f"{source} is no whole DOCX: {error}. Save it again as .docx.") from None
    paragraphs = [text for text in _paragraphs(document) if text.strip()]
    return "\n\n".join(paragraphs) + ("\n" if paragraphs else "")


def _paragraphs(container: Any) -> Iterator[str]:
    from docx.table import Table

    for block in container.iter_inner_content():
        if isinstance(block, Table):
            seen: set[Any] = set()  # cells that were joined come once for each that they were
            for row in block.rows:
                for cell in row.cells:
                    if cell._tc not in seen:
                        seen.add(cell._tc)
                        yield from _paragraphs(cell)
        else:
            yield block.text
