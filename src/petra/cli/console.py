"""What the user sees: results on stdout, progress and remarks on stderr.

Rich decorates a terminal and steps aside in a pipe. It is imported on first use, so
that ``petra --help`` need not wait for it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, RenderableType


def show(result: RenderableType) -> None:
    """Show a result: a table, or words."""
    _console(stderr=False).print(result)


def show_json(result: Any) -> None:
    """Show a result as JSON, for other programs: never coloured or wrapped."""
    print(json.dumps(result, ensure_ascii=False, indent=2))


def remark(words: str) -> None:
    """Show the user something that is no part of the result, on stderr."""
    _console(stderr=True).print(words, markup=False, highlight=False, soft_wrap=True)


@contextmanager
def progress(what: str, *, of: str = "") -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr while work goes on; call what it gives with the amount done and the whole.

    Nothing is shown where stderr is no terminal, and the bar goes away at the end. With
    ``of``, the name of what is counted, the counts stand beside it.
    """
    from rich.progress import Progress, TextColumn

    console = _console(stderr=True)
    columns = (*Progress.get_default_columns(), *([TextColumn("{task.fields[counts]}")] if of else []))
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None, counts=f"0 {of}")
        yield lambda done, whole: bar.update(task, completed=done, total=whole, counts=f"{done:,} of {whole:,} {of}")


class TextsProgress:
    """A bar for many texts: how many are done, and how many tokens of those begun have been read.

    It is shown within its ``with`` block, which may be entered again and again.
    """

    def __init__(self, whole: int) -> None:
        self.done = 0
        self._whole = whole
        self._counts = (0, 0)
        self._shown: tuple[Any, Any] | None = None

    def __enter__(self) -> TextsProgress:
        from rich.progress import Progress, TextColumn

        console = _console(stderr=True)
        columns = (*Progress.get_default_columns(), TextColumn("{task.fields[counts]}"))
        bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._shown = (bar, bar.add_task("Reading texts", total=self._whole, completed=self.done, counts=self._words()))
        bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown is not None:
            self._shown[0].stop()
            self._shown = None

    def tokens(self, read: int, taken: int) -> None:
        """Show so many tokens as read, of those of the texts taken so far."""
        self._counts = (read, taken)
        if self._shown is not None:
            bar, task = self._shown
            bar.update(task, completed=self.done, counts=self._words())

    def _words(self) -> str:
        read, taken = self._counts
        return f"{self.done:,} of {self._whole:,} texts, {read:,} of {taken:,} tokens"


def _console(*, stderr: bool) -> Console:
    from rich.console import Console

    return Console(stderr=stderr)
