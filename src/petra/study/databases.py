"""The databases that answers are kept in: SQLite, set up so that a commit is on disk, and PostgreSQL."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from petra.errors import StudyError

_FILE: Final = "answers.sqlite"
_PATIENCE: Final = 30  # seconds to wait for a connection, or for another writer
_CONNECTIONS: Final = 8  # kept open; answers take milliseconds, so that few serve many


def database_of(folder: Path, given: str | None = None) -> str | URL:
    """The database of the study in a folder: the URL given, or a SQLite file in the folder."""
    return given or URL.create("sqlite", database=str((folder / _FILE).resolve()))


def database_url(database: str | URL) -> URL:
    """A database by its URL; other kinds than SQLite and PostgreSQL are refused."""
    try:
        url = make_url(database)
        if url.drivername in ("postgres", "postgresql"):
            url = url.set(drivername="postgresql+psycopg")
        if url.get_backend_name() in ("sqlite", "postgresql"):
            return url
        found = url.get_backend_name()
    except ArgumentError:
        found = "something else"
    raise StudyError(
        f"Answers are kept in SQLite or PostgreSQL, and this is {found}. "
        "Give a URL such as postgresql://user@host/name, or none for a file in the study's folder."
    )


def open_engine(url: URL) -> Engine:
    """The connections to a database, made as they are needed."""
    is_sqlite = url.get_backend_name() == "sqlite"
    options: dict[str, Any] = {"timeout": _PATIENCE} if is_sqlite else {"connect_timeout": _PATIENCE}
    try:
        engine = create_engine(
            url,
            connect_args=options,
            pool_size=_CONNECTIONS,
            max_overflow=_CONNECTIONS,
            pool_timeout=_PATIENCE,
            pool_pre_ping=not is_sqlite,  # a database that was restarted is no failure
        )
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise StudyError(f"{error}. Install what PostgreSQL needs with: pip install 'petra[web]'") from None
    if is_sqlite:
        event.listen(engine, "connect", _set_up_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _: object) -> None:
    # The file as it should be after a kill or a power cut: a commit returns when it is on disk.
    # With a write-ahead log those who read do not wait for those who write.
    for setting in ("journal_mode = WAL", "synchronous = FULL"):
        connection.execute(f"PRAGMA {setting}").close()
