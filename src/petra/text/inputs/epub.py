"""EPUB -> its text: the documents of the book in reading order.

An EPUB is a zip of XHTML. ``META-INF/container.xml`` names the package file, whose spine lists the documents. The table
of contents is left out where the package says which document it is.
"""

from __future__ import annotations

import io
import posixpath
import zipfile
from urllib.parse import unquote

from petra.errors import TextError
from petra.text.inputs import html

_CONTAINER = "META-INF/container.xml"


def extract_text(content: bytes, source: str, encoding: str | None) -> str:
    """The text of a book."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        try:
            texts = [html.extract_text(archive.read(name), source, encoding) for name in _documents(archive)]
        except (KeyError, zipfile.BadZipFile, RuntimeError) as error:
            raise TextError(
                f"{source} is no whole EPUB: {error}. Fetch it again; protected books cannot be read."
            ) from None
    return "\n".join(text for text in texts if text)


def _documents(archive: zipfile.ZipFile) -> list[str]:
    """The documents of a book in the order of its spine."""
    from bs4 import BeautifulSoup

    container = BeautifulSoup(archive.read(_CONTAINER), "xml")
    rootfile = container.find("rootfile")
    if rootfile is None:
        raise KeyError(f"{_CONTAINER} names no package")
    package_name = str(rootfile["full-path"])
    package = BeautifulSoup(archive.read(package_name), "xml")
    items = {str(item["id"]): item for item in package.find_all("item")}
    folder = posixpath.dirname(package_name)
    found = []
    for reference in package.find_all("itemref"):
        item = items.get(str(reference["idref"]))
        if item is None or reference.get("linear") == "no" or "nav" in str(item.get("properties", "")).split():
            continue
        if "html" in str(item.get("media-type", "html")):
            found.append(posixpath.normpath(posixpath.join(folder, unquote(str(item["href"])))))
    return found
