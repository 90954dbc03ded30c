from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petra.corpora.running_text import write_out


def written(*sentences: str) -> str:
    return write_out([sentence.split(" ") for sentence in sentences]).text


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("Ada , Ruth ; and Paul : gone !", "Ada, Ruth; and Paul: gone!"),
        ("Paul 's hat is n't here , I 'll go", "Paul's hat isn't here, I'll go"),
        ("Paul ’s hat is n’t here", "Paul’s hat isn’t here"),
        ("the boys ' room", "the boys' room"),
        ("tell 'em", "tell 'em"),
        ("Kew ( a town ) grew", "Kew (a town) grew"),
        ("“ ‘ Yes , ’ he said , ” said she", "“‘Yes,’ he said,” said she"),
        ("Ada -- my friend -- left", "Ada--my friend--left"),
        ("it cost $ 5", "it cost $5"),
        ("the _ Times _ , of Kew", "the _Times_, of Kew"),
        ("wait ... here", "wait... here"),
    ],
)
def test_marks_go_to_their_words(tokens: str, text: str) -> None:
    assert written(tokens) == text


def test_straight_quotes_are_told_apart() -> None:
    assert written('" Go , " he said , " at once . "', '" I will . "') == '"Go," he said, "at once." "I will."'


def test_speech_goes_on_over_sentences() -> None:
    assert written('" Go .', 'At once , " he said .') == '"Go. At once," he said.'


def test_each_paragraph_of_a_speech_opens_anew() -> None:
    assert written('" Go .', '" At once . "', '" No . "') == '"Go. "At once." "No."'


def test_a_single_quote_opens_and_closes_and_leaves_apostrophes_alone() -> None:
    assert written("' The boys ' room , ' he said , ' is shut . '") == "'The boys' room,' he said, 'is shut.'"


def test_a_dash_at_the_edge_of_a_sentence_stays_there() -> None:
    assert written("I saw --", "-- Come in !") == "I saw-- --Come in!"


TOKENS = st.one_of(
    st.sampled_from([",", ".", '"', "'", "_", "(", ")", "--", "“", "”", "'s", "n't", "Ada", "goin", "..."]),
    st.text(st.characters(exclude_categories=["Cs", "Z", "Cc"]), min_size=1, max_size=4),
)


@given(st.lists(st.lists(TOKENS, min_size=1, max_size=8), max_size=5))
def test_every_token_stands_where_it_is_said_to(sentences: list[list[str]]) -> None:
    running = write_out(sentences)
    assert [[running.text[start:end] for start, end in places] for places in running.places] == sentences
    ends = [0, *(end for places in running.places for _, end in places)]
    starts = [*(start for places in running.places for start, _ in places), len(running.text)]
    assert all(running.text[end:start] in ("", " ") for end, start in zip(ends, starts, strict=True))
