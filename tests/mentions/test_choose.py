from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted_people import MAX_WIDTH, Mark, Spans, written
from strategies import texts

from petra.errors import ConfigError
from petra.mentions.choose import ClusterReader, DetectedMention, ScoredSpan, choose, trim
from petra.text.buffer import TextBuffer, TokenBuffer


def chosen(text: str, *marks: Mark, threshold: float = 0.5) -> list[str]:
    """The mentions found, in the order of their heads."""
    script = written(text, *marks)
    tail, tokens = TextBuffer(), TokenBuffer()
    tail.append(text)
    tokens.append(script.starts, script.ends, script.hidden)
    clusters = ClusterReader(threshold, MAX_WIDTH)
    whole = [
        *clusters.read(len(script.starts), script.candidates),
        *clusters.finish(len(script.starts)),
    ]
    return [text[span.start : span.end] for cluster in whole for span in choose(cluster, tail, tokens)]


def test_nested_mentions_are_kept_and_crossing_ones_are_not() -> None:
    marks: list[Mark] = [("Emma's father", "nominal", ""), (">Emma", "name", "")]
    assert chosen("Emma's father left.", *marks) == ["Emma", "Emma's father"]
    assert chosen("old Tom Brown left", ("old Tom", "name", "", 0.9), (">Tom Brown", "name", "", 0.8)) == ["old Tom"]


def test_two_mentions_never_have_one_head() -> None:
    text = "my dear Jane left"
    assert chosen(text, ("my dear Jane", "name", "", 0.7), (">Jane", "name", "", 0.8)) == ["Jane"]
    assert chosen(text, ("my dear Jane", "name", "", 0.8), (">Jane", "name", "", 0.7)) == ["my dear Jane"]
    # Of equally probable ones the longer.
    assert chosen(text, ("my dear Jane", "name", "", 0.7), (">Jane", "name", "", 0.7)) == ["my dear Jane"]


def test_a_couple_and_one_of_the_two() -> None:
    marks: list[Mark] = [("Mr. and Mrs. Bennet", "name", ""), (">Mrs. Bennet", "name", "")]
    assert chosen("Mr. and Mrs. Bennet came.", *marks) == ["Mr. and Mrs. Bennet", "Mrs. Bennet"]


def test_the_threshold_counts_in_the_precision_of_the_probabilities() -> None:
    assert chosen("Jane met Tom.", ("Jane", "name", "", 0.7), ("Tom", "name", "", 0.69), threshold=0.7) == ["Jane"]


def test_the_head_is_the_last_token_of_the_head_word() -> None:
    # Tokens of four letters: Fitz-will-iam, Darc-y, of, Pemb-erle-y.
    text = "Fitzwilliam Darcy of Pemberley"
    script = written(text, (text, "name", ""))
    tail, tokens = TextBuffer(), TokenBuffer()
    tail.append(text)
    tokens.append(script.starts, script.ends, script.hidden)
    assert choose([ScoredSpan(0, 8, "name", 0.75)], tail, tokens) == [
        DetectedMention(0, len(text), "name", 0.75, head=4)
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Jane", "Jane"),
        (' "Jane," ', "Jane"),
        ("Jane's", "Jane"),
        ("Jane’s", "Jane"),
        ("the Bennets'", "the Bennets"),
        ("Emma's father", "Emma's father"),
        ("(Mr. Bennet)", "Mr. Bennet"),
        ("John Long, Esq.", "John Long, Esq."),
        ("Captain B.", "Captain B."),
        ("his mother.", "his mother"),
        ("Rene\u0301", "Rene\u0301"),
        ("Rene\u0301's", "Rene\u0301"),
        ("—", ""),
        ("", ""),
        ("'s", "s"),  # nobody's, but a word
    ],
)
def test_a_mention_is_trimmed_to_written_words(text: str, words: str) -> None:
    start, end = trim(text)
    assert text[start:end] == words


@given(texts())
def test_trimming_leaves_nothing_to_trim(text: str) -> None:
    start, end = trim(text)
    assert 0 <= start <= end <= len(text)
    if start < end:
        assert text[start].isalnum()
        assert not text[start:end].isspace()


def test_impossible_settings_are_told() -> None:
    with pytest.raises(ConfigError, match=r"threshold is 1\.5"):
        ClusterReader(1.5, 3)
    with pytest.raises(ConfigError, match="widest span is 0"):
        ClusterReader(0.5, 0)


@st.composite
def spans(draw: st.DrawFn, num_tokens: int, max_width: int) -> Spans:
    places = draw(
        st.lists(st.tuples(st.integers(0, num_tokens - 1), st.integers(0, max_width - 1)), max_size=30, unique=True)
    )
    inside = sorted((first, first + width) for first, width in places if first + width < num_tokens)
    shares = [draw(st.sampled_from([0.0, 0.25, 0.5])) for _ in inside for _ in range(2)]
    prob = np.zeros((len(inside), 3), dtype=np.float32)
    prob[:, :2] = np.array(shares, dtype=np.float32).reshape(-1, 2)
    first, last = np.array(inside, dtype=np.int64).reshape(-1, 2).T
    return Spans(first, last, prob)


@given(data=st.data(), num_tokens=st.integers(1, 60), max_width=st.integers(1, 5))
def test_clusters_do_not_depend_on_portions(data: st.DataObject, num_tokens: int, max_width: int) -> None:
    candidates = data.draw(spans(num_tokens, max_width))
    cuts = data.draw(st.lists(st.integers(0, num_tokens), max_size=6))
    whole = ClusterReader(0.5, max_width)
    expected = [*whole.read(num_tokens, candidates), *whole.finish(num_tokens)]
    reader = ClusterReader(0.5, max_width)
    found, settled = [], 0
    for begin, end in pairwise([0, *sorted(cuts), num_tokens]):
        kept = (candidates.last >= begin) & (candidates.last < end)
        piece = reader.read(end, Spans(*(array[kept] for array in candidates[:3])))
        assert all(settled <= candidate.first for cluster in piece for candidate in cluster)
        found += piece
        assert settled <= reader.settled <= max(0, end)
        settled = reader.settled
        assert all(candidate.last < settled for cluster in piece for candidate in cluster)
        assert settled >= end - 6 * max_width  # what waits is bounded
    found += reader.finish(num_tokens)
    assert found == expected
    for one, other in combinations(expected, 2):
        assert max(candidate.last for candidate in one) < min(candidate.first for candidate in other)
