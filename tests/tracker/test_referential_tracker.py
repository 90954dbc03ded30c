"""A Referential Reader in the place of PeTra: the same commands read texts with it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from tiny import tiny_reader

import petra
from petra.bench import measure
from petra.config import MemoryConfig
from petra.errors import ConfigError, ModelError
from petra.memory.referential.network import ReferentialReader
from petra.memory.referential.text_reader import ReferentialTextReader
from petra.tracker import Tracker
from petra.trained import load_trained, save_trained

STORY = "Amelia Shepherd met Paul at the house of Lena Brook. She told him that his sister saw the king. " * 3


@pytest.fixture(scope="module")
def tracker(tiny_encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Tracker:
    return petra.load(tiny_reader(tmp_path_factory.mktemp("models") / "tiny-reader", tiny_encoder), device="cpu")


def test_the_log_is_that_of_the_whole_text_read_at_once(tracker: Tracker) -> None:
    document = tracker.encoder.tokenizer.tokenize(STORY)
    features = torch.cat(list(tracker.encoder.encode(document)))
    with torch.inference_mode():
        gates = tracker.network.read(features[None, :, None], torch.ones(len(document), 1, dtype=torch.bool))
    log = tracker.track(STORY).log
    assert (log.model, log.num_cells, log.num_tokens) == ("tiny-reader", 4, len(document))
    assert_allclose(log.mention_prob, gates.mention_prob[0, :, 0], atol=1e-5)
    assert_allclose(log.coref_prob, gates.coref_prob[0, :, 0], atol=1e-5)
    assert_allclose(log.overwrite_prob, gates.overwrite_prob[0, :, 0], atol=1e-5)
    assert_allclose(log.usage, gates.usage[0, :, 0], atol=1e-5)
    assert log.overwrite_prob.max() > 0.2  # something is decided


def test_the_pieces_do_not_matter(tracker: Tracker) -> None:
    network = tracker.network
    assert isinstance(network, ReferentialReader)
    features = torch.randn(9, network.input_size, generator=torch.Generator().manual_seed(1))
    whole = ReferentialTextReader(network).read(features)
    reader = ReferentialTextReader(network)
    pieces = [reader.read(piece) for piece in features.split([4, 0, 5])]
    for name in whole._fields:
        parts = np.concatenate([getattr(piece, name) for piece in pieces])
        assert_allclose(parts, getattr(whole, name), atol=1e-6)


def test_many_texts_and_streams(tracker: Tracker) -> None:
    alone = tracker.track(STORY).log
    among = list(tracker.logs(["Paul.", STORY, ""]))[1]
    assert_allclose(among.coref_prob, alone.coref_prob, atol=1e-4)
    with tracker.stream() as stream:
        events = [*stream.feed(STORY[:50]), *stream.feed(STORY[50:]), *stream.finish()]
    assert len(events) == sum(len(person.mentions) for person in tracker.track(STORY).people)


def test_it_has_the_cells_it_was_trained_with(tracker: Tracker) -> None:
    assert tracker.track("Paul met Lena.", cells=4).log.num_cells == 4
    with pytest.raises(ConfigError, match="6 cells were asked for, but a referential-reader model has the 4"):
        tracker.track("Paul met Lena.", cells=6)


def test_a_text_is_read_by_one_model() -> None:
    two = ReferentialReader(MemoryConfig(num_cells=2, hidden_size=4, variant="referential-reader"), 3, seeds=(1, 2))
    with pytest.raises(ConfigError, match="the network holds 2"):
        ReferentialTextReader(two)


def test_weights_of_another_kind_are_told(tracker: Tracker, tiny_model: Path, tmp_path: Path) -> None:
    model = load_trained(tiny_model)
    config = tracker.config
    save_trained(tmp_path / "mixed", type(model)(name="m", config=config, record=model.record, weights=model.weights))
    with pytest.raises(ModelError, match="do not fit its configuration"):
        petra.load(tmp_path / "mixed")


def test_the_timing_is_of_petra(tracker: Tracker) -> None:
    with pytest.raises(ConfigError, match="tiny-reader is a Referential Reader"):
        measure(tracker)
