from __future__ import annotations

from pathlib import Path

from human_study import serving, small_study
from study_load import all_visits, faults

from petra.study.answers import Answers


def test_fifty_annotators_at_once_lose_and_double_nothing(tmp_path: Path, database: str) -> None:
    study = small_study(tmp_path / "study", documents=75, set_size=3, rounds=2)
    assert len(study.annotators) == 50
    with serving(tmp_path / "study", "--database", database) as server:
        visits = all_visits(server.port, study)
    with Answers(database, study.id) as answers:
        assert faults(visits, answers) == []
        assert len(answers.all()) == study.num_tasks == 150
