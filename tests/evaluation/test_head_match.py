from __future__ import annotations

import pytest
from listed_people import person, span

from petra.corpora.annotated import AnnotatedDocument, GoldMention
from petra.evaluation.head_match import head_in_text, match_by_head, overlap, score_people_by_head

TEXT = "Dr. Ada Vale, who dives, met the potter. The potter knew her."


def gold(words: str, entity: str, head: str | None = None) -> GoldMention:
    start, end = span(TEXT, words)
    return GoldMention(start, end, "name", entity, span(TEXT, head) if head else None)


def test_a_head_is_placed_in_the_text() -> None:
    assert head_in_text(TEXT, span(TEXT, "the potter")) == span(TEXT, "potter")


def test_words_cut_differently_overlap() -> None:
    assert overlap((3, 8), (3, 6))
    assert not overlap((3, 8), (8, 9))


def test_equal_spans_go_before_equal_heads() -> None:
    # All have the head 4 to 6. The equal spans are matched first, so the long one is left with nobody.
    annotated = {(4, 6): (4, 6)}
    assert match_by_head(annotated, {(0, 9): (4, 6), (4, 6): (4, 6)}) == {(4, 6): (4, 6)}


def test_a_mention_is_matched_once_with_the_nearest() -> None:
    annotated = {(0, 9): (4, 6), (0, 20): (4, 6)}
    found = {(0, 8): (4, 6), (2, 18): (4, 6), (1, 40): (4, 6)}
    assert match_by_head(annotated, found) == {(0, 8): (0, 9), (2, 18): (0, 20)}


def test_people_are_scored_by_heads() -> None:
    # Gold: Ada (2 mentions), the potter (2). Found: Ada whole, "Vale" for the long span; the potter once, and "who".
    # Mentions: 3 of 4 found, 3 of 4 right. MUC: R = (1 + 0) / (1 + 1), P = (1 + 0) / (1 + 1).
    document = AnnotatedDocument(
        id="one",
        text=TEXT,
        mentions=(
            gold("Dr. Ada Vale, who dives", "ada", "Vale"),
            gold("the potter", "potter"),
            gold("The potter", "potter"),
            gold("her", "ada"),
        ),
    )
    ada = person(1, TEXT, span(TEXT, "Vale"), span(TEXT, "her"))
    other = person(2, TEXT, span(TEXT, "who"), span(TEXT, "potter", after="The "))
    score = score_people_by_head([document], [(ada, other)])
    assert (score.mentions.recall, score.mentions.precision) == (75, 75)
    assert (score.muc.recall, score.muc.precision) == (50, 50)
    assert score.b_cubed.recall == pytest.approx(100 * (2 + 1 / 2) / 4)
    assert score.documents == 1
