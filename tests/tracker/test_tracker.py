from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from tiny import tiny_bert, tiny_model

import petra
from petra.errors import ConfigError, ModelError
from petra.log.memory_log import MemoryLog
from petra.people.finding import find_people
from petra.tracker import Tracker
from petra.trained import load_trained, save_trained

STORY = (
    "Amelia Shepherd met Paul at the house of Lena Brook. She told him that his sister saw the king, "
    'and he said: "Who is she?" Doctor Paul Brook was her friend. '
)
TEXTS = [STORY * 3, "", "Paul.", " \n\t ", STORY, "She said: 👩‍👧 é̂ דוד\r\n" + STORY, "Lena Brook met Paul."]


def assert_alike(one: MemoryLog, other: MemoryLog) -> None:
    assert (one.text, one.model, one.threshold) == (other.text, other.model, other.threshold)
    for name in ("starts", "ends", "words"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    for name in ("mention_prob", "coref_prob", "overwrite_prob", "usage"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), atol=1e-4, rtol=0)


def test_the_people_of_a_text(tiny_tracker: Tracker) -> None:
    tracking = tiny_tracker.track(STORY * 3, source="story.txt")
    assert (tracking.text, tracking.model, tracking.source) == (STORY * 3, "tiny", "story.txt")
    assert len(tracking.people) > 1
    assert tracking.people == find_people(tracking.log)
    assert any(len(person.mentions) > 1 for person in tracking.people)
    for person in tracking.people:
        for mention in person.mentions:
            assert tracking.text[mention.start : mention.end] == mention.text


def test_a_tracking_as_json(tiny_tracker: Tracker) -> None:
    tracking = tiny_tracker.track(STORY, source="story.txt")
    values = json.loads(tracking.to_json())
    assert values == tracking.to_dict() == json.loads(tracking.to_json(indent=None))
    assert (values["schema"], values["source"], values["model"]) == ("petra.tracking/1", "story.txt", "tiny")
    assert (values["characters"], values["tokens"]) == (len(STORY), tracking.log.num_tokens)
    assert "\n" not in tracking.to_json(indent=None)


def test_the_log_holds_the_whole_text_in_any_number_of_windows(tiny_tracker: Tracker) -> None:
    # The plain way: all features at once, every token in one piece.
    document = tiny_tracker.encoder.tokenizer.tokenize(STORY * 3)
    features = torch.cat(list(tiny_tracker.encoder.encode(document)))
    log = tiny_tracker.track(STORY * 3).log
    with torch.inference_mode():
        gates = tiny_tracker.network.read(features[None, :, None], torch.ones(len(document), 1, dtype=torch.bool))
    np.testing.assert_allclose(log.mention_prob, gates.mention_prob[0, :, 0], atol=1e-5)
    np.testing.assert_array_equal(log.words, document.words)
    assert log.num_tokens == len(document) > 100


@pytest.mark.parametrize("text", ["", " ", " \r\n\t \u00a0"])
def test_a_text_without_words_has_no_people(tiny_tracker: Tracker, text: str) -> None:
    tracking = tiny_tracker.track(text)
    assert (tracking.people, tracking.log.num_tokens, tracking.log.text) == ((), 0, text)
    assert tracking.to_dict()["people"] == []


def test_a_tracker_is_called_with_one_text_or_several(tiny_tracker: Tracker) -> None:
    alone = tiny_tracker.track(STORY, threshold=0.125)
    assert tiny_tracker(STORY, threshold=0.125).to_dict() == alone.to_dict()
    first, second = tiny_tracker([STORY, ""], threshold=0.125)
    assert first.to_dict() == alone.to_dict()
    assert second.people == ()


def test_many_texts_come_back_in_order(tiny_tracker: Tracker) -> None:
    trackings = list(tiny_tracker.track_many(TEXTS))
    assert [tracking.text for tracking in trackings] == TEXTS
    for tracking, text in zip(trackings, TEXTS, strict=True):
        alone = tiny_tracker.track(text)
        assert_alike(tracking.log, alone.log)
        assert [person.name for person in tracking.people] == [person.name for person in alone.people]


