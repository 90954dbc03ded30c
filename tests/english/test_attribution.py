"""Who is said to speak, in sentences beside a quotation."""

from __future__ import annotations

import pytest

from petra.english.attribution import Attribution, attribution_after, attribution_before


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        (" said Vera.", "Vera"),
        (" said poor Mr. Harrow, rising", "poor Mr. Harrow"),
        (" asked\nMiss Ellen Dorrance gently", "Miss Ellen Dorrance"),
        (" returned she; ", "she"),
        (" said I.", "I"),
        (" said old Billy", "old Billy"),
        ("—cried my aunt sharply.", "my aunt"),
        (" said the old man with a smile", "the old man"),
        (" Vera softly replied.", "Vera"),
        (" the old man went on.", "the old man"),
        (" and he added, ", "he"),
        (" I said, and left", "I"),
        (" he chuckled.", "he"),  # no sentence begins so
        (" chuckled Vera.", "Vera"),
    ],
)
def test_after_a_quotation(text: str, subject: str) -> None:
    assert attribution_after(text) == Attribution(text.index(subject), subject)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " She began to cry.",
        " He closed the door.",
        " This was said with care.",
        " The door creaked. Vera said nothing.",
        " Vera laid the book down.",
        " and the rain fell.",
    ],
)
def test_no_attribution_after_a_quotation(text: str) -> None:
    assert attribution_after(text) is None


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Vera said, ", "Vera"),
        ("It was late. Then he quietly asked: ", "he"),
        ("It rained. She rose, took the letter, and said:\n\n", "She"),
        ("My uncle saw the open door and said to me: ", "My uncle"),
        ("Ladling out the soup she said, ", "she"),
        ("The old man said, with a smile: ", "The old man"),
    ],
)
def test_before_a_quotation(text: str, subject: str) -> None:
    found = attribution_before(text)
    assert found is not None
    assert (found.subject, text.startswith(subject, found.place)) == (subject, True)


@pytest.mark.parametrize("text", ["", "He smiled. ", "Vera said nothing. ", "They sat down and ate. ", "on a sign, "])
def test_no_attribution_before_a_quotation(text: str) -> None:
    assert attribution_before(text) is None
