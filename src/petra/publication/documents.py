"""A document of headings, paragraphs, lists, tables and pictures, as Markdown and as HTML."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from markupsafe import Markup

from petra.publication.tables import Table
from petra.report.templating import Templates, asset

_ROOM: Final = "petra.publication"
_TEMPLATES: Final = Templates(_ROOM)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the document's title."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some sentences."""

    text: str


@dataclass(frozen=True, slots=True)
class Item:
    """An entry of a list: a few words that lead, and the rest."""

    lead: str
    text: str


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list."""

    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure that is also a file beside the document."""

    path: str
    words: str  # for those who do not see it
    svg: bytes

    @property
    def data(self) -> str:
        """The picture as a URL that holds it."""
        return f"data:image/svg+xml;base64,{base64.b64encode(self.svg).decode('ascii')}"


Block: TypeAlias = Heading | Paragraph | Bullets | Table | Picture


def as_markdown(blocks: Sequence[Block]) -> str:
    """The document as Markdown; pictures are linked."""
    return "\n\n".join(_markdown(block) for block in blocks) + "\n"


def _markdown(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * level} {text}"
        case Paragraph(text):
            return text
        case Bullets(items):
            return "\n".join(f"- **{item.lead}** {item.text}" for item in items)
        case Picture(path, words, _):
            return f"![{words}]({path})"
        case Table():
            return "\n\n".join(["\n".join(_markdown_rows(block)), *block.notes])


def _markdown_rows(table: Table) -> Iterator[str]:
    rules = ["---:" if table.is_number(at) else "---" for at in range(len(table.columns))]
    for cells in ([column.title for column in table.columns], rules, *table.texts()):
        yield f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def as_html(blocks: Sequence[Block]) -> str:
    """The document as one HTML file that needs nothing else; pictures are inside it."""
    title = next((block.text for block in blocks if isinstance(block, Heading)), "")
    page = _TEMPLATES.fill(
        "document.html",
        title=title,
        style=Markup(asset(_ROOM, "styles", "document.css")),
        blocks=[(type(block).__name__, block) for block in blocks],
    )
    return str(page)
