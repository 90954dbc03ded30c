"""A document of headings, paragraphs, lists, tables and pictures, as Markdown and as HTML."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from typing import TypeAlias

from petra.reproduction.tables import Table


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
    style = (resources.files("petra.reproduction") / "report.css").read_text(encoding="utf-8")
    body = "\n".join(_html(block) for block in blocks)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n"
        "</body>\n</html>\n"
    )


def _html(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"<h{level}>{escape(text)}</h{level}>"
        case Paragraph(text):
            return f"<p>{escape(text)}</p>"
        case Bullets(items):
            entries = (f"<li><strong>{escape(item.lead)}</strong> {escape(item.text)}</li>" for item in items)
            return "\n".join(["<ul>", *entries, "</ul>"])
        case Picture(_, words, svg):
            data = base64.b64encode(svg).decode("ascii")
            return f'<figure><img src="data:image/svg+xml;base64,{data}" alt="{escape(words)}"></figure>'
        case Table():
            return "\n".join(_html_rows(block))


def _html_rows(table: Table) -> Iterator[str]:
    kinds = [' class="number"' if table.is_number(at) else "" for at in range(len(table.columns))]
    yield '<div class="table" tabindex="0"><table>\n<thead>'
    yield _html_row("th", [column.title for column in table.columns], kinds)
    yield "</thead>\n<tbody>"
    yield from (_html_row("td", row, kinds) for row in table.texts())
    yield "</tbody>\n</table></div>"
    yield from (f'<p class="note">{escape(note)}</p>' for note in table.notes)


def _html_row(tag: str, cells: Sequence[str], kinds: Sequence[str]) -> str:
    inner = "".join(f"<{tag}{kind}>{escape(cell)}</{tag}>" for cell, kind in zip(cells, kinds, strict=True))
    return f"<tr>{inner}</tr>"
