"""The texts a command is given, and the places for what is made of each."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

import typer

from petra.cli.console import remark
from petra.errors import PetraError, TextError
from petra.text.source import read_text

STDIN = Path("-")


def read_source(path: Path, encoding: str | None = None) -> str:
    """The text of a file of any kind, or of standard input; a remark tells what may be wrong with it."""
    from petra.english.language import looks_english, looks_like_markup
    from petra.text.inputs.reading import read_input

    read = read_input(path, encoding)
    name = "standard input" if path == STDIN else str(path)
    if read.encoding is not None:
        remark(f"warning: {name} is not UTF-8, and was read as {read.encoding}. Say otherwise with --encoding.")
    if read.form == "text" and looks_like_markup(read.text):
        remark(f"warning: {name} looks like HTML or XML, and was read as plain text, tags and all. Name it .html.")
    elif not looks_english(read.text):
        remark(f"warning: {name} does not look English. PeTra knows English only.")
    return read.text


class Texts:
    """The texts of files, read one at a time; a file that cannot be read is reported and left out.

    ``sources`` holds the files of the texts given out, in the same order.
    """

    def __init__(self, files: Sequence[Path], encoding: str | None = None) -> None:
        self.failed = False
        self._encoding = encoding
        self.sources: deque[Path] = deque()
        # A missing file is reported before any long work begins.
        self._files = [file for file in files if self._opens(file)]

    def __len__(self) -> int:
        """How many there are, as far as is known without reading them."""
        return len(self._files)

    def __iter__(self) -> Iterator[str]:
        for file in self._files:
            try:
                text = read_source(file, self._encoding)
            except TextError as error:
                self.complain(error)
            else:
                self.sources.append(file)
                yield text

    def complain(self, error: PetraError) -> None:
        """Report a failure with one text; the others are read all the same."""
        self.failed = True
        typer.echo(f"error: {error}", err=True)

    def _opens(self, file: Path) -> bool:
        if file == STDIN:
            return True
        try:
            with file.open("rb"):
                return True
        except OSError:
            try:
                read_text(file)  # which has the words for it
            except TextError as error:
                self.complain(error)
        return False


class Places:
    """Where to write what is made of each text: OUT itself, or files in OUT where there are several texts."""

    def __init__(self, out: Path, suffix: str, *, several: bool) -> None:
        if several and out.exists() and not out.is_dir():
            raise PetraError(f"{out} is a file. With several texts give a folder, which gets a file for each of them.")
        self._out = out
        self._suffix = suffix
        self._is_folder = several or out.is_dir()
        self._taken: set[str] = set()

    def of(self, source: Path) -> Path:
        """The file for a text: named like it, with a number where two texts have the same name."""
        if not self._is_folder:
            return self._out
        stem = "stdin" if source == STDIN else source.stem
        name, number = stem, 1
        while name in self._taken:
            number += 1
            name = f"{stem}-{number}"
        self._taken.add(name)
        return self._out / f"{name}{self._suffix}"


def given_files(files: Sequence[Path] | None) -> list[Path]:
    """The files named on the command line; with none, standard input if something is piped into it."""
    if not files and sys.stdin.isatty():
        raise typer.BadParameter("Name a text file, or give - to read standard input.", param_hint="FILE")
    chosen = list(files or [STDIN])
    if chosen.count(STDIN) > 1:
        raise typer.BadParameter("- can be given only once: standard input is read to its end.", param_hint="FILE")
    return chosen


def check_outputs(outs: Sequence[Path], files: Sequence[Path]) -> None:
    """Refuse outputs that would take the place of a text or, with one text, of each other."""
    taken = {file.resolve(): f"the text {file}" for file in files if file != STDIN}
    for out in outs:
        if out == STDIN:
            raise typer.BadParameter("- is no file to write to; stdout carries the table or the JSON.")
        place = out.resolve()
        if place in taken and not place.is_dir():
            raise typer.BadParameter(f"{out} is {taken[place]} already. Give another name.")
        if len(files) == 1:
            taken[place] = "another output"
