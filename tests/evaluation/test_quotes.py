from __future__ import annotations

from types import SimpleNamespace

import pytest

from petra.corpora.annotated import AnnotatedDocument, GoldMention
from petra.corpora.litbank_quotations import GoldQuotation, QuotedDocument
from petra.domain import FoundBy, Mention, Person, Quotation
from petra.evaluation.as_json import quotes_run_as_json
from petra.evaluation.quotes import entities_of, score_quotes

TEXT = "“Come,” said Ada, “now.” “Why?” said Tom. “End” of it."
ADA, TOM = (13, 16), (37, 40)
DOCUMENT = QuotedDocument(
    document=AnnotatedDocument(
        id="story", text=TEXT, mentions=(GoldMention(*ADA, "name", "Ada-0"), GoldMention(*TOM, "name", "Tom-1"))
    ),
    quotations=(GoldQuotation(0, 7, "Ada-0"), GoldQuotation(18, 24, "Ada-0"), GoldQuotation(25, 31, "Tom-1")),
)
PEOPLE = tuple(
    Person(number, TEXT[start:end], (Mention(start, end, TEXT[start:end], "name", 1.0),))
    for number, (start, end) in enumerate((ADA, TOM), start=1)
)


def quotation(*parts: tuple[int, int], speaker: int | None, found_by: FoundBy = "explicit") -> Quotation:
    return Quotation(parts[0][0], parts[-1][1], parts, speaker, None, found_by, 1.0)


def test_parts_and_their_speakers_are_counted() -> None:
    found = SimpleNamespace(
        people=PEOPLE,
        quotations=(
            quotation((0, 7), (18, 24), speaker=1),
            quotation((25, 31), speaker=1, found_by="turn"),  # Tom's
            quotation((42, 47), speaker=None, found_by="implicit"),  # nobody says it
        ),
    )
    run = score_quotes([DOCUMENT], [found], model="tiny", split="validation", fold=0)
    # 4 parts were found, 3 of them right, of 3 annotated: precision 75, recall 100, F1 6/7.
    assert (run.spans.precision, run.spans.recall, run.spans.f1) == pytest.approx((75, 100, 600 / 7))
    assert (run.speakers.right, run.speakers.quotations, run.annotated) == (2, 3, 3)
    assert {way: (share.right, share.quotations) for way, share in run.by_way.items()} == {
        "explicit": (2, 2),
        "turn": (0, 1),
    }
    values = quotes_run_as_json(run)
    assert (values["schema"], values["quotations"]) == ("petra.evaluation/1", 3)
    assert (values["speakers"], values["speakers_of_all"]) == pytest.approx((200 / 3, 200 / 3))


def test_a_person_is_the_entity_of_most_of_their_annotated_mentions() -> None:
    mixed = Person(1, "Ada", (*PEOPLE[0].mentions, *PEOPLE[1].mentions, Mention(0, 1, "“", "name", 1.0)))
    assert entities_of(DOCUMENT.document, [mixed]) == {1: "Ada-0"}
    assert entities_of(DOCUMENT.document, [Person(2, "x", (Mention(1, 5, "Come", "name", 1.0),))]) == {}


def test_nothing_found() -> None:
    run = score_quotes([DOCUMENT], [SimpleNamespace(people=(), quotations=())], model="x", split="test", fold=0)
    assert (run.spans.f1, run.speakers.percent, run.speakers_of_all) == (0, 0, 0)
