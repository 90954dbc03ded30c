"""Any file that PeTra can read -> its text. Offsets count characters of that text.

What a file is, is told by the ending of its name, and for PDF, EPUB and DOCX by how it begins. Everything else is plain
text. The same file always gives the same text. The libraries come with the extra ``inputs``.
"""

from __future__ import annotations

import importlib
import io
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from petra.errors import TextError
from petra.text.inputs.encodings import decode_any, encoding_name
from petra.text.source import read_bytes

InputForm = Literal["text", "html", "markdown", "epub", "docx", "pdf"]

_ENDINGS: dict[str, InputForm] = {
    **dict.fromkeys((".html", ".htm", ".xhtml"), "html"),
    **dict.fromkeys((".md", ".markdown"), "markdown"),
    **{".epub": "epub", ".docx": "docx", ".pdf": "pdf"},
}


@dataclass(frozen=True, slots=True)
class InputText:
    """The text of a file."""

    text: str
    form: InputForm
    encoding: str | None = None  # that had to be guessed


def read_input(path: Path, encoding: str | None = None) -> InputText:
    """The text of a file, or of standard input for ``-``.

    With an encoding, the file is read in it. Otherwise plain text is UTF-8 or, if it is not,
    in the encoding that it seems to have; HTML and XML say theirs.
    """
    if encoding is not None:
        encoding = encoding_name(encoding)
    if str(path) == "-":
        return input_text(sys.stdin.buffer.read(), "standard input", encoding=encoding)
    return input_text(read_bytes(path), str(path), encoding=encoding)


def input_text(content: bytes, source: str, *, encoding: str | None = None) -> InputText:
    """The text in the bytes of a file; source is its name."""
    form = form_of(content, source)
    if form == "text":
        text, guessed = decode_any(content, source, encoding)
        return InputText(text, form, guessed)
    extract = _extractor(form)
    try:
        return InputText(extract(content, source, encoding), form)
    except ImportError as error:
        raise TextError(
            f"{source} is {form.upper() if form != 'markdown' else 'Markdown'}, and reading it needs {error.name}. "
            "Install it with: pip install 'petra[inputs]'"
        ) from None


def form_of(content: bytes, source: str) -> InputForm:
    """What a file is, by how it begins or else by its name."""
    if content.startswith(b"%PDF-"):
        return "pdf"
    if content.startswith(b"PK\x03\x04"):
        return _form_of_zip(content, source)
    found = _ENDINGS.get(Path(source).suffix.lower(), "text")
    if found in ("epub", "docx", "pdf") and content:
        raise TextError(f"{source} is named like a file of {found.upper()}, and is none. Check that it is whole.")
    return found if content else "text"


def _form_of_zip(content: bytes, source: str) -> InputForm:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = set(archive.namelist())
    except zipfile.BadZipFile:
        raise TextError(f"{source} is a damaged archive: it cannot be unpacked. Fetch it again.") from None
    if "META-INF/container.xml" in names:
        return "epub"
    if "word/document.xml" in names:
        return "docx"
    raise TextError(
        f"{source} is an archive, and neither EPUB nor DOCX. Unpack it and give the texts in it; "
        "of a memory log, petra show and petra export make use."
    )


def _extractor(form: InputForm) -> Callable[[bytes, str, str | None], str]:
    module = importlib.import_module(f"petra.text.inputs.{form}")
    extract: Callable[[bytes, str, str | None], str] = module.extract_text
    return extract