def test_long_texts_among_many_are_read_window_by_window(
    tiny_tracker: Tracker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("petra.tracker.BATCH_TOKENS", 30)
    whole: list[int] = []
    encode_many = tiny_tracker.encoder.encode_many

    def watched(documents: Iterator[petra.Document]) -> Iterator[torch.Tensor]:
        for features in encode_many(documents):
            whole.append(len(features))
            yield features

    monkeypatch.setattr(tiny_tracker.encoder, "encode_many", watched)
    logs = list(tiny_tracker.logs(TEXTS))
    assert [log.text for log in logs] == TEXTS
    assert max(whole) <= 30 < max(log.num_tokens for log in logs)
    for log in logs:
        assert_alike(log, tiny_tracker.track(log.text).log)


def test_many_texts_are_taken_as_they_are_needed(tiny_tracker: Tracker) -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield STORY * 20

    trackings = tiny_tracker.track_many(endless())
    assert taken == 0
    assert next(trackings).text == next(trackings).text == STORY * 20
    assert taken < 100


def test_one_text_for_many_is_a_mistake(tiny_tracker: Tracker) -> None:
    with pytest.raises(TypeError, match=r"use Tracker\.track"):
        tiny_tracker.track_many(STORY)


def test_cells_and_threshold_can_be_chosen(tiny_tracker: Tracker) -> None:
    tracking = tiny_tracker.track(STORY, cells=9, threshold=0.125)
    assert (tracking.log.num_cells, tracking.log.threshold) == (9, 0.125)
    [of_many] = tiny_tracker.track_many([STORY], cells=9, threshold=0.125)
    assert_alike(of_many.log, tracking.log)
    assert tiny_tracker.track(STORY, threshold=1).people == ()
    [log] = tiny_tracker.logs([STORY], cells=2)
    assert (log.num_cells, log.threshold) == (2, tiny_tracker.threshold)


def test_impossible_choices_are_told_before_anything_is_read(tiny_tracker: Tracker) -> None:
    for call in (tiny_tracker.track, lambda text, **options: tiny_tracker.track_many([text], **options)):
        with pytest.raises(ConfigError, match=r"The threshold is 1\.5"):
            call(STORY, threshold=1.5)
        with pytest.raises(ConfigError, match="choose 1 or more"):
            call(STORY, cells=0)


def test_the_learned_variants_keep_their_cells(tiny_encoder: Path, tmp_path: Path) -> None:
    tracker = petra.load(tiny_model(tmp_path / "keyed", tiny_encoder, variant="fixed-key"), device="cpu")
    assert tracker.track(STORY).log.num_cells == 4
    with pytest.raises(ConfigError, match="5 cells were asked for, but a fixed-key model has the 4"):
        tracker.track(STORY, cells=5)


def test_the_whole_is_told_of(tiny_tracker: Tracker) -> None:
    reports: list[tuple[int, int]] = []
    tracking = tiny_tracker.track(STORY * 300, report=lambda done, whole: reports.append((done, whole)))
    assert len(reports) > 1
    assert {whole for _, whole in reports} == {tracking.log.num_tokens}
    assert reports[-1][0] == tracking.log.num_tokens


def test_loading_takes_name_threshold_and_recipe_from_the_folder(tiny_model: Path, tmp_path: Path) -> None:
    tracker = petra.load(tiny_model, device="cpu")
    assert (tracker.name, tracker.threshold) == ("tiny", 0.5)  # 0.25 of the record is for links
    assert tracker.config == load_trained(tiny_model).config
    model = load_trained(tiny_model)
    changed = type(model)(
        name="other", config=model.config, record={**model.record, "people_threshold": 0.75}, weights=model.weights
    )
    save_trained(tmp_path / "other", changed)
    assert petra.load(tmp_path / "other", device="cpu").threshold == 0.75


def test_an_encoder_of_another_size_is_told(tiny_model: Path, tmp_path: Path) -> None:
    tiny_bert(tmp_path / "wide", hidden_size=24)
    folder = shutil.copytree(tiny_model, tmp_path / "model")
    config = (folder / "config.toml").read_text(encoding="utf-8")
    own = load_trained(tiny_model).config.encoder.name
    (folder / "config.toml").write_text(config.replace(own, (tmp_path / "wide").as_posix()), encoding="utf-8")
    record = json.loads((folder / "record.json").read_text(encoding="utf-8"))
    del record["config_sha256"]
    (folder / "record.json").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(ModelError, match=r"The model tiny reads 32 features .*layers \[2, 3\], gives 48"):
        petra.load(folder, device="cpu")


@pytest.mark.parametrize("change", ["missing", "misshapen", "unknown"])
def test_weights_that_do_not_fit_are_told(tiny_model: Path, tmp_path: Path, change: str) -> None:
    model = load_trained(tiny_model)
    weights = dict(load_file(tiny_model / "model.safetensors"))
    if change == "missing":
        del weights["recurrent_inputs"]
    elif change == "misshapen":
        weights["update"] = weights["update"][:, :3]
    else:
        weights["more"] = torch.zeros(1)
    save_trained(tmp_path, type(model)(name="odd", config=model.config, record=model.record, weights=weights))
    with pytest.raises(ModelError, match="The weights of the model odd do not fit its configuration"):
        petra.load(tmp_path, device="cpu")
