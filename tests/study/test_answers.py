"""Answers in either database: kept at once, never twice, and never lost to an older page."""

from __future__ import annotations

import secrets
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path

import pytest
from postgres import Cluster
from sqlalchemy import create_engine, text

from petra.errors import StudyError
from petra.study.answers import Answers, Saved
from petra.study.databases import database_of


@pytest.fixture
def answers(database: str) -> Iterator[Answers]:
    with Answers(database, secrets.token_hex(8)) as opened:
        yield opened


def give(
    answers: Answers, choice: str, comment: str = "", *, annotator: int = 1, place: int = 0, based_on: int = 0
) -> Saved:
    return answers.save(annotator=annotator, place=place, choice=choice, comment=comment, based_on=based_on)


def test_an_answer_is_kept(answers: Answers) -> None:
    before = datetime.now(timezone.utc)
    saved = give(answers, "A", "Süß 👩‍👧 \"';--", annotator=3, place=7)
    assert saved.outcome == "saved"
    (kept,) = answers.all()
    assert kept == answers.of(3)[7] == saved.answer
    assert (kept.choice, kept.comment, kept.version) == ("A", "Süß 👩‍👧 \"';--", 1)
    assert before <= kept.answered_at <= datetime.now(timezone.utc)
    assert answers.of(1) == {}


def test_the_same_answer_again_changes_nothing(answers: Answers) -> None:
    first = give(answers, "A", "yes")
    again = give(answers, "A", "yes")
    assert (first.outcome, again.outcome, again.answer) == ("saved", "unchanged", first.answer)
    assert len(answers.history()) == 1


def test_a_changed_answer_keeps_its_history(answers: Answers) -> None:
    give(answers, "A")
    assert give(answers, "neutral", "on second thoughts", based_on=1).outcome == "saved"
    assert [(each.choice, each.version) for each in answers.all()] == [("neutral", 2)]
    assert [(each.choice, each.version) for each in answers.history()] == [("A", 1), ("neutral", 2)]


def test_the_time_spent_adds_up(answers: Answers) -> None:
    def spend(choice: str, based_on: int, seconds: int | None) -> int | None:
        saved = answers.save(annotator=1, place=0, choice=choice, comment="", based_on=based_on, seconds=seconds)
        assert saved.answer is not None
        return saved.answer.seconds

    assert spend("A", 0, 40) == 40
    assert spend("B", 1, 25) == 65
    assert spend("A", 2, None) is None  # nobody counted
    assert spend("B", 3, 5) == 5
    assert [each.seconds for each in answers.history()] == [40, 65, None, 5]


def test_a_database_of_an_earlier_version_gets_its_new_column(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'answers.sqlite'}"
    with Answers(url, "study") as answers:
        give(answers, "A")
    engine = create_engine(url)
    with engine.begin() as connection:
        for table in ("petra_answers", "petra_answer_history"):
            connection.execute(text(f"ALTER TABLE {table} DROP COLUMN seconds"))
    engine.dispose()
    with Answers(url, "study") as answers:
        assert [(each.choice, each.seconds) for each in answers.all()] == [("A", None)]
        answers.save(annotator=1, place=1, choice="B", comment="", based_on=0, seconds=12)
        assert answers.of(1)[1].seconds == 12


def test_an_older_page_does_not_replace_a_newer_answer(answers: Answers) -> None:
    give(answers, "A")
    refused = give(answers, "B")  # from a tab opened before
    assert refused.outcome == "outdated"
    assert refused.answer is not None
    assert (refused.answer.choice, refused.answer.version) == ("A", 1)
    give(answers, "B", based_on=1)
    assert give(answers, "neutral", based_on=1).outcome == "outdated"
    assert [each.choice for each in answers.all()] == ["B"]


def test_what_is_not_there_cannot_be_changed(answers: Answers) -> None:
    assert give(answers, "A", based_on=3) == Saved("outdated", None)
    assert answers.all() == answers.history() == []


def test_studies_share_a_database_and_nothing_else(database: str) -> None:
    with Answers(database, secrets.token_hex(8)) as one, Answers(database, secrets.token_hex(8)) as other:
        give(one, "A")
        give(other, "B")
        assert [each.choice for each in one.all()] == ["A"]
        assert [each.choice for each in other.history()] == ["B"]


def test_many_at_once_make_one_answer(answers: Answers) -> None:
    choices = ["A", "B", "neutral"] * 8
    with ThreadPoolExecutor(24) as pool:
        outcomes = [saved.outcome for saved in pool.map(lambda choice: give(answers, choice), choices)]
    assert outcomes.count("saved") == 1
    assert len(answers.all()) == len(answers.history()) == 1
    with ThreadPoolExecutor(24) as pool:
        changed = list(pool.map(lambda number: give(answers, "A", f"{number}", based_on=1), range(24)))
    assert [saved.outcome for saved in changed].count("saved") == 1
    assert [each.version for each in answers.history()] == [1, 2]


def test_an_answer_outlives_a_killed_process(database: str) -> None:
    study = secrets.token_hex(8)
    code = (
        "import os, sys\n"
        "from petra.study.answers import Answers\n"
        "answers = Answers(sys.argv[1], sys.argv[2])\n"
        "answers.save(annotator=1, place=0, choice='A', comment='', based_on=0)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", code, database, study], check=False, capture_output=True)
    with Answers(database, study) as answers:
        assert [each.choice for each in answers.all()] == ["A"]


def test_sqlite_commits_to_disk(tmp_path: Path) -> None:
    with Answers(database_of(tmp_path), "study") as answers, answers._engine.connect() as connection:
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(text("PRAGMA synchronous")).scalar() == 2  # FULL
        assert answers.place == f"sqlite:///{tmp_path / 'answers.sqlite'}"


def test_a_database_that_was_restarted_is_used_again(postgres: Cluster) -> None:
    with Answers(postgres.url, secrets.token_hex(8)) as answers:
        give(answers, "A")
        postgres.stop()
        with pytest.raises(StudyError, match="could not be saved"):
            give(answers, "B", based_on=1)
        postgres.start()
        assert give(answers, "B", based_on=1).outcome == "saved"
        assert [each.choice for each in answers.history()] == ["A", "B"]


def test_what_is_no_database_is_told(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="and this is mysql"):
        Answers("mysql://host/name", "study")
    with pytest.raises(StudyError, match=r"Give a URL such as postgresql://user@host/name"):
        Answers("answers.txt", "study")
    with pytest.raises(StudyError, match="could not be opened") as told:
        Answers(f"postgresql://petra:secret@/postgres?host={tmp_path}", "study")
    assert "secret" not in str(told.value)
    (tmp_path / "answers.sqlite").write_text("This is no database, but a text that is long enough to be looked at.")
    with pytest.raises(StudyError, match="could not be opened: file is not a database"):
        Answers(database_of(tmp_path), "study")


def test_a_row_cannot_be_written_twice(database: str) -> None:
    # What holds even if somebody else writes: the key of the table.
    with Answers(database, secrets.token_hex(8)) as answers:
        give(answers, "A")
    engine = create_engine(database.replace("postgresql:", "postgresql+psycopg:"))
    with pytest.raises(Exception, match=r"(?i)unique"), engine.begin() as connection:
        connection.execute(text("INSERT INTO petra_answers SELECT * FROM petra_answers"))
    engine.dispose()
