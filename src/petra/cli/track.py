"""``petra track``: the people of texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from petra.cli.console import progress, remark
from petra.cli.loading import load_tracker
from petra.cli.options import BackendOption, CellsOption, DeviceOption, ModelOption, ThreadsOption, ThresholdOption
from petra.cli.texts import STDIN, Places, Texts, check_outputs, given_files
from petra.errors import PetraError

if TYPE_CHECKING:
    from petra.report.from_json import Annotation
    from petra.report.listing import Listing
    from petra.tracker import Tracker, Tracking


def track(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE]...", help="Text files in UTF-8; - is standard input.", allow_dash=True, show_default=False
        ),
    ] = None,
    model: ModelOption = None,
    cells: CellsOption = None,
    threshold: ThresholdOption = None,
    device: DeviceOption = None,
    backend: BackendOption = None,
    threads: ThreadsOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Write JSON to stdout: an object, or an array for several files.")
    ] = False,
    as_jsonl: Annotated[bool, typer.Option("--jsonl", help="Write JSON to stdout: a line for each text.")] = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="OUT", help="Write a report to look at; a folder for several files."),
    ] = None,
    log: Annotated[
        Path | None,
        typer.Option("--log", metavar="OUT", help="Write the memory log; a folder for several files."),
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option("--gold", metavar="GOLD", help="Annotated people (JSON as from --json) to show in the report."),
    ] = None,
    top: Annotated[int | None, typer.Option("--top", min=1, help="List only so many: those mentioned most.")] = None,
    min_mentions: Annotated[
        int, typer.Option("--min-mentions", min=1, help="List only people mentioned so often.")
    ] = 1,
    sort: Annotated[
        Literal["mentions", "first", "name"] | None,
        typer.Option(
            "--sort", help="Order of the list (default: first mention; mentions with --top, and of many people)."
        ),
    ] = None,
    whom: Annotated[
        bool | None,
        typer.Option(
            "--cast/--everybody",
            help="List the cast: who has a name, or comes in three paragraphs. Default: of more than 50 people.",
            show_default=False,
        ),
    ] = None,
    profiles: Annotated[
        bool, typer.Option("--profiles", help="Write a profile of each person listed; with --json, of the cast.")
    ] = False,
) -> None:
    """List the people of texts and where each is mentioned.

    --cast, --top, --min-mentions and --sort are for the table and the report's list; JSON always holds everybody.

    A file that cannot be read is reported on stderr, the others are tracked, and the exit status is 1.
    """
    if as_json and as_jsonl:
        raise typer.BadParameter("Choose one of --json and --jsonl.", param_hint="--json")
    chosen = given_files(files)
    several = len(chosen) > 1
    outs = [out for out in (html, log) if out is not None]
    if gold is not None and (html is None or several):
        raise typer.BadParameter("An annotation is shown in the report of one text: give --html, and one FILE.")
    if gold is not None and gold.resolve() in {out.resolve() for out in outs}:
        raise typer.BadParameter(f"{gold} is the annotation already. Give another name for what is written.")
    check_outputs(outs, chosen)
    listing = _listing(top, min_mentions, sort, whom)
    writers = _writers(html, log, listing, gold, several)
    texts = Texts(chosen)
    objects: list[str] = []  # of an array, which is written when it is complete
    if len(texts):
        tracker = load_tracker(model, device, backend=backend, threads=threads)
        for number, (file, tracking) in enumerate(_trackings(tracker, texts, cells, threshold)):
            if as_json and several:
                objects.append(_json(tracking, profiles))
            elif as_json or as_jsonl:
                typer.echo(_json(tracking, profiles, indent=None if as_jsonl else 2))
            else:
                _show(tracking, listing, profiles, heading=several, is_first=number == 0)
            for write in writers:
                try:
                    write(file, tracking)
                except PetraError as error:
                    texts.complain(error)
    if objects:
        typer.echo("[" + ",\n".join(objects) + "]")
    if texts.failed:
        raise typer.Exit(1)


def _trackings(
    tracker: Tracker, texts: Texts, cells: int | None, threshold: float | None
) -> Iterator[tuple[Path, Tracking]]:
    """Each text tracked, with its file. No bar is shown while the caller writes to stdout."""
    import dataclasses

    if len(texts) == 1:
        for text in texts:
            file = texts.sources.popleft()
            with progress(f"Reading {file}") as report:
                tracking = tracker.track(text, cells=cells, threshold=threshold, source=str(file), report=report)
            yield file, tracking
        return
    trackings = tracker.track_many(texts, cells=cells, threshold=threshold)
    for done in count():
        with progress("Reading texts") as report:
            report(done, len(texts))
            found = next(trackings, None)
        if found is None:
            return
        file = texts.sources.popleft()
        yield file, dataclasses.replace(found, source=str(file))


def _listing(
    top: int | None, min_mentions: int, order: Literal["mentions", "first", "name"] | None, is_cast: bool | None
) -> Listing:
    from petra.report.listing import Listing

    whom: Literal["cast", "everybody"] | None = None if is_cast is None else "cast" if is_cast else "everybody"
    return Listing(top=top, min_mentions=min_mentions, order=order, whom=whom)


def _json(tracking: Tracking, profiles: bool, *, indent: int | None = 2) -> str:
    from petra.report.as_json import dump

    values = tracking.to_dict()
    if profiles:
        values["profiles"] = [profile.to_dict() for profile in tracking.profiles()]
    return dump(values, indent=indent)


def _show(tracking: Tracking, listing: Listing, profiles: bool, *, heading: bool, is_first: bool) -> None:
    """The people as a table, or their profiles; with several texts, under the name of its file."""
    from rich.console import Console
    from rich.text import Text

    from petra.report.tables import profile_lines, show_people

    console = Console()
    if heading:
        name = Text(str(tracking.source), style="bold")
        console.print(name if is_first else Text("\n").append(name), soft_wrap=True)
    listed = listing.of(tracking.people, tracking.text)
    if profiles and listed:
        console.out(*profile_lines(tracking.profiles(listed), tracking.chapters), sep="\n", highlight=False)
    elif listed or not tracking.people:
        show_people(listed, tracking.text, console)
    if len(listed) < len(tracking.people):
        passing = " (the cast; --everybody lists the others too)" if listing.is_cast(tracking.people) else ""
        remark(f"{len(listed):,} of {len(tracking.people):,} people listed{passing}.")


def _writers(
    html: Path | None, log: Path | None, listing: Listing, gold: Path | None, several: bool
) -> list[Callable[[Path, Tracking], None]]:
    """What writes the files asked for."""
    from petra.report.from_json import read_annotation

    writers: list[Callable[[Path, Tracking], None]] = []
    if html is not None:
        pages = Places(html, ".html", several=several)
        annotation = None if gold is None else read_annotation(gold)
        writers.append(lambda file, tracking: _write_html(pages.of(file), tracking, listing, annotation))
    if log is not None:
        logs = Places(log, ".log", several=several)
        writers.append(lambda file, tracking: _write_log(logs.of(file), tracking))
    return writers


def _write_html(place: Path, tracking: Tracking, listing: Listing, annotation: Annotation | None) -> None:
    from petra.report.html import html_report
    from petra.runtime.files import write_atomically

    source = None if tracking.source == str(STDIN) else tracking.source
    page = html_report(
        source=source,
        model=tracking.model,
        threshold=tracking.log.threshold,
        text=tracking.text,
        people=tracking.people,
        quotations=tracking.quotations,
        log=tracking.log,
        gold=None if annotation is None else annotation.people_of(tracking.text),
        listing=listing,
    )
    write_atomically(place, page.encode())
    remark(f"Report written to {place}.")


def _write_log(place: Path, tracking: Tracking) -> None:
    from petra.log.storage import save

    save(tracking.log, place)
    remark(f"Memory log written to {place}.")
