from __future__ import annotations

from petra.domain import Mention, Person, Quotation
from petra.report.html import html_report
from petra.report.page_quotations import quotations_part

TEXT = "“Come <b>,” said Ada."
ADA = Person(1, "Ada", (Mention(17, 20, "Ada", "name", 1.0),))


def quotation(speaker: int | None) -> Quotation:
    return Quotation(0, 11, ((0, 11),), speaker, None, "explicit", 0.9)


def test_a_quotation_is_listed_with_its_speaker_and_never_becomes_markup() -> None:
    found = quotations_part([quotation(1)], [ADA], TEXT)
    assert "<summary>1 quotation</summary>" in found
    assert 'data-person="1"' in found
    assert "“Come &lt;b&gt;,”" in found
    assert found in html_report(
        source=None, model="tiny", threshold=0.5, text=TEXT, people=[ADA], quotations=[quotation(1)]
    )


def test_without_a_speaker_somebody_speaks() -> None:
    assert "<li>Somebody: " in quotations_part([quotation(None)], [ADA], TEXT)


def test_a_text_without_quotations_has_no_list() -> None:
    assert quotations_part([], [ADA], TEXT) == ""
