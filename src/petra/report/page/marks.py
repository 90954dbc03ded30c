"""Spans of a text as elements of a page, nested where one lies within another.

Elements cannot cross each other. Where two spans do, the later one is cut in two: a
piece within the earlier one and a piece after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from markupsafe import Markup

from petra.report.templating import escaped

_MOST_LEVELS = 2  # that page.css distinguishes


@dataclass(frozen=True, slots=True)
class MarkedSpan:
    """A range of a text and the element that it becomes."""

    start: int  # half-open
    end: int
    tag: str
    classes: str
    attributes: str  # with a space before each; those of the user are escaped
    id: str = ""  # of the element, or of the first of several


@dataclass(frozen=True, slots=True)
class MarkedPiece:
    """A span, or a part of it, that crosses no other piece."""

    start: int
    end: int
    span: MarkedSpan

    @property
    def is_first(self) -> bool:
        return self.start == self.span.start


def nested(spans: Iterable[MarkedSpan]) -> list[MarkedPiece]:
    """Cut spans into pieces that are disjoint or nested, the outer before the inner.

    Of equal spans the one given first is outside. Empty ones are left out.
    """
    waiting = [(span.start, -span.end, order, span) for order, span in enumerate(spans) if span.start < span.end]
    heapify(waiting)
    pieces: list[MarkedPiece] = []
    around: list[int] = []  # ends of the pieces that are open
    while waiting:
        start, minus_end, order, span = heappop(waiting)
        end = -minus_end
        while around and around[-1] <= start:
            around.pop()
        if around and end > around[-1]:
            heappush(waiting, (around[-1], minus_end, order, span))
            end = around[-1]
        pieces.append(MarkedPiece(start, end, span))
        around.append(end)
    return pieces


def levels(pieces: Sequence[MarkedPiece]) -> list[int]:
    """How many pieces lie within each, one inside the other, at most."""
    found = [0] * len(pieces)
    around: list[int] = []
    for place, piece in enumerate(pieces):
        while around and pieces[around[-1]].end <= piece.start:
            around.pop()
        around.append(place)
        for level, outer in enumerate(reversed(around)):
            found[outer] = max(found[outer], level)
    return found


def marked(text: str, pieces: Sequence[MarkedPiece], start: int, end: int) -> Markup:
    """The part start..end of a text as HTML, with its pieces, none of which begins before it or ends after it."""
    return Markup("".join(_parts(text, pieces, start, end)))


def _parts(text: str, pieces: Sequence[MarkedPiece], start: int, end: int) -> Iterator[str]:
    done = start
    open_pieces: list[MarkedPiece] = []

    def close_before(place: int) -> Iterator[str]:
        nonlocal done
        while open_pieces and open_pieces[-1].end <= place:
            piece = open_pieces.pop()
            yield f"{escaped(text[done : piece.end])}</{piece.span.tag}>"
            done = piece.end

    for piece, level in zip(pieces, levels(pieces), strict=True):
        yield from close_before(piece.start)
        yield escaped(text[done : piece.start])
        yield _opening(piece, level)
        done = piece.start
        open_pieces.append(piece)
    yield from close_before(end)
    yield escaped(text[done:end])


def _opening(piece: MarkedPiece, level: int) -> str:
    span = piece.span
    name = f' id="{span.id}"' if span.id and piece.is_first else ""
    outer = f" o{min(level, _MOST_LEVELS)}" if level else ""
    return f'<{span.tag} class="{span.classes}{outer}"{name}{span.attributes}>'
