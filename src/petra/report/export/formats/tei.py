"""TEI: the text in ``div``, ``head`` and ``p``, with ``persName``, ``rs`` and ``said``, and a ``listPerson``.

The characters of ``body`` are those of the text, white space included: offsets count them.
Elements cannot cross in XML. What crosses the end of a paragraph or another element, and a
quotation with several parts, has an element for each piece, joined by ``next`` and ``prev``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from importlib.metadata import version
from itertools import pairwise
from typing import NamedTuple

from petra.english.chapters import Chapter
from petra.english.sentences import paragraph_starts
from petra.report.export.format import ExportOptions, Files, Format
from petra.report.export.names import one_line
from petra.report.export.tracked import TrackedText
from petra.report.export.xml import HEADER, content, tag
from petra.text.source import source_name

_WHITE_SPACE = " \t\r\n"  # of XML, and no other
_NOT_LETTERS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class _Element:
    """A mention, or a part of a quotation."""

    start: int
    end: int
    id: str  # of the mention or quotation
    name: str
    attributes: Mapping[str, str]


class _Piece(NamedTuple):
    """A stretch of an element that lies within one paragraph and crosses no other."""

    start: int
    end: int
    element: _Element


def _files(tracked: TrackedText, _: ExportOptions) -> Files:
    return {".xml": "".join(_document(tracked))}


def _document(tracked: TrackedText) -> Iterator[str]:
    yield HEADER
    yield tag("TEI", xmlns="http://www.tei-c.org/ns/1.0")
    yield "\n<teiHeader>\n<fileDesc>\n<titleStmt><title>"
    yield content(one_line(source_name(tracked.source)) or "Untitled")
    yield "</title></titleStmt>\n<publicationStmt><p>Annotated automatically.</p></publicationStmt>\n"
    yield f"<sourceDesc><p>{content(tracked.source or 'A text.')}</p></sourceDesc>\n</fileDesc>\n"
    yield "<encodingDesc><appInfo>" + tag("application", ident="petra", version=version("petra"))
    yield f"<label>PeTra with the model {content(tracked.model)}</label></application></appInfo></encodingDesc>\n"
    if tracked.people:
        yield "<profileDesc><particDesc><listPerson>\n"
        for person in tracked.people:
            yield tag("person", xml_id=f"p{person.id}")
            yield f"<persName>{content(one_line(person.name))}</persName></person>\n"
        yield "</listPerson></particDesc></profileDesc>\n"
    yield "</teiHeader>\n<text>\n<body>"
    yield from _body(tracked)
    yield "</body>\n</text>\n</TEI>\n"


def _body(tracked: TrackedText) -> Iterator[str]:
    text = tracked.text
    paragraphs = _paragraphs(text, tracked.chapters)
    pieces = _pieces(_elements(tracked), paragraphs)
    ids = _PieceIds(Counter(piece.element.id for within in pieces for piece in within))
    chapter_at = {chapter.start: chapter for chapter in tracked.chapters}
    heading = ""  # what is still to come of the letters of a heading
    in_chapter, place = False, 0
    for (start, end), within in zip(paragraphs, pieces, strict=True):
        yield content(text[place:start])  # white space
        if (chapter := chapter_at.get(start)) is not None:
            yield ("</div>" if in_chapter else "") + tag("div", type="chapter", n=str(chapter.number))
            in_chapter, heading = True, _letters(f"{chapter.part or ''} {chapter.heading}")
        letters = _letters(text[start:end])
        name = "head" if letters and heading.startswith(letters) else "p"
        heading = heading[len(letters) :] if name == "head" else ""
        yield f"<{name}>"
        yield from _inline(text, start, end, within, ids)
        yield f"</{name}>"
        place = end
    yield content(text[place:])
    if in_chapter:
        yield "</div>"
    elif not paragraphs:
        yield "<p/>"


def _paragraphs(text: str, chapters: Sequence[Chapter]) -> list[tuple[int, int]]:
    """The paragraphs, without white space around them; each chapter begins one."""
    starts = sorted({*paragraph_starts(text), *(chapter.start for chapter in chapters), len(text)})
    found = []
    for start, end in pairwise(starts):
        words = text[start:end]
        inner = words.strip(_WHITE_SPACE)
        if inner:
            first = start + words.index(inner)
            found.append((first, first + len(inner)))
    return found


def _elements(tracked: TrackedText) -> list[_Element]:
    found = []
    for number, it in enumerate(tracked.quotations, start=1):
        attributes = {"who": it.speaker, "toWhom": it.addressee}
        pointers = {key: f"#p{person}" for key, person in attributes.items() if person is not None}
        for start, end in it.parts:
            found.append(_Element(start, end, f"q{number}", "said", {**pointers, "cert": f"{it.probability:.4g}"}))
    number = 0
    for person in tracked.people:
        for mention in person.mentions:
            number += 1
            values = {"ref": f"#p{person.id}", "cert": f"{mention.probability:.4g}"}
            if mention.kind != "name":
                values = {"type": "person", "subtype": mention.kind, **values}
            name = "persName" if mention.kind == "name" else "rs"
            found.append(_Element(mention.start, mention.end, f"m{number}", name, values))
    return sorted(found, key=lambda each: (each.start, -each.end))


def _pieces(elements: Sequence[_Element], paragraphs: Sequence[tuple[int, int]]) -> list[list[_Piece]]:
    """The pieces in each paragraph, in the order of their opening tags."""
    found = []
    going_on: list[_Element] = []
    place = 0
    for start, end in paragraphs:
        while place < len(elements) and elements[place].start < end:
            going_on.append(elements[place])
            place += 1
        clipped = (_Piece(max(start, each.start), min(end, each.end), each) for each in going_on)
        found.append(_nested([piece for piece in clipped if piece.start < piece.end]))
        going_on = [each for each in going_on if each.end > end]
    return found


def _nested(pieces: Iterable[_Piece]) -> list[_Piece]:
    """The pieces, cut in two wherever one would cross another."""
    waiting = [(piece.start, -piece.end, order, piece.element) for order, piece in enumerate(pieces)]
    heapify(waiting)
    found = []
    open_ends: list[int] = []
    while waiting:
        start, negative_end, order, element = heappop(waiting)
        end = -negative_end
        while open_ends and open_ends[-1] <= start:
            open_ends.pop()
        if open_ends and end > open_ends[-1]:
            heappush(waiting, (open_ends[-1], -end, order, element))
            end = open_ends[-1]
        open_ends.append(end)
        found.append(_Piece(start, end, element))
    return found


class _PieceIds:
    """Names the pieces of elements that have several, and joins each to the one before and after."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self._sizes = sizes
        self._seen: Counter[str] = Counter()

    def following(self, element: str) -> dict[str, str]:
        """The attributes of the next piece of an element."""
        size = self._sizes[element]
        if size == 1:
            return {}
        self._seen[element] += 1
        number = self._seen[element]
        joined = {"xml_id": f"{element}.{number}"}
        if number > 1:
            joined["prev"] = f"#{element}.{number - 1}"
        if number < size:
            joined["next"] = f"#{element}.{number + 1}"
        return joined


def _inline(text: str, start: int, end: int, pieces: Iterable[_Piece], ids: _PieceIds) -> Iterator[str]:
    """A paragraph with its elements."""
    opened: list[_Piece] = []
    for piece in pieces:
        while opened and opened[-1].end <= piece.start:
            closed = opened.pop()
            yield f"{content(text[start : closed.end])}</{closed.element.name}>"
            start = closed.end
        yield content(text[start : piece.start])
        yield tag(piece.element.name, **ids.following(piece.element.id), **piece.element.attributes)
        opened.append(piece)
        start = piece.start
    while opened:
        closed = opened.pop()
        yield f"{content(text[start : closed.end])}</{closed.element.name}>"
        start = closed.end
    yield content(text[start:end])


def _letters(words: str) -> str:
    return _NOT_LETTERS.sub("", words)


FORMAT = Format(about="a TEI document with persName, rs and said", files=_files)
