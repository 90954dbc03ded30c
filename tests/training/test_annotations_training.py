from __future__ import annotations

from pathlib import Path

import pytest
import torch
from tiny import tiny_span_model

from petra.corpora.annotated import AnnotatedDocument, GoldMention
from petra.errors import ConfigError, DataError
from petra.tracker import load
from petra.trained import load_trained, save_trained
from petra.training.annotations import fine_tune, part_documents

TEXT = "Amelia Shepherd met Paul Brook. She told him the house was hers."


def document(number: int) -> AnnotatedDocument:
    people = {"1": ("Amelia Shepherd", "She"), "2": ("Paul Brook", "him")}
    mentions = [
        GoldMention(TEXT.index(words), TEXT.index(words) + len(words), "name" if " " in words else "pronoun", entity)
        for entity, own in people.items()
        for words in own
    ]
    return AnnotatedDocument(id=str(number), text=TEXT, mentions=tuple(sorted(mentions)))


@pytest.fixture(scope="module")
def model(tiny_encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_span_model(tmp_path_factory.mktemp("models") / "tiny-spans", tiny_encoder)


def test_a_fifth_is_held_out_and_a_fifth_chooses(model: Path) -> None:
    parts = part_documents(load(model, device="cpu"), [document(number) for number in range(10)], seed=1)
    assert [len(part) for part in parts] == [6, 2, 2]
    assert len({each.id for part in parts for each in part}) == 10


def test_too_little_is_told(model: Path) -> None:
    with pytest.raises(DataError, match="expected three texts"):
        part_documents(load(model, device="cpu"), [document(1)], seed=1)


def test_a_model_learns_and_is_saved_with_its_scores(model: Path, tmp_path: Path) -> None:
    trained = load_trained(model)
    steps: list[tuple[int, int]] = []
    tuned = fine_tune(
        trained,
        [document(number) for number in range(6)],
        name="mine",
        epochs=2,
        report=lambda done, whole: steps.append((done, whole)),
    )
    assert steps[-1] == (4, 4)  # two epochs over four passages, two a step
    saved = save_trained(tmp_path / "mine", tuned.model)
    assert saved.name == "mine"
    assert saved.record["fine_tuned"]["from"] == "tiny-spans"
    assert saved.record["fine_tuned"]["texts"] == {"learned": 4, "choosing": 1, "held_out": 1}
    adapted = [name for name in trained.weights if name.startswith("adapter")]
    assert all(torch.equal(tuned.model.weights[name], trained.weights[name]) for name in adapted)
    is_same = all(torch.equal(tuned.model.weights[name], value) for name, value in trained.weights.items())
    assert is_same == (tuned.share == 0)
    if tuned.share == 0 and tuned.threshold == trained.people_threshold:
        assert tuned.before == tuned.after


def test_models_that_read_token_by_token_do_not_learn_so(tiny_model: Path) -> None:
    with pytest.raises(ConfigError, match="token by token"):
        fine_tune(load_trained(tiny_model), [document(1)], name="x")
