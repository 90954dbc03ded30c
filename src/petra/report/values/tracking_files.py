"""Stored trackings that can be corrected: what ``petra track --json`` or ``--log`` wrote."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from petra.errors import DataError, EditError
from petra.log.edits import edits_from
from petra.log.memory_log import MemoryLog
from petra.log.storage import load, save
from petra.people.cast import find_cast
from petra.people.edits import Editor
from petra.people.finding import find_people, find_quotations, uncorrected
from petra.people.profiles import Profiler
from petra.report.values.as_json import Corrections, dump, tracking_json
from petra.report.values.from_json import people_from_json, quotations_from_json, read_annotation
from petra.runtime.files import write_atomically
from petra.text.source import read_text


class StoredTracking(Protocol):
    """A tracking in a file."""

    @property
    def text(self) -> str: ...

    @property
    def source(self) -> str | None: ...

    def editor(self) -> Editor:
        """What corrects its people."""
        ...

    def save(self, path: Path, editor: Editor) -> None:
        """Write it to a file, corrected."""
        ...


def open_tracking(path: Path, text: Path | None = None) -> StoredTracking:
    """The tracking in a file of JSON or a memory log; of JSON the text is ``source``, unless it is given."""
    if path.is_file() and zipfile.is_zipfile(path):
        return LogFile(load(path))
    values = read_annotation(path).values
    source = values.get("source")
    place = text or (Path(source) if isinstance(source, str) and source not in ("", "-") else None)
    if place is not None and text is None and not place.is_file():
        beside = path.parent / place.name
        place = beside if beside.is_file() else None
    if place is None:
        raise DataError(f"{path}: its text ({source!r:.80}) is not at hand. Give it with --text FILE.")
    return JsonFile(path, values, read_text(place))


@dataclass(frozen=True, slots=True)
class LogFile:
    """A memory log, which keeps the corrections of its people."""

    log: MemoryLog

    @property
    def text(self) -> str:
        return self.log.text

    @property
    def source(self) -> str | None:
        return None

    def editor(self) -> Editor:
        found = uncorrected(self.log)
        return Editor(self.text, find_people(found), find_quotations(found), self.log.edits)

    def save(self, path: Path, editor: Editor) -> None:
        save(replace(self.log, edits=editor.edits), path)


@dataclass(frozen=True, slots=True)
class JsonFile:
    """An object of the schema ``petra.tracking/1``, with what was found before corrections beside the corrected."""

    path: Path
    values: Mapping[str, Any]
    text: str

    @property
    def source(self) -> str | None:
        source = self.values.get("source")
        return source if isinstance(source, str) else None

    def editor(self) -> Editor:
        try:
            found = self.values.get("found", self.values)
            if not isinstance(found, Mapping):
                raise DataError(f"found is {found!r:.40}; expected an object with people and quotations.")
            people = people_from_json({"characters": len(self.text), **found}, self.text)
            quotations = quotations_from_json(found, self.text, people)
            return Editor(self.text, people, quotations, edits_from(self.values.get("edits", [])))
        except (DataError, EditError) as error:
            raise DataError(f"{self.path}: {error}") from None

    def save(self, path: Path, editor: Editor) -> None:
        corrections = Corrections(editor.edits, *editor.found) if editor.edits else None
        values = tracking_json(
            source=self.source,
            model=str(self.values.get("model", "")),
            text=self.text,
            num_tokens=self.values.get("tokens", 0),
            people=editor.people,
            quotations=editor.quotations if "quotations" in self.values else None,
            corrections=corrections,
        )
        others = {name: value for name, value in self.values.items() if name not in ("edits", "found")}
        if "profiles" in others:
            others["profiles"] = _profiles(editor, self.text)
        write_atomically(path, f"{dump({**others, **values})}\n".encode("utf-8", "surrogatepass"))


def _profiles(editor: Editor, text: str) -> Sequence[Mapping[str, Any]]:
    profiler = Profiler(editor.people, text, editor.quotations)
    return [profiler.profile(person).to_dict() for person in find_cast(editor.people, text)]
