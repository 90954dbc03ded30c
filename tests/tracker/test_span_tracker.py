"""A model with a span head: its texts are read mention by mention, and token by token where links are asked for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from tiny import tiny_span_model

import petra
from petra.domain import Event
from petra.errors import ConfigError, ModelError
from petra.memory.inference.text_reader import TextReader
from petra.people.finding import collect, find_people
from petra.tracker import Tracker
from petra.trained import load_trained, save_trained

STORY = (
    "Amelia Shepherd met Paul at the house of Lena Brook. She told him that his sister saw the king, "
    'and he said: "Who is she?" Doctor Paul Brook was her friend. '
)
TEXTS = [STORY * 3, "", "Paul.", " \n\t ", STORY, "She said: 👩‍👧 é̂ דוד\r\n" + STORY]


@pytest.fixture(scope="module")
def folder(tiny_encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_span_model(tmp_path_factory.mktemp("models") / "tiny-spans", tiny_encoder)


@pytest.fixture(scope="module")
def tracker(folder: Path) -> Tracker:
    return petra.load(folder, device="cpu")


def spans(people: tuple[petra.Person, ...]) -> list[list[tuple[int, int]]]:
    return [[(mention.start, mention.end) for mention in person.mentions] for person in people]


@pytest.mark.parametrize("text", TEXTS)
def test_the_people_are_those_of_the_spans(tracker: Tracker, text: str) -> None:
    tracking = tracker.track(text)
    log = tracking.log
    assert (log.text, log.model, log.num_cells) == (text, "tiny-spans", 4)
    mentions = [mention for person in tracking.people for mention in person.mentions]
    assert all(text[mention.start : mention.end] == mention.text for mention in mentions)
    # Every mention has its own head token, and the log says nothing elsewhere.
    assert np.count_nonzero(log.mention_prob) == len(mentions)
    np.testing.assert_allclose((log.coref_prob + log.overwrite_prob).sum(axis=1), log.mention_prob, atol=1e-6)


def test_people_are_found_and_found_again(tracker: Tracker) -> None:
    people = tracker.track(STORY * 3).people
    assert len(people) > 1
    assert any(len(person.mentions) > 1 for person in people)


def test_many_texts_have_the_people_of_each_and_streams_those_of_the_first_pass(tracker: Tracker) -> None:
    for text, tracking in zip(TEXTS, tracker.track_many(TEXTS), strict=True):
        assert spans(tracking.people) == spans(tracker.track(text).people)
        with tracker.stream() as stream:
            events = [event for place in range(0, len(text), 50) for event in stream.feed(text[place : place + 50])]
        assert spans(collect([*events, *stream.finish()])) == spans(collect(first_pass(tracking)))


def first_pass(tracking: petra.Tracking) -> list[Event]:
    mentions = tracking.log.mentions
    assert mentions is not None
    return [
        replace(event, person_id=mention.read_as or 0)
        for event, mention in zip(mentions.events(tracking.text), mentions, strict=True)
    ]


def test_the_people_of_the_log_are_those_tracked(tracker: Tracker) -> None:
    for text in TEXTS:
        tracking = tracker.track(text)
        assert find_people(tracking.log) == tracking.people


def test_every_mention_can_be_explained(tracker: Tracker) -> None:
    tracking = tracker.track(STORY)
    for person in tracking.people:
        explanation = tracking.explain(person.mentions[-1])
        assert (explanation.mention, explanation.person_id) == (person.mentions[-1], person.id)
        assert explanation.moved_to in (None, person.name)


def test_the_log_that_people_were_found_with_is_another_than_that_of_the_tokens(tracker: Tracker) -> None:
    [of_people], [of_tokens] = tracker.people_logs([STORY], cells=3), tracker.logs([STORY], cells=3)
    np.testing.assert_allclose(of_people.mention_prob, tracker.track(STORY, cells=3).log.mention_prob, atol=1e-5)
    features = torch.cat(list(tracker.encoder.encode(tracker.encoder.tokenizer.tokenize(STORY))))
    rows = TextReader(tracker.network, 3).read(features)  # type: ignore[arg-type]
    np.testing.assert_allclose(of_tokens.mention_prob, rows.mention_prob, atol=1e-6)
    np.testing.assert_allclose(of_tokens.coref_prob, rows.coref_prob, atol=1e-6)


def test_cells_and_threshold_can_be_chosen(tracker: Tracker) -> None:
    tracking = tracker.track(STORY, cells=9, threshold=0.75)
    assert (tracking.log.num_cells, tracking.log.threshold) == (9, 0.75)
    assert np.all((tracking.log.mention_prob == 0) | (tracking.log.mention_prob >= 0.75))
    with pytest.raises(ConfigError, match="choose 1 or more"):
        tracker.track_many([STORY], cells=0)


def test_the_register_can_be_as_large_as_wished(folder: Path) -> None:
    tracker = petra.load(folder, device="cpu")
    assert tracker.register_size == 500
    tracker.register_size = 0  # whoever leaves the cells is forgotten
    assert len(tracker.track(STORY * 3, cells=1).people) >= len(tracker.track(STORY * 3, cells=9).people)
    tracker.register_size = -1
    with pytest.raises(ConfigError, match="A register of -1 people"):
        tracker.track(STORY)


@pytest.mark.parametrize("change", ["missing", "misshapen"])
def test_a_span_head_that_does_not_fit_is_told(folder: Path, tmp_path: Path, change: str) -> None:
    model = load_trained(folder)
    weights = dict(model.weights)
    if change == "missing":
        del weights["spans.bias"]
    else:
        weights["spans.out"] = weights["spans.out"][:3]
    save_trained(tmp_path, type(model)(name="odd", config=model.config, record=model.record, weights=weights))
    with pytest.raises(ModelError, match="The weights of the span head do not fit its configuration"):
        petra.load(tmp_path, device="cpu")
