"""PDF -> its text: that of plain pages, line by line. Pages that are pictures have none."""

from __future__ import annotations

import io
import logging
import re

from petra.errors import TextError

_DIVIDED = re.compile(r"(?<=[^\W\d_])[-\u00ad]\n(?=[a-z])")  # "light-" at the end of a line, and "house"
_SPACES = re.compile(r"[ \t]+$", re.MULTILINE)


def extract_text(content: bytes, source: str, encoding: str | None) -> str:  # noqa: ARG001
    """The text of all pages; words that the end of a line divides are joined."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(logging.ERROR)  # it complains of every small fault
    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            raise TextError(f"{source} is protected by a password. Save it without one.")
        pages = [page.extract_text() for page in reader.pages]
    except PyPdfError as error:
        raise TextError(f"{source} cannot be read as PDF: {error}.") from None
    text = "\n".join(_SPACES.sub("", page).strip("\n") for page in pages)
    if not text.strip():
        raise TextError(f"{source} holds no text: its {len(pages)} pages are pictures. Recognise the text first (OCR).")
    return _DIVIDED.sub("", text) + "\n"
