from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from petra.report.page.timeline import BINS, HEIGHT, make_timeline


def test_a_bar_for_each_part_with_mentions() -> None:
    # 480 characters: a part is two of them. Four mentions in the last part are the most there are.
    timeline = make_timeline([[0, 1, 478, 478, 479, 479], [2]], 480)
    assert timeline.most == 4
    assert timeline.parts(0) == 2
    # 4 + 8 * sqrt(2 / 4) = 9.66 is drawn as 10, and the most as 12; one of four: 4 + 8 / 2 = 8.
    assert timeline.bars(0) == "M0 12v-10h1v10zM239 12v-12h1v12z"
    assert timeline.bars(1) == "M1 12v-8h1v8z"


def test_nobody_in_nothing() -> None:
    assert make_timeline([], 0).most == 0
    assert make_timeline([[0]], 1).bars(0) == "M0 12v-12h1v12z"


@given(st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.integers(0, n - 1), min_size=1))))
def test_bars_stay_in_their_box(case: tuple[int, list[int]]) -> None:
    length, starts = case
    timeline = make_timeline([sorted(starts)], length)
    bars = re.findall(r"M(\d+) 12v-(\d+)h1v\d+z", timeline.bars(0))
    assert len(bars) == timeline.parts(0)
    assert all(0 <= int(place) < BINS and 0 < int(height) <= HEIGHT for place, height in bars)
    assert int(timeline.counts[0].sum()) == len(starts)
