"""Which pronouns of a passage are told, and which names give way to one."""

from __future__ import annotations

import pytest
from supervision_samples import ADA, scene, told

from petra.training.data.instances.discourse import continued
from petra.training.data.instances.natural import natural
from petra.training.data.instances.replaced import replaceable


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("They met Ada Vale. Vale sailed home.", [("replaced", "Vale", "Ada Vale")]),
        ("Ruth met Ada Vale. Vale sailed home.", []),  # the subject has the better claim
        ("Ada Vale sailed with Ruth. Vale won.", [("replaced", "Vale", "Ada Vale")]),  # a subject taken up again
        ("Ada Vale sailed. Ruth waved. Vale won.", []),  # Ruth has the word now
        ("Ada Vale won. It rained. They slept. Vale left.", []),  # too long ago
        ("Ada Vale told Vale.", []),  # that would be "herself"
        ('Ada Vale said "Vale sailed home".', []),
        ("Ada Vale sailed. Zork said so. Vale won.", []),  # who is Zork?
        ("Ada Vale sailed. They saluted Mrs. Vale.", []),  # a noun, for all we know
        ("Ada Vale sailed. They told Mrs. Vale.", [("replaced", "Mrs. Vale", "Ada Vale")]),
    ],
)
def test_a_repeated_name_gives_way_where_a_reader_would_know(text: str, expected: list[tuple[str, str, str]]) -> None:
    passage, namings = scene(text)
    assert [told(it) for it in replaceable(passage, namings)] == expected


def test_the_pronoun_takes_the_place_of_title_name_and_ending() -> None:
    passage, namings = scene("Tom Ash sailed. With Mr. Ash's boat they won.")
    [reference] = replaceable(passage, namings)
    [edit] = reference.edits
    assert (passage.text[slice(*edit.span)], edit.text) == ("Mr. Ash's", "his")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada sold her boat.", [("bound", "her", "Ada")]),
        ("Ada said that she won.", [("bound", "she", "Ada")]),
        ("Tom told Ada that she won.", []),
        ("Ruth met Ada, and Ada sold her boat.", []),  # two women before it
        ("Ada met a woman and sold her boat.", []),
        ("Ada helped her sail.", []),
        ("As Ada says, she won.", []),
        ("Ada said the crew slept while she sailed.", []),
        ("In her youth, Ada sailed.", [("announced", "her", "Ada")]),
        ("After meeting her, Ada sailed.", []),
        ("In her youth, in Kew, Ada sailed.", []),
        ("In his youth, Ada sailed.", []),
        ('Ada said "her boat sank".', []),
    ],
)
def test_grammar_tells_a_pronoun(text: str, expected: list[tuple[str, str, str]]) -> None:
    passage, namings = scene(text)
    assert [told(it) for it in natural(passage, namings)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada sailed with Ruth. She won.", [("continued", "She", "Ada")]),
        ("Ada sailed. Tom waved. She won, and he left.", [("continued", "She", "Ada"), ("continued", "he", "Tom")]),
        ("Ada sailed. They asked Ruth about her boat.", []),  # two women, and one of them in the same sentence
        ("Ada sailed. Ruth and Tom waved. She won.", []),
        ("Ada sailed. A woman laughed. She won.", []),
        ("Ada sailed. Zork was ill. She won.", []),
        ("Ada sailed. In her absence, Zork slept.", []),  # may be Zork's
        ("Ada sailed. In her absence, she wrote.", [("continued", "her", "Ada"), ("continued", "she", "Ada")]),
        ("Ada sailed. One. Two. Three. She won.", []),
    ],
)
def test_a_pronoun_goes_on_about_the_last_subject(text: str, expected: list[tuple[str, str, str]]) -> None:
    passage, namings = scene(text)
    assert [told(it) for it in continued(passage, namings, None)] == expected


def test_an_article_speaks_of_the_person_it_is_about() -> None:
    passage, namings = scene("She sailed with Ruth. They won. She left.")
    [reference] = continued(passage, namings, ADA)
    assert told(reference) == ("introduced", "She", "She")
    assert reference.pronoun[0] > reference.nearest.words[0]
    assert [edit.text for edit in reference.edits] == ["Vale"]


@pytest.mark.parametrize(
    "text",
    [
        "Ada said that Ruth slept. She won.",  # Ada's claim or Ruth's
        "Tom and Ada sailed. She won.",  # beside another name
        "Ada sailed. Zork, a cook, slept. She won.",
    ],
)
def test_a_doubtful_pronoun_is_left_alone(text: str) -> None:
    passage, namings = scene(text)
    assert [told(it) for it in continued(passage, namings, None)] == []
