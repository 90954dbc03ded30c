from __future__ import annotations

import re
from html import unescape
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from petra.report.page.marks import MarkedSpan, levels, marked, nested


def span(start: int, end: int, name: str) -> MarkedSpan:
    return MarkedSpan(start, end, "mark", name, f' data-who="{name}"', id=f"m-{name}")


def html(text: str, *spans: MarkedSpan) -> str:
    found = marked(text, nested(spans), 0, len(text))
    return re.sub(r'class="(\w+)( o\d)?"( id="\S+")? data-who="\w+"', r"\1", found)


def test_a_mention_within_a_mention() -> None:
    assert html("Emma's father & I", span(0, 4, "emma"), span(0, 13, "father")) == (
        "<mark father><mark emma>Emma</mark>&#x27;s father</mark> &amp; I"
    )


def test_the_number_of_levels_within() -> None:
    pieces = nested([span(0, 9, "a"), span(0, 5, "b"), span(2, 4, "c"), span(6, 9, "d")])
    assert [(piece.span.classes, level) for piece, level in zip(pieces, levels(pieces), strict=True)] == [
        ("a", 2),
        ("b", 1),
        ("c", 0),
        ("d", 0),
    ]
    assert 'class="a o2"' in marked("x" * 9, pieces, 0, 9)


def test_of_two_that_cross_the_later_is_cut() -> None:
    assert html("Dr. Ada Dahl", span(0, 7, "one"), span(4, 12, "other")) == (
        "<mark one>Dr. <mark other>Ada</mark></mark><mark other> Dahl</mark>"
    )


def test_only_the_first_piece_has_the_id() -> None:
    found = marked("Dr. Ada Dahl", nested([span(0, 7, "one"), span(4, 12, "other")]), 0, 12)
    assert found.count('id="m-other"') == 1
    assert found.index('id="m-other"') < found.index("Ada")


def test_equal_spans_keep_their_order_and_empty_ones_are_left_out() -> None:
    assert (
        html("Ada", span(0, 3, "one"), span(0, 3, "two"), span(1, 1, "none")) == "<mark one><mark two>Ada</mark></mark>"
    )


def test_a_part_of_a_text() -> None:
    assert (
        marked("Ada met Tom.", nested([MarkedSpan(8, 11, "mark", "t", "")]), 4, 12) == 'met <mark class="t">Tom</mark>.'
    )


@given(
    st.text("ab <&\n🐕", max_size=30),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=8),
)
def test_the_text_stays_and_every_span_is_whole(text: str, ranges: list[tuple[int, int]]) -> None:
    clipped = [(min(pair), min(max(pair), len(text))) for pair in ranges]
    spans = [MarkedSpan(start, end, "mark", f"s{number}", "") for number, (start, end) in enumerate(clipped)]
    pieces = nested(spans)
    found = marked(text, pieces, 0, len(text))
    assert unescape(re.sub("<[^<>]*>", "", found)) == text
    assert found.count("<mark") == found.count("</mark>") == len(pieces)
    for one, other in pairwise(pieces):
        assert other.start >= one.end or other.end <= one.end
    for number, (start, end) in enumerate(clipped):
        words = "".join(text[piece.start : piece.end] for piece in pieces if piece.span is spans[number])
        assert words == text[start:end]
