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
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr while work goes on; call what it gives with the amount done and the whole.

    Nothing is shown where stderr is no terminal, and the bar goes away at the end.
    """
    from rich.progress import Progress

    console = _console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, whole: bar.update(task, completed=done, total=whole)


def _console(*, stderr: bool) -> Console:
    from rich.console import Console

    return Console(stderr=stderr)
