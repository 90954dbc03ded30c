"""The annotators' answers in a database: SQLite in the study's folder, or PostgreSQL by URL.

An answer is one row, by study, annotator and place, and there is never a second: who
changes it says which version they saw, and a change based on an older one is refused.
Every version stays in the history, written in the same transaction. When ``save``
returns, the answer is on disk.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Literal

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    DateTime,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    and_,
    insert,
    inspect,
    select,
    text,
    update,
)
from sqlalchemy.engine import URL
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.schema import CreateTable

from petra.errors import StudyError
from petra.study.databases import database_url, open_engine

_metadata = MetaData()


def _columns() -> list[Column[Any]]:
    return [
        Column("study", String(32), primary_key=True),
        Column("annotator", Integer, primary_key=True, autoincrement=False),
        Column("place", Integer, primary_key=True, autoincrement=False),  # in the annotator's set, from 0
        Column("choice", String(16), nullable=False),  # as seen: A, B, .. or neutral
        Column("comment", Text, nullable=False),
        Column("answered_at", DateTime(timezone=True), nullable=False),
        Column("seconds", Integer),  # spent on the document until then; NULL where nobody counted them
    ]


_answers = Table("petra_answers", _metadata, *_columns(), Column("version", Integer, nullable=False))
_history = Table(
    "petra_answer_history",
    _metadata,
    *_columns(),
    Column("version", Integer, primary_key=True, autoincrement=False),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What an annotator said about one document of their set."""

    annotator: int
    place: int  # in the annotator's set, from 0
    choice: str  # a label of the task, or neutral
    comment: str
    version: int  # 1, and one more with every change
    answered_at: datetime
    seconds: int | None = None  # spent on the document until then, visits that changed the answer together


@dataclass(frozen=True, slots=True)
class Saved:
    """What became of an answer that was given, and the answer that now stands."""

    outcome: Literal["saved", "unchanged", "outdated"]
    answer: Answer | None  # None only if the one to be changed is not there any more


class Answers:
    """The answers of one study, open until the end of a ``with`` block or until closed."""

    def __init__(self, database: str | URL, study: str) -> None:
        self._study = study
        self._url = database_url(database)
        self._engine = open_engine(self._url)
        try:
            with self._working("opened") as connection:
                for table in (_answers, _history):
                    connection.execute(CreateTable(table, if_not_exists=True))
                    _add_missing_columns(connection, table)
        except StudyError:
            self.close()
            raise

    def __enter__(self) -> Answers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def place(self) -> str:
        """Where the answers are, for people to read; without a password."""
        return self._url.render_as_string(hide_password=True)

    def save(
        self, *, annotator: int, place: int, choice: str, comment: str, based_on: int, seconds: int | None = None
    ) -> Saved:
        """Keep an answer, new (``based_on`` 0) or in the place of the version it is based on.

        The same answer again changes nothing. Another one, based on a version that has
        been changed since, is not kept, and the one that stands is returned. ``seconds``
        spent on it are added to those of the version that it is based on.
        """
        if based_on and seconds is not None and (before := self.of(annotator).get(place)) is not None:
            seconds += before.seconds or 0
        given = Answer(
            annotator=annotator,
            place=place,
            choice=choice,
            comment=comment,
            version=based_on + 1,
            answered_at=datetime.now(timezone.utc),
            seconds=seconds,
        )
        try:
            with self._working("saved") as connection:
                if self._write(connection, given):
                    return Saved("saved", given)  # once the transaction is committed
        except IntegrityError:
            pass  # there is an answer already
        standing = self.of(annotator).get(place)
        is_same = standing is not None and (standing.choice, standing.comment) == (choice, comment)
        return Saved("unchanged" if is_same else "outdated", standing)

    def of(self, annotator: int) -> dict[int, Answer]:
        """The answers of an annotator, by place."""
        return {answer.place: answer for answer in self._read(_answers, _answers.c.annotator == annotator)}

    def all(self) -> list[Answer]:
        """The answers that stand, by annotator and place."""
        return self._read(_answers)

    def history(self) -> list[Answer]:
        """Every version of every answer, by annotator, place and version."""
        return self._read(_history)

    def close(self) -> None:
        self._engine.dispose()

    def _write(self, connection: Connection, answer: Answer) -> bool:
        """Write an answer and its history; False if the version that it is based on is not the one that stands."""
        row = {name: getattr(answer, name) for name in Answer.__slots__} | {"study": self._study}
        if answer.version == 1:
            connection.execute(insert(_answers).values(row))
        else:
            standing = and_(
                _answers.c.study == self._study,
                _answers.c.annotator == answer.annotator,
                _answers.c.place == answer.place,
                _answers.c.version == answer.version - 1,
            )
            if connection.execute(update(_answers).where(standing).values(row)).rowcount != 1:
                return False
        connection.execute(insert(_history).values(row))
        return True

    def _read(self, table: Table, *conditions: ColumnElement[bool]) -> list[Answer]:
        chosen = select(table).where(table.c.study == self._study, *conditions)
        ordered = chosen.order_by(table.c.annotator, table.c.place, table.c.version)
        with self._working("read") as connection:
            rows = connection.execute(ordered).mappings().all()
        return [Answer(**{name: _aware(row[name]) for name in Answer.__slots__}) for row in rows]

    @contextmanager
    def _working(self, what: str) -> Iterator[Connection]:
        """A transaction, committed at the end; a failure becomes a StudyError, except for a row that exists already."""
        try:
            with self._engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise
        except SQLAlchemyError as error:
            reason = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
            raise StudyError(
                f"The answers in {self.place} could not be {what}: {reason}. "
                "Check that the database can be reached and written to."
            ) from error


def _add_missing_columns(connection: Connection, table: Table) -> None:
    """Give a table that an earlier version made the columns that it has not."""
    found = {column["name"] for column in inspect(connection).get_columns(table.name)}
    for column in table.columns:
        if column.name not in found:
            kind = column.type.compile(connection.dialect)
            connection.execute(text(f"ALTER TABLE {table.name} ADD COLUMN {column.name} {kind}"))


def _aware(value: Any) -> Any:
    """A time with its zone, which SQLite does not keep."""
    return value.replace(tzinfo=timezone.utc) if isinstance(value, datetime) and value.tzinfo is None else value
