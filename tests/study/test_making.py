from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from human_study import TEXT, logs_of
from numpy.testing import assert_allclose
from tiny import tiny_reader

import petra
from petra.errors import StudyError
from petra.evaluation.runs import ReadingModel
from petra.study.design import Design, Task
from petra.study.documents import StudyText
from petra.study.making import create_study
from petra.study.storage import read_logs, read_study
from petra.study.views import check_length, task_panels
from petra.tracker import Tracker

TEXTS = [StudyText(f"t{number}", f"Lena Brook met Paul {number} times. She told him.") for number in range(6)]


def test_every_model_reads_the_documents_drawn(tiny_tracker: Tracker, tiny_encoder: Path, tmp_path: Path) -> None:
    def readers() -> Iterator[ReadingModel]:
        yield tiny_tracker
        yield petra.load(tiny_reader(tmp_path / "reader", tiny_encoder), device="cpu")

    study = create_study(
        tmp_path / "study",
        readers=readers(),
        texts=TEXTS,
        design=Design(num_documents=4, set_size=2),
    )
    assert [(model.name, model.cells) for model in study.models] == [("tiny", 4), ("tiny-reader", 4)]
    assert set(study.documents) < {text.name for text in TEXTS}
    assert read_study(tmp_path / "study") == study
    for number, name in enumerate(study.documents):
        logs = read_logs(tmp_path / "study", study, number)
        text = TEXTS[int(name[1])].text
        assert [log.text for log in logs] == [text, text]
        assert [log.model for log in logs] == ["tiny", "tiny-reader"]
        assert_allclose(logs[0].coref_prob, tiny_tracker.track(text).log.coref_prob, atol=1e-4)


def test_a_model_against_itself_has_two_names(tiny_tracker: Tracker, tmp_path: Path) -> None:
    design = Design(num_documents=1)
    with pytest.raises(StudyError, match="the same name"):
        create_study(tmp_path / "study", readers=[tiny_tracker] * 2, texts=TEXTS, design=design)
    assert not (tmp_path / "study").exists()
    study = create_study(
        tmp_path / "study", readers=[tiny_tracker] * 2, texts=TEXTS, design=design, names=["a", "b"], cells=6
    )
    assert [(model.name, model.cells) for model in study.models] == [("a", 6), ("b", 6)]


def test_models_are_shown_in_the_order_of_the_task_and_without_their_names() -> None:
    logs = logs_of()
    first, second = task_panels(logs, Task(0, (1, 0)))
    (one,), (other,) = first.readings, second.readings
    assert (one.title, other.title) == ("Model A", "Model B")
    assert one.overwrite_prob[0, 0] == pytest.approx(0.6)  # the bad model's
    assert other.overwrite_prob[0, 0] == pytest.approx(0.9)
    assert first.columns == second.columns
    assert "".join(column.label for column in first.columns) == TEXT.replace(" ", "")  # no word is skipped
    assert one.cells == other.cells == (0, 1, 2)  # and no cell


def test_a_document_that_cannot_be_shown_whole_is_refused() -> None:
    long = logs_of(TEXT * 100)
    with pytest.raises(StudyError, match="The document novel has 2,800 tokens; annotators can be shown 2,000"):
        check_length(StudyText("novel", TEXT * 100), long)
    check_length(StudyText("story", TEXT), logs_of())
