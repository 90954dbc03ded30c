from __future__ import annotations

import json
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from human_study import TEXT, logs_of, small_study

from petra.errors import StudyError
from petra.log.memory_log import MemoryLog
from petra.study.design import Design
from petra.study.storage import check_place, read_logs, read_study, write_study
from petra.study.study import StudyModel, make_study


def test_a_study_survives_saving(tmp_path: Path) -> None:
    study = small_study(tmp_path / "study")
    assert read_study(tmp_path / "study") == study
    logs = read_logs(tmp_path / "study", study, 1)
    assert [log.text for log in logs] == [f"{TEXT} It was day 2."] * 2
    assert logs[0].overwrite_prob[0, 0] > logs[1].overwrite_prob[0, 0]


def test_links_cannot_be_guessed(tmp_path: Path) -> None:
    one, other = small_study(tmp_path / "one"), small_study(tmp_path / "other")
    tokens = [annotator.token for study in (one, other) for annotator in study.annotators]
    assert len(set(tokens)) == 8
    assert all(len(token) == 32 for token in tokens)
    assert one.id != other.id
    assert one.annotator(tokens[2]) == one.annotators[2]
    assert one.annotator(tokens[4]) is None
    assert one.annotator("") is None
    assert one.annotator("é") is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
def test_the_folder_is_its_owners_alone(tmp_path: Path) -> None:
    small_study(tmp_path / "study")
    assert stat.S_IMODE((tmp_path / "study").stat().st_mode) == 0o700


def test_a_study_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    small_study(tmp_path / "empty")
    with pytest.raises(StudyError, match="holds a study already"):
        check_place(tmp_path / "empty")
    (tmp_path / "file").write_text("x")
    with pytest.raises(StudyError, match="is not an empty folder"):
        small_study(tmp_path / "file")


def test_a_failure_leaves_nothing(tmp_path: Path) -> None:
    study = small_study(tmp_path / "study")

    def failing() -> Iterator[tuple[MemoryLog, MemoryLog]]:
        yield logs_of()
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        write_study(tmp_path / "new", study, failing())
    assert [path.name for path in tmp_path.iterdir()] == ["study"]


def test_what_is_no_study_is_told(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"No study at .*Make one with: petra study new"):
        read_study(tmp_path)
    small_study(tmp_path / "study")
    file = tmp_path / "study" / "study.json"
    values = json.loads(file.read_text(encoding="utf-8"))
    for damage in (
        {"annotators": [values["annotators"][0] | {"token": "../x"}]},
        {"annotators": [values["annotators"][0] | {"tasks": [{"document": 9, "order": [0, 1]}]}]},
        {"models": "none"},
    ):
        file.write_text(json.dumps(values | damage))
        with pytest.raises(StudyError, match="cannot be read as a study"):
            read_study(tmp_path / "study")
    file.write_text(json.dumps(values | {"schema": "petra.study/2"}))
    with pytest.raises(StudyError, match=r"format petra\.study/2; this version of PeTra reads petra\.study/1"):
        read_study(tmp_path / "study")


def test_models_of_one_name_cannot_be_told_apart() -> None:
    with pytest.raises(StudyError, match="the same name"):
        make_study(models=[StudyModel("m", 8)] * 2, documents=["d"], design=Design(num_documents=1))
    with pytest.raises(StudyError, match="for 50 documents, and there are 1"):
        make_study(models=[StudyModel("m", 8), StudyModel("n", 8)], documents=["d"], design=Design())
