from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import texts

from petra.corpora.annotated import AnnotatedDocument
from petra.corpora.litbank import LitbankSplit, read_litbank
from petra.english.heads import head_of, head_span


def head(mention: str) -> str:
    start, end = head_span(mention)
    return mention[start:end]


@pytest.mark.parametrize(
    ("mention", "expected"),
    [
        ("Emma", "Emma"),
        ("he", "he"),
        ("Mr. Darcy", "Darcy"),
        ("the late John Vale", "Vale"),
        ("King Charles II", "Charles"),
        ("Paul Brook, Jr.", "Brook"),
        ("O'Neil", "O'Neil"),
        ("his mother", "mother"),
        ("her", "her"),
        ("all the men", "men"),
        ("no one", "one"),
        ("the then king", "king"),
        ("a tall, strong girl", "girl"),
    ],
)
def test_the_last_word_is_the_head(mention: str, expected: str) -> None:
    assert head(mention) == expected


@pytest.mark.parametrize(
    ("mention", "expected"),
    [
        ("the father of Emma", "father"),
        ("Joan of Arc", "Joan"),
        ("William the Conqueror", "William"),
        ("the old man with the beard", "man"),
        ("Paul Brook, Esq. of South Park", "Brook"),
        ("Anne, the second daughter", "Anne"),
        ("the doctor--a small man", "doctor"),
        ("the clerk (a Welshman)", "clerk"),
        ("a young lady named Lydia", "lady"),
        ("two ladies accompanied by a nurse", "ladies"),
        ("the wounded soldier", "soldier"),
        ("the man I saw", "man"),
        ("the lady herself", "lady"),
        ("an uncle of mine", "uncle"),
        ("anybody else who knew", "anybody"),
        ("one of the men", "one"),
        ("those who know", "those"),
        ("A STRANGER FROM KEW", "STRANGER"),
    ],
)
def test_what_follows_the_noun_is_cut_off(mention: str, expected: str) -> None:
    assert head(mention) == expected


@pytest.mark.parametrize(
    ("mention", "expected"),
    [
        ("Emma's father", "father"),
        ("Dr. O'Neil’s wife’s brother", "brother"),
        ("the other boys' mother", "mother"),
        ("the lady's", "lady"),
        ("a friend of Emma's father", "friend"),
    ],
)
def test_a_possessor_is_left_behind(mention: str, expected: str) -> None:
    assert head(mention) == expected


@pytest.mark.parametrize(
    ("mention", "expected"),
    [
        ("she who must be obeyed", "she"),
        ("I myself", "I"),
        ("you fool", "fool"),
        ("we three", "three"),
        ("you, my friend", "you"),
    ],
)
def test_a_pronoun_that_opens_is_the_head_unless_it_goes_with_a_noun(mention: str, expected: str) -> None:
    assert head(mention) == expected


@pytest.mark.parametrize(
    ("mention", "expected"),
    [
        ("Tom and his mother", "and"),
        ("Mr. and Mrs. Brook", "and"),
        ("Tom, Sid, and Mary", "and"),
        ("men, women or children", "or"),
        ("his father and mother", "and"),
        ("you and I", "and"),
        ("him or her", "or"),
        ("a great and good man", "man"),
        ("six or eight men", "men"),
        ("the poets, ancient and modern", "poets"),
    ],
)
def test_people_named_together_are_headed_by_what_joins_them(mention: str, expected: str) -> None:
    assert head(mention) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["Emma", "'s", "father"], 2),
        (["Emma's", "father"], 1),
        (["Paul", "Brook", ",", "Esq.", "of", "Kew"], 1),
        (["Paul", "Brook,", "Esq.", "of", "Kew"], 1),
        (["the", "clerk", "(a", "Welshman)"], 1),
        (["“", "Emma", "”"], 1),
        (["--", "!"], 1),
    ],
)
def test_marks_are_words_of_their_own_or_hang_on_one(words: list[str], expected: int) -> None:
    assert head_of(words) == expected


def test_a_mention_has_a_word() -> None:
    with pytest.raises(ValueError, match="at least one word"):
        head_of([])


@given(st.lists(texts(), min_size=1, max_size=6))
def test_the_head_is_one_of_the_words(words: list[str]) -> None:
    assert 0 <= head_of(words) < len(words)


@given(texts())
def test_the_head_is_part_of_the_mention(text: str) -> None:
    start, end = head_span(text)
    assert 0 <= start <= end <= len(text)
    assert text[start:end].strip() or not text.strip()


@pytest.mark.parametrize("part", ["training", "validation"])
def test_nearly_all_mentions_of_a_text_have_heads_of_their_own(part: LitbankSplit, data: Path) -> None:
    documents = read_litbank(data, part)
    shared = sum(count for document in documents for count in heads(document).values() if count > 1)
    assert shared <= 0.001 * sum(len(document.mentions) for document in documents)


def heads(document: AnnotatedDocument) -> Counter[int]:
    """Where the heads of a document's mentions stand, and how many mentions have each."""
    return Counter(start + head_span(document.text[start:end])[0] for start, end, *_ in document.mentions)
