from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from petra.config import EncoderConfig
from petra.encoder.pretrained import PretrainedEncoder
from petra.encoder.stream import FeatureStream


@pytest.fixture(scope="module")
def encoder(tiny_encoder: Path) -> PretrainedEncoder:
    return PretrainedEncoder.load(EncoderConfig(name=str(tiny_encoder), layers=(2, 3), window=10, margin=3))


@given(num_tokens=st.integers(0, 60), data=st.data())
def test_a_stream_gives_the_features_of_the_whole(
    encoder: PretrainedEncoder, num_tokens: int, data: st.DataObject
) -> None:
    document = encoder.tokenizer.tokenize("Amelia met Paul and he told her , " * 8)
    whole = encoder.tokenizer.tokenize(document.text[: document.starts[num_tokens]])
    places = sorted(data.draw(st.lists(st.integers(0, num_tokens))))
    stream = FeatureStream(encoder)
    pieces = [stream.feed(tokens) for tokens in np.split(whole.token_ids, places)] + [stream.finish()]
    expected = torch.cat([torch.zeros(0, encoder.size), *encoder.encode(whole)])
    assert_close(torch.cat(pieces), expected, atol=1e-5, rtol=0)


def test_features_come_as_soon_as_a_token_follows_the_window(encoder: PretrainedEncoder) -> None:
    tokens = encoder.tokenizer.tokenize("he " * 11).token_ids
    stream = FeatureStream(encoder)
    assert stream.feed(tokens[:10]).shape == (0, 32)
    assert stream.feed(tokens[10:]).shape == (7, 32)  # all but the right margin of the first window
    assert stream.finish().shape == (4, 32)
