from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest
from browser import PHONE, opened, serious_faults
from hypothesis import given
from playwright.sync_api import Browser
from strategies import logs
from written_logs import written_log

from petra.log.memory_log import MemoryLog
from petra.report.picture.heatmap_page import heatmap_page, heatmap_tables
from petra.report.picture.panels import View, make_panels

LOG = written_log(
    "Jane met <b>Tom</b>. It rained on the hill and on the roofs of the town. She left.",
    ("Jane", 0, "new"),
    ("Tom", 2, "new", 0.5),
    ("She", 0, "same", 0.75),
)


class Tables(HTMLParser):
    """What a browser finds in the tables of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.squares: list[dict[str, str | None]] = []  # with a value
        self.rows: list[int] = []  # how many columns each spans
        self.headings: list[str] = []
        self._in_head = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        values = dict(attrs)
        if tag == "tr":
            self.rows.append(0)
        if tag in ("td", "th"):
            self.rows[-1] += int(values.get("colspan") or 1)
        if tag == "td" and "style" in values:
            self.squares.append(values)
        self._in_head = self._in_head or tag == "thead"

    def handle_endtag(self, tag: str) -> None:
        self._in_head = self._in_head and tag != "thead"

    def handle_data(self, data: str) -> None:
        if self._in_head:
            self.headings.append(data)


def page(*given: MemoryLog, view: View | None = None) -> str:
    return heatmap_page(make_panels(given, view or View()))


def test_a_square_tells_its_value() -> None:
    tables = Tables(page(LOG))
    assert [(square["title"], square["style"]) for square in tables.squares] == [
        ("Jane: cell 1, OW 0.90", "--p:0.90"),
        ("She: cell 1, CR 0.75", "--p:0.75"),
        ("Tom: cell 3, OW 0.50", "--p:0.50"),
    ]


def test_the_words_are_the_headings_of_the_columns() -> None:
    tables = Tables(page(LOG))
    assert tables.headings[:6] == ["Jane", "met", "<", "b", ">", "Tom"]
    assert '<th class="gap" title="14 tokens without people">…</th>' in page(LOG)


def test_every_row_of_a_table_is_as_wide() -> None:
    tables = Tables(page(LOG, view=View(with_people=True)))
    widths = set(tables.rows)
    # The name of a cell stands before two rows, so the second has one cell fewer.
    assert len(widths) == 2
    assert max(widths) - min(widths) == 1


def test_people_have_a_colour_and_a_number() -> None:
    tables = Tables(page(LOG, view=View(with_people=True)))
    assert [square.get("class") for square in tables.squares] == ["c0", "c0", "c1"]
    assert "<td>1</td><td></td>" in page(LOG, view=View(with_people=True))
    assert '<li class="c1">2 <bdi>Tom</bdi></li>' in page(LOG, view=View(with_people=True))


def test_several_readings_share_a_table() -> None:
    found = page(LOG, written_log(LOG.text, ("Tom", 0, "new"), cells=2))
    assert found.count("<table") == 1
    assert found.count("<tbody>") == 2
    assert "<title>Memory logs: by hand, 4 cells; by hand, 2 cells</title>" in found


def test_nobody() -> None:
    assert "<p>No people were found.</p>" in page(written_log("It rained."))


def test_a_part_for_other_pages() -> None:
    (panel,) = make_panels([LOG], View())
    part = heatmap_tables(panel, focusable=True)
    assert part in page(LOG)
    assert part.startswith('<section class="panel">')


def test_the_page_loads_nothing() -> None:
    found = page(LOG)
    assert "default-src 'none'" in found
    for sign in ("http:", "https:", "src=", "url(", "<script", "@import"):
        assert sign not in found


@given(logs())
def test_no_text_becomes_markup(log: MemoryLog) -> None:
    found = page(log, view=View(all_tokens=True, with_people=True))
    found.encode()
    allowed = (
        "html head meta title style body h1 bdi main section p strong div table thead tbody tr td th abbr span small"
    )
    assert set(Tables(found).tags) <= {*allowed.split(), "footer", "ul", "li"}


def test_words_on_which_readings_differ_are_marked_on_the_page() -> None:
    one = written_log("Jane met Tom. She left.", ("Jane", 0, "new"), ("She", 0, "same"))
    other = written_log("Jane met Tom. She left.", ("Jane", 0, "new"), ("She", 1, "new"))
    page = heatmap_page(make_panels([one, other], View(compared=True)))
    assert '<th scope="col" class="decided differs" title="The readings differ"><bdi>She</bdi></th>' in page
    assert page.count("The readings differ") == 1


@pytest.mark.parametrize("look", ["light", "dark"])
def test_the_page_keeps_nobody_out_on_a_phone(browser: Browser, tmp_path: Path, look: str) -> None:
    other = written_log("Jane met Tom. She left. " * 9, ("Jane", 1, "new"), ("She", 2, "new"))
    log = written_log(other.text, ("Jane", 0, "new"), ("She", 0, "same"))
    file = tmp_path / "log.html"
    file.write_text(heatmap_page(make_panels([log, other], View(compared=True, all_tokens=True))), encoding="utf-8")
    with opened(browser, viewport=PHONE, color_scheme=look) as shown:
        shown.goto(file.as_uri())
        assert serious_faults(shown) == []
        assert shown.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
