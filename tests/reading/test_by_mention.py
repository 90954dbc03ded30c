"""People read mention by mention from features, by a tiny random model with a span head."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from petra.config import MemoryConfig, SpanConfig
from petra.linking.scorer import initial_weights
from petra.memory.network import Network
from petra.mentions.span_head import SpanHead
from petra.reading.by_mention.reader import ByMentionReader
from petra.reading.reader import Reading
from petra.reading.stream import Stream
from petra.text.piece import Piece
from petra.tracker import Tracker

STORY = "Amelia Shepherd met Paul. “I know you,” said his mother, Emma Woodhouse. She left him with Mr. Knightley. "
FEATURES, CELLS, WIDTH = 4, 3, 5


def reader_of(features: int = FEATURES) -> ByMentionReader:
    network = Network(MemoryConfig(num_cells=CELLS, hidden_size=6, mlp_size=5, key_size=2), features, seeds=(1,))
    head = SpanHead(SpanConfig(max_width=WIDTH, size=8), features, seed=2)
    with torch.no_grad():  # so that a good part of the spans are mentions, and people are found again
        head.out.mul_(6)
        head.out_bias.fill_(-0.5)
        network.similarity_out.mul_(20)
        network.similarity_out_bias.fill_(20)
    return ByMentionReader(
        network.requires_grad_(False),
        head.requires_grad_(False),
        threshold=0.5,
        register_size=4,
        weights=initial_weights(),
    )


def tokens_of(text: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, torch.Tensor]:
    """Tokens of up to four letters, and random features."""
    words = list(re.finditer(r"[^\W_]+|[^\w\s]", text))
    rows = [
        (begin, min(begin + 4, word.end()), number)
        for number, word in enumerate(words)
        for begin in range(word.start(), word.end(), 4)
    ]
    starts, ends, numbers = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    features = torch.randn(len(rows), FEATURES, generator=torch.Generator().manual_seed(0))
    return starts, ends, numbers, features


def read(text: str, cuts: list[int]) -> Reading:
    starts, ends, words, features = tokens_of(text)
    reader, readings, fed = reader_of(), [], 0
    places = [0, *sorted(cut for cut in cuts if cut < len(starts)), len(starts)]
    for begin, end in pairwise(places):
        reach = int(ends[end - 1]) if end else 0
        readings.append(
            reader.feed(
                Piece(text[fed:reach], starts[begin:end], ends[begin:end], words[begin:end]), features[begin:end]
            )
        )
        fed = max(fed, reach)
    whole = readings[0]
    for reading in [*readings[1:], reader.finish()]:
        whole = whole.followed_by(reading)
    return whole


@settings(max_examples=40)
@given(times=st.integers(0, 3), cuts=st.lists(st.integers(0, 120), max_size=8))
def test_the_pieces_do_not_matter(times: int, cuts: list[int]) -> None:
    text = STORY * times
    whole, pieces = read(text, []), read(text, cuts)
    flat = [
        [(event.person_id, event.is_new, event.mention.start, event.mention.text) for event in reading.events]
        for reading in (whole, pieces)
    ]
    assert flat[0] == flat[1]
    assert all(text[event.mention.start : event.mention.end] == event.mention.text for event in whole.events)
    for ours, theirs in zip(pieces.rows, whole.rows, strict=True):
        assert len(ours) == len(tokens_of(text)[0])
        np.testing.assert_allclose(ours, theirs, atol=1e-5)


def test_a_stream_tells_the_same_wherever_the_text_is_cut(tiny_tracker: Tracker) -> None:
    def events(pieces: list[str]) -> list[tuple[object, ...]]:
        with Stream(tiny_tracker.encoder, reader_of(tiny_tracker.encoder.size)) as stream:
            found = [event for piece in pieces for event in stream.feed(piece)]
        found += stream.finish()
        assert stream.num_mentions == len(found)
        return [(event.person_id, event.is_new, event.mention.start, event.mention.text) for event in found]

    text = STORY * 3
    whole = events([text])
    assert whole
    assert events([text[place : place + 7] for place in range(0, len(text), 7)]) == whole
    assert events(list(text)) == whole


def test_people_are_found_and_found_again() -> None:
    events = read(STORY * 3, []).events
    assert any(event.is_new for event in events)
    assert any(not event.is_new for event in events)


def test_what_is_kept_does_not_grow() -> None:
    starts, ends, words, features = tokens_of(STORY)
    reader = reader_of()
    for turn in range(20):
        place = turn * len(STORY)
        reader.feed(Piece(STORY, starts + place, ends + place, words + turn * (int(words[-1]) + 1)), features)
        assert reader._tokens.shape[1] <= WIDTH + 3  # the widest span, and the last word
        assert len(reader._resolver._linker._discourse._profiles) <= CELLS + 4
