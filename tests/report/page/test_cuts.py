from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from petra.report.page.cuts import cut

LINE = "x" * 99 + "\n"


def test_a_short_text_is_one_section() -> None:
    assert cut("", []) == []
    assert cut(LINE * 3, []) == [range(300)]


def test_a_long_text_is_cut_after_a_line() -> None:
    # The first line end from 4,000 characters on is the one at the end of line 41.
    assert cut(LINE * 100, []) == [range(4100), range(4100, 8200), range(8200, 10_000)]


def test_blank_lines_stay_with_what_is_before_them() -> None:
    assert cut(LINE * 41 + "\n\n" + LINE * 41, [])[0] == range(4102)


def test_a_line_too_long_is_cut_at_a_space() -> None:
    assert cut("word " * 2000, []) == [range(4005), range(4005, 8010), range(8010, 10_000)]
    assert cut("x" * 10_000, []) == [range(8000), range(8000, 10_000)]


def test_no_mention_is_cut() -> None:
    text = LINE * 100
    assert cut(text, [(4090, 4110)])[0] == range(4200)
    assert cut("x" * 20_000, [(7990, 8010), (8005, 9000)])[0] == range(9000)  # two that overlap


@given(
    st.text("ab \n", max_size=50).map(lambda words: words * 400),
    st.lists(st.tuples(st.integers(0, 20_000), st.integers(1, 60)), max_size=30),
)
def test_sections_hold_everything_once(text: str, starts: list[tuple[int, int]]) -> None:
    spans = [(start, min(start + length, len(text))) for start, length in starts if start < len(text)]
    sections = cut(text, spans)
    assert [place for section in sections for place in section] == list(range(len(text)))
    borders = {section.stop for section in sections}
    assert not any(start < border < end for start, end in spans for border in borders)
