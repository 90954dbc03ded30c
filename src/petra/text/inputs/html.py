"""HTML -> its text: paragraphs apart by an empty line, what is not shown left out."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator

from petra.errors import TextError
from petra.text.inputs.encodings import decode_any


def _listed(names: str) -> frozenset[str]:
    return frozenset(names.split())


_HIDDEN = _listed("head script style template noscript svg math object iframe audio video canvas select rt rp")
_PARAGRAPHS = _listed("""
    address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer
    form h1 h2 h3 h4 h5 h6 header hgroup hr legend main nav ol p pre section summary table ul
    """)
_LINES = frozenset(("br", "li", "tr", "option"))
_CELLS = frozenset(("td", "th"))
_SPACE = re.compile(r"[ \t\n\r\f]+")  # the white space of HTML; a no-break space is none


def extract_text(content: bytes, source: str, encoding: str | None) -> str:
    """The text of a page."""
    from bs4 import BeautifulSoup
    from bs4.exceptions import ParserRejectedMarkup

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # XHTML, which HTML's parser reads as well
            page = BeautifulSoup(decode_any(content, source, encoding)[0] if encoding else content, "lxml")
    except ParserRejectedMarkup as error:
        raise TextError(f"{source} cannot be read as HTML: {error}.") from None
    writer = TextWriter()
    for event, value in _events(page):
        if event == "text":
            writer.write(value)
        elif event == "pre":
            writer.write(value, as_it_is=True)
        elif value in _PARAGRAPHS:
            writer.end_paragraph()
        elif value in _LINES:
            writer.end_line()
        elif value in _CELLS:
            writer.write(" ")
    return writer.text()


class TextWriter:
    """Puts text together: one space between words, one empty line between paragraphs."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._gap = ""  # to be written before the next word

    def write(self, words: str, *, as_it_is: bool = False) -> None:
        """Add words; their white space becomes single spaces unless it is to stay."""
        if as_it_is:
            self._add(words)
            return
        spaced = _SPACE.sub(" ", words)
        if spaced.startswith(" "):
            self._gap = self._gap or " "
        if spaced.strip(" "):
            self._add(spaced.strip(" "))
            self._gap = " " if spaced.endswith(" ") else ""

    def end_line(self) -> None:
        """Begin a new line."""
        self._gap = "\n\n" if self._gap == "\n\n" else "\n"

    def end_paragraph(self) -> None:
        """Begin a new paragraph."""
        self._gap = "\n\n"

    def text(self) -> str:
        """All that was written, with a line end."""
        return "".join(self._parts) + ("\n" if self._parts else "")

    def _add(self, words: str) -> None:
        if self._parts:
            self._parts.append(self._gap)
        self._parts.append(words)
        self._gap = ""


def _events(page: object) -> Iterator[tuple[str, str]]:
    """The text of a page, and the names of tags where they open and close, in order."""
    from bs4 import NavigableString, Tag
    from bs4.element import PreformattedString

    stack: list[tuple[object, bool]] = [(page, False)]  # with whether white space stays as it is
    while stack:
        node, kept = stack.pop()
        if isinstance(node, str) and not isinstance(node, NavigableString):
            yield "tag", node  # the end of a tag
        elif isinstance(node, NavigableString):
            if not isinstance(node, PreformattedString):  # comments and declarations
                yield ("pre" if kept else "text"), str(node)
        elif isinstance(node, Tag) and node.name not in _HIDDEN and not node.has_attr("hidden"):
            yield "tag", node.name
            stack.append((str(node.name), kept))
            stack += ((child, kept or node.name == "pre") for child in reversed(node.contents))
