"""The command ``petra``: its sub-commands, and the one place where errors are shown.

Exit status: 0 fine, 1 the work failed, 2 wrong usage, 130 ended by Ctrl-C. The
modules of the commands import only light things at their top; what is heavy is
imported by the command that runs.
"""

from __future__ import annotations

import gc
import io
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from petra.cli import (
    bench,
    data,
    edit,
    evaluate,
    export,
    models,
    quotes,
    reproduce,
    resolve,
    serve,
    show,
    study,
    track,
    train,
    why,
)
from petra.errors import PetraError


class Commands(TyperGroup):
    """The sub-commands, with errors turned into a message and an exit status."""

    def invoke(self, ctx: Any) -> Any:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()  # here a full disk or a closed pipe can still be reported
        except BrokenPipeError:
            raise  # `petra ... | head`: typer ends quietly
        except (PetraError, OSError) as error:
            if ctx.params["debug"]:
                raise
            typer.echo(f"error: {_words(error)}", err=True)
            raise typer.Exit(1) from None
        return result


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"petra {version('petra')}")
        raise typer.Exit


@app.callback()
def petra(
    debug: Annotated[bool, typer.Option("--debug", help="Show the trace of an error.")] = False,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Track the people of a text, reading it once from left to right."""


app.command(cls=track.TrackCommand)(track.track)
app.command()(show.show)
app.command()(quotes.quotes)
app.command()(why.why)
app.command()(export.export)
app.command()(resolve.resolve)
app.command()(edit.edit)
app.command()(train.train)
app.add_typer(evaluate.app, name="evaluate")
app.command()(reproduce.reproduce)
app.add_typer(study.app, name="study")
app.add_typer(models.app, name="models")
app.add_typer(data.app, name="data")
app.command()(serve.serve)
app.command()(bench.bench)


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        # Names of any script survive a pipe on every platform; half a surrogate pair,
        # as an odd file name may hold, is escaped the way JSON escapes it.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    # What a command makes is mostly imported code, which lives as long as it does: by default Python would look
    # through all of it for garbage several times while it is imported.
    gc.set_threshold(100_000)
    app(prog_name="petra")


def _words(error: PetraError | OSError) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}."
    return str(error)
