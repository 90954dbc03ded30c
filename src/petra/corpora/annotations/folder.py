"""A folder of annotated texts, each file read by what its name ends in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from petra.corpora.annotated import AnnotatedDocument
from petra.corpora.annotations.brat import read_brat
from petra.corpora.annotations.conll2012 import read_conll2012
from petra.corpora.annotations.corefud import read_corefud
from petra.corpora.annotations.trackings import read_log, read_tracking
from petra.corpora.bracketed import read_bracketed
from petra.errors import DataError, LogError

AnnotationReader = Callable[[Path], tuple[AnnotatedDocument, ...]]


def _bracketed(path: Path) -> tuple[AnnotatedDocument, ...]:
    return tuple(each.document for each in read_bracketed(path))


READERS: Final[Mapping[str, AnnotationReader]] = {
    ".json": read_tracking,
    ".log": read_log,
    ".ann": read_brat,
    ".conll": read_conll2012,
    "_conll": read_conll2012,  # as .v4_gold_conll
    ".conllu": read_corefud,
    ".brackets": _bracketed,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedFile:
    """A file of annotations: what is in it, or what is wrong with it."""

    path: Path
    documents: tuple[AnnotatedDocument, ...] = ()
    problem: str | None = None

    @property
    def mentions(self) -> int:
        return sum(len(document.mentions) for document in self.documents)

    @property
    def people(self) -> int:
        return sum(len(document.people) for document in self.documents)


def read_annotations(folder: Path) -> tuple[AnnotatedDocument, ...]:
    """The annotated texts below a folder, in the order of their files; the first problem is an error."""
    documents: list[AnnotatedDocument] = []
    for checked in check_annotations(folder):
        if checked.problem is not None:
            raise DataError(f"{checked.problem} `petra data check {folder}` looks at every file.")
        documents += checked.documents
    if not any(document.mentions for document in documents):
        raise DataError(f"{folder}: nobody is mentioned in its texts; annotate some people.")
    return tuple(documents)


def check_annotations(folder: Path) -> Iterator[CheckedFile]:
    """Every file of annotations below a folder, read."""
    if not folder.is_dir():
        raise DataError(f"{folder} is no folder. Give the folder that the annotated texts are in.")
    files = [(path, reader) for path in sorted(folder.rglob("*")) if path.is_file() and (reader := _reader(path))]
    if not files:
        raise DataError(f"{folder} has no annotations; expected files that end in {', '.join(READERS)}.")
    for path, reader in files:
        name = path.relative_to(folder)
        try:
            documents = reader(path)
            for document in documents:
                check_document(name, document)
        except (DataError, LogError) as error:
            words = str(error).removeprefix(f"{path}").removeprefix(path.name).removeprefix(": ")
            joint = "" if words.startswith((",", " ")) else ": "
            yield CheckedFile(path=path, problem=f"{name}{joint}{words}")
        else:
            yield CheckedFile(path=path, documents=documents)


def check_document(name: Path, document: AnnotatedDocument) -> None:
    """Raise an error unless every mention is a part of the text, with words at its ends, and of one person."""
    entity_at: dict[tuple[int, int], str] = {}
    for mention in document.mentions:
        words = document.text[mention.start : mention.end]
        line = document.text.count("\n", 0, mention.start) + 1
        where = f"{name}: the mention {mention.start}..{mention.end} on line {line} of the text"
        if not 0 <= mention.start < mention.end <= len(document.text):
            raise DataError(f"{where} is no part of it ({len(document.text)} characters).")
        if words != words.strip():
            raise DataError(f"{where}, {words!r:.60}, begins or ends with a space. Mark its words alone.")
        other = entity_at.setdefault((mention.start, mention.end), mention.entity)
        if other != mention.entity:
            raise DataError(f"{where}, {words!r:.60}, is of {other} and of {mention.entity}. Give it to one person.")


def _reader(path: Path) -> AnnotationReader | None:
    if path.name.endswith(".edits.jsonl"):
        return None
    return next((reader for ending, reader in READERS.items() if path.name.endswith(ending)), None)
