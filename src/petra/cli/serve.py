"""``petra serve``: the web page."""

from __future__ import annotations

from typing import Annotated

import typer

from petra.cli.console import progress, remark
from petra.cli.options import DeviceOption

_HOURS = 3600


def serve(
    host: Annotated[
        str, typer.Option("--host", help="Address to listen at; 0.0.0.0 lets other machines in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", "-p", min=0, max=65535, help="Port; 0 takes a free one.")] = 8000,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", help="A name that browsers reach the server by, besides its address; may be repeated."),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            "-m",
            help="Model to offer, by name or folder; may be repeated, the first goes first (default: those shipped).",
        ),
    ] = None,
    device: DeviceOption = None,
    max_characters: Annotated[int, typer.Option("--max-characters", min=1, help="Longest text.")] = 4_000_000,
    max_seconds: Annotated[float, typer.Option("--max-seconds", min=1, help="Longest time to read a text.")] = 600,
    max_jobs: Annotated[int, typer.Option("--max-jobs", min=1, help="Texts read at once.")] = 2,
    keep_hours: Annotated[
        float, typer.Option("--keep-hours", min=0.01, help="How long results stay that somebody asked to keep.")
    ] = 24,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Serve a web page where texts are read and looked at, and the same by HTTP for other programs.

    Ctrl-C ends it. Texts and results are held in memory only, and removed when nobody looks at them.
    """
    from petra.web.serving.running import require, run

    require()
    from petra.web.app import make_app
    from petra.web.reading.models import Shelf
    from petra.web.reading.pool import Pool
    from petra.web.serving.limits import Limits

    limits = Limits(
        max_characters=max_characters, max_seconds=max_seconds, max_jobs=max_jobs, keep_seconds=keep_hours * _HOURS
    )
    shelf = Shelf(model or (), device=device)
    with progress("Loading the model") as report:
        shelf.tracker(shelf.default, report)

    def ready(address: str) -> None:
        remark(f"PeTra is at {address} (Ctrl-C ends it).")
        if open_browser:
            import webbrowser

            webbrowser.open(address)

    pool = Pool(shelf.tracker, limits)
    app = make_app(shelf, limits, pool, hosts=[host, *(name or ())])
    run(app, host=host, port=port, ready=ready, ending=pool.close)
