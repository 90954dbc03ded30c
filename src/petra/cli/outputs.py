"""The files a command writes: where they go, and what they may take the place of."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from petra.cli.texts import STDIN
from petra.errors import PetraError

ForceOption = Annotated[
    bool, typer.Option("--force", help="Replace files at the outputs' places, whatever kind they are of.")
]

OutputKind = Literal[
    "report", "memory log", "html picture", "png picture", "svg picture", "pdf picture", "text", "export"
]
_SEPARATORS = tuple(filter(None, (os.sep, os.altsep)))
_BEGINNING = 1024  # bytes of a file that tell its kind
_PAGE = (b"<!doctype html>", b'<meta name="generator" content="PeTra">')
_MARKS: dict[OutputKind, tuple[bytes, bytes]] = {  # how a file of the kind begins, and what stands near its beginning
    "report": _PAGE,
    "memory log": (b"PK\x03\x04", b"header.json"),
    "html picture": _PAGE,
    "png picture": (b"\x89PNG", b""),
    "svg picture": (b"<", b"<svg"),
    "pdf picture": (b"%PDF", b""),
}


def output_path(out: str) -> Path:
    """The path that OUT names; one that ends with a slash is a folder, which is made if there is none."""
    path = Path(out)
    if out.endswith(_SEPARATORS):
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise typer.BadParameter(f"The folder {out} cannot be made: {error.strerror or error}.") from None
    return path


class OutputPlaces:
    """Where to write what is made of each text: OUT itself, or files in OUT where there are several texts.

    A file is named like its text, with a number where two texts have the same name.
    """

    def __init__(
        self, out: Path, suffix: str, kind: OutputKind, sources: Sequence[Path], *, several: bool | None = None
    ) -> None:
        several = len(sources) > 1 if several is None else several
        if several and out.exists() and not out.is_dir():
            raise PetraError(f"{out} is a file. With several texts give a folder, which gets a file for each of them.")
        self.kind = kind
        is_folder = several or out.is_dir()
        names = _different("stdin" if source == STDIN else source.stem for source in sources)
        self._places = [out / f"{name}{suffix}" if is_folder else out for name in names]
        self._of: dict[Path, deque[Path]] = {}
        for source, place in zip(sources, self._places, strict=True):
            self._of.setdefault(source, deque()).append(place)

    def __iter__(self) -> Iterator[Path]:
        return iter(self._places)

    def of(self, source: Path) -> Path:
        """The file for a text; for one that is given twice, the next that it has."""
        return self._of[source].popleft()


def check_outputs(outputs: Iterable[tuple[Path, OutputKind]], inputs: Sequence[Path], *, force: bool) -> None:
    """Refuse outputs in the place of an input, of each other or, unless forced, of a file of another kind."""
    taken = {_identity(file): f"{file}, another file of this command" for file in inputs if file != STDIN}
    for out, kind in outputs:
        if out == STDIN:
            raise typer.BadParameter("- is no file to write to; stdout carries the table or the JSON.")
        if (other := taken.get(_identity(out))) is not None and not out.is_dir():
            raise typer.BadParameter(f"The {kind} {out} would take the place of {other}. Give another name.")
        taken[_identity(out)] = f"the {kind}"
        if not force:
            check_kind(out, kind)


def check_kind(out: Path, kind: OutputKind) -> None:
    """Refuse to replace a file of another kind; of texts and exports there is no telling."""
    if kind not in _MARKS:
        return
    begins, mark = _MARKS[kind]
    try:
        if not out.is_file() or not out.stat().st_size:
            return
        with out.open("rb") as file:
            beginning = file.read(_BEGINNING)
    except OSError:
        return  # it cannot be written either, and writing has the words for it
    if not beginning.startswith(begins) or mark not in beginning:
        raise typer.BadParameter(
            f"{out} is there already and is no {kind}. Give another name, or replace it with --force."
        )


def _identity(path: Path) -> object:
    """What is the same for two names of one file."""
    try:
        status = path.stat()
    except OSError:
        return path.resolve()
    return (status.st_dev, status.st_ino)


def _different(names: Iterable[str]) -> list[str]:
    """The names, with a number where one came before."""
    taken: dict[str, None] = {}
    used: dict[str, int] = {}  # the last number of each name
    for stem in names:
        name = stem
        while name in taken:
            used[stem] = used.get(stem, 1) + 1
            name = f"{stem}-{used[stem]}"
        taken[name] = None
    return list(taken)
