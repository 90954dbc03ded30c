from __future__ import annotations

import json
import re

from petra.domain import Mention, Person, Quotation
from petra.report.page.report_page import html_report

TEXT = "🐕 “Come <b>,” said Ada,\r\n“now.”"
ADA = Person(1, "Ada", (Mention(19, 22, "Ada", "name", 1.0),))


def test_the_script_gets_the_places_of_quotations() -> None:
    quotation = Quotation(2, 31, ((2, 13), (25, 31)), 1, None, "explicit", 0.9)
    html = html_report(source=None, model="tiny", threshold=0.5, text=TEXT, people=[ADA], quotations=[quotation])
    data = json.loads(re.findall(r'id="data">(.*?)</script>', html)[0])
    # Speaker 1 to nobody, the first of the ways, 90 hundredths; then steps: the dog has two units and the line end one.
    assert data["quotations"] == [[1, 0, 0, 90, 3, 28, -28, 11, 11, 6]]
    # After the dog, whose units are 0 and 1, the text is one behind the page; after the line end, at 24, no more.
    assert data["shifts"] == [[2, -1], [25, 0]]
    assert "1 quotation</h2>" in html


def test_a_text_without_quotations_has_no_list() -> None:
    html = html_report(source=None, model="tiny", threshold=0.5, text=TEXT, people=[ADA])
    assert 'class="quotations' not in html
