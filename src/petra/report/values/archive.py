"""Archives: a file with a line of JSON for each text that was read, schema ``petra.tracking/1``.

A line is written as soon as its text is read, so that work that was broken off goes on
where it stopped; at the end the lines are put into the order of the texts. Besides the
schema's own fields a line has ``cells`` and ``threshold``, as they were asked for: texts
read in different ways do not mix in one file. One process at a time writes an archive.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from petra.errors import ConfigError, DataError, PetraError
from petra.report.values.as_json import SCHEMA, dump
from petra.runtime.locks import owned

_HEAD = json.dumps({"schema": SCHEMA}).rstrip("}").encode()  # every line begins so


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchiveSettings:
    """What texts are read by."""

    model: str  # its name
    cells: int | None = None
    threshold: float | None = None

    def __str__(self) -> str:
        cells = "its own" if self.cells is None else self.cells
        threshold = "its own" if self.threshold is None else self.threshold
        return f"the model {self.model} (cells: {cells}, threshold: {threshold})"

    def line(self, found: Mapping[str, Any]) -> str:
        """The line for what was found in a text."""
        return dump({**found, **asdict(self)}, indent=None)


class Archive:
    """The file of an archive, to add to within a ``with`` block, which takes up what is in it already.

    Within the block the file belongs to this process: another one that opens it is told so.
    """

    def __init__(self, path: Path, read_by: ArchiveSettings, *, anew: bool = False) -> None:
        self._path = path.resolve()  # a link is followed
        self.read_by = read_by
        self._anew = anew  # whether what is there, of whatever kind, is thrown away
        self._places: dict[str, tuple[int, int]] = {}  # source -> where its line begins, and its length
        self._end = 0
        self._held = ExitStack()

    def __enter__(self) -> Archive:
        with ExitStack() as held:
            if self._path.is_dir():
                raise PetraError(f"{self._path} is a folder and cannot be written as a file. Give a file in it.")
            held.enter_context(owned(self._path))
            try:
                self._path.touch()  # a file that cannot be written fails before any text is read
                if self._anew:
                    os.truncate(self._path, 0)
                self._take_up()
            except OSError as error:
                raise self._unwritable(error) from None
            self._held = held.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def __contains__(self, source: object) -> bool:
        """Whether the text of a source has been read."""
        return source in self._places

    def __len__(self) -> int:
        """How many texts have been read."""
        return len(self._places)

    def add(self, source: str, line: str) -> None:
        """Write the line of a text."""
        content = line.encode() + b"\n"
        try:
            with self._path.open("r+b") as file:
                self._check_end(file)
                file.seek(self._end)
                file.write(content)
        except OSError as error:
            raise self._unwritable(error) from None
        self._places[source] = (self._end, len(content))
        self._end += len(content)

    def put_in_order(self, sources: Sequence[str]) -> None:
        """Put the lines into the order of the sources; lines of other texts stay as they are, before them."""
        named = set(sources)
        ordered = [place for source, place in self._places.items() if source not in named]
        ordered += [self._places[source] for source in dict.fromkeys(sources) if source in self._places]
        if ordered == sorted(ordered) and sum(length for _, length in ordered) == self._end:
            return
        copy = self._path.with_name(f".{self._path.name}.ordered")
        try:
            with self._path.open("rb") as lines, copy.open("wb") as file:
                self._check_end(lines)
                for start, length in ordered:
                    lines.seek(start)
                    file.write(self._checked(lines.read(length)))
                file.flush()
                os.fsync(file.fileno())  # the copy is on the disk before it replaces the lines
            copy.replace(self._path)
            self._places.clear()
            self._take_up()
        except OSError as error:
            raise self._unwritable(error) from None
        finally:
            copy.unlink(missing_ok=True)

    def _check_end(self, file: IO[bytes]) -> None:
        """Refuse to write where another program, which knows nothing of locks, has written meanwhile."""
        if (size := os.fstat(file.fileno()).st_size) != self._end:
            raise self._altered(f"it has {size:,} bytes, and {self._end:,} were written")

    def _checked(self, line: bytes) -> bytes:
        if not (line.startswith(_HEAD) and line.endswith(b"\n") and line.count(b"\n") == 1):
            raise self._altered(f"where a line was written there is {line[:40]!r}")
        return line

    def _altered(self, found: str) -> DataError:
        return DataError(
            f"{self._path} was changed by another program: {found}. It stays as it is. "
            "See what else writes to it, then run the same again: texts whose lines are whole are not read again."
        )

    def _take_up(self) -> None:
        self._end = 0
        with self._path.open("r+b") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n") and (line.startswith(_HEAD) or _HEAD.startswith(line)):
                    break  # the line that was being written when the work was broken off
                self._places[self._source(line, number)] = (self._end, len(line))
                self._end += len(line)
            file.truncate(self._end)

    def _source(self, line: bytes, number: int) -> str:
        """The source of a line, if it is one of this archive's."""
        try:
            values = json.loads(line)
            source = values["source"]
            read_by = ArchiveSettings(model=values["model"], cells=values["cells"], threshold=values["threshold"])
            is_ours = values["schema"] == SCHEMA and isinstance(source, str) and line.endswith(b"\n")
        except (ValueError, KeyError, TypeError, RecursionError):
            is_ours = False
        if not is_ours:
            raise DataError(
                f"{self._path}, line {number}, is not of an archive: {line[:40]!r}. Nothing was changed. "
                "Give a new file, or one that an earlier run made."
            )
        if read_by != self.read_by:
            raise ConfigError(
                f"{self._path}, line {number}, was read by {read_by}, and now {self.read_by} is asked for. "
                "Give another file, or the same settings."
            )
        return str(source)

    def _unwritable(self, error: OSError) -> PetraError:
        return PetraError(
            f"{self._path} cannot be written: {error.strerror or error}. What is in it stays, and is not read again."
        )
