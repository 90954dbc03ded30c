"""What a text tells of its spans: mentions, no mentions, and those of which nobody knows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny import tiny_bert

from petra.corpora.gap import Span
from petra.corpora.names import Names
from petra.domain import KINDS
from petra.mentions.span_head import whole_words
from petra.text.tokenize import Tokenizer
from petra.training.data.instances.span_labels import span_labels

NAMES = Names(female=frozenset({"Ada", "Ruth"}), male=frozenset({"Paul"}))
WIDTH = 40
TEXT = (
    "Corvell met Ada Vale in Lisbon. She joined the Silver Lantern Band, and Corvell's assistant Pym left them. "
    "Vale praised the Oakham River and Dr. Lund."
)


@pytest.fixture(scope="session")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    return Tokenizer.from_folder(tiny_bert(tmp_path_factory.mktemp("labels") / "tiny-bert"))


def labelled(tokenizer: Tokenizer, text: str, *known: str) -> tuple[dict[str, str], dict[str, float]]:
    """The mentions with their kinds, and the spans of whole words that do not count in full, by their text."""
    document = tokenizer.tokenize(text)
    places = [Span(text.index(name), text.index(name) + len(name)) for name in known]
    kind, weight = span_labels(document, places, NAMES, WIDTH)
    inside = whole_words(document.words, WIDTH)

    def written(place: tuple[int, int]) -> str:
        first, width = place
        return text[document.starts[first] : document.ends[first + width]]

    assert not weight[~inside].any()
    assert not kind[weight == 0].any()
    return (
        {written(place): KINDS[kind[place] - 1] for place in zip(*np.nonzero(kind), strict=True)},
        {
            written(place): round(float(weight[place]), 2)
            for place in zip(*np.nonzero(inside & (weight < 1)), strict=True)
        },
    )


def test_what_a_text_tells(tokenizer: Tokenizer) -> None:
    mentions, doubtful = labelled(tokenizer, TEXT, "Corvell")
    assert mentions == {"Corvell": "name", "Ada Vale": "name", "She": "pronoun", "Vale": "name", "Dr. Lund": "name"}
    assert "Lisbon" not in doubtful  # after "in", so no person
    assert "Ada" not in doubtful  # a part of a name is none
    assert doubtful["Pym"] == doubtful["Corvell's assistant"] == doubtful["them"] == 0


def test_a_name_without_a_listed_first_name_is_rather_a_thing(tokenizer: Tokenizer) -> None:
    _, doubtful = labelled(tokenizer, "Then Silver Lantern played. Marble Grove Hotel burned.")
    assert doubtful == {"Silver Lantern": 0.4}  # and a hotel is one


def test_a_name_that_was_brought_in_may_be_part_of_a_longer_mention(tokenizer: Tokenizer) -> None:
    mentions, doubtful = labelled(tokenizer, "They saw her friend Ruth Orme.")
    assert mentions == {"her": "pronoun", "Ruth Orme": "name"}
    assert doubtful.keys() >= {"her friend", "her friend Ruth Orme", "They"}
    assert "saw her friend" not in doubtful


@pytest.mark.parametrize(
    ("text", "nominals"),
    [
        ("Her old teacher was late.", ["Her old teacher"]),
        ("He met the judge, Ada Vale, and a lawyer.", ["the judge", "a lawyer"]),
        ("She was the youngest daughter of Ada Vale.", ["the youngest daughter of Ada Vale"]),
        ("His wife left when the suspect appeared.", ["His wife", "the suspect"]),
        # The phrase may go on, or be a name, or of no person.
        ("The daughter of a farmer met the man in the hat.", []),
        ("A girl named Lena saw the nurse who came and their friend Pym.", []),
        ("The Queen played the student union and a chair.", []),
    ],
)
def test_a_phrase_that_ends_with_a_word_for_people_is_a_nominal(
    tokenizer: Tokenizer, text: str, nominals: list[str]
) -> None:
    mentions, _ = labelled(tokenizer, text, *(["Ada Vale"] if "Ada" in text else []))
    assert [mention for mention, kind in mentions.items() if kind == "nominal"] == nominals


@given(text=st.text("AdaRuth Pevl's.,\n", max_size=40))
def test_any_text_can_be_labelled(tokenizer: Tokenizer, text: str) -> None:
    document = tokenizer.tokenize(text)
    kind, weight = span_labels(document, [], NAMES, 5)
    assert kind.shape == weight.shape == (len(document), 5)
    assert np.all(weight[kind > 0] > 0)
