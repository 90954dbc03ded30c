"""The texts a command is given."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

import typer

from petra.cli.console import remark
from petra.errors import PetraError, TextError
from petra.text.source import read_text, texts_in

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


def given_files(files: Sequence[Path] | None) -> list[Path]:
    """The files named on the command line; with none, standard input if something is piped into it."""
    if not files and sys.stdin.isatty():
        raise typer.BadParameter("Name a text file, or give - to read standard input.", param_hint="FILE")
    chosen = list(files or [STDIN])
    if chosen.count(STDIN) > 1:
        raise typer.BadParameter("- can be given only once: standard input is read to its end.", param_hint="FILE")
    return chosen


def with_folders(files: Sequence[Path]) -> list[Path]:
    """The files, with the texts of a folder in its place."""
    return [text for file in files for text in (texts_in(file) if file != STDIN and file.is_dir() else [file])]
