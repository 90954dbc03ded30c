"""``petra track``: the people of texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer.core import TyperCommand

from petra.cli.console import TextsProgress, progress, remark
from petra.cli.exporting import Exporter, ExportOutOption, FormatOption
from petra.cli.loading import load_tracker
from petra.cli.options import (
    BackendOption,
    CellsOption,
    DeviceOption,
    EncodingOption,
    ModelOption,
    ThreadsOption,
    ThresholdOption,
)
from petra.cli.outputs import ForceOption, OutputPlaces, check_outputs, output_path
from petra.cli.texts import STDIN, Texts, given_files, with_folders
from petra.errors import PetraError
from petra.report.export.format import ExportOptions

if TYPE_CHECKING:
    from petra.log.edits import Edit
    from petra.report.values.archive import Archive
    from petra.report.values.from_json import Annotation
    from petra.report.values.listing import Listing
    from petra.tracker import Tracker, Tracking

_JSONL = "--jsonl"


class TrackCommand(TyperCommand):
    """The command, with a file that may follow --jsonl: --jsonl OUT.jsonl, or --jsonl=OUT of any name."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        parsed: list[str] = []
        for argument in args:
            if argument.startswith(f"{_JSONL}="):
                parsed += [_JSONL, argument.replace("=", "-out=", 1)]
            elif parsed and parsed[-1] == _JSONL and argument.endswith(".jsonl"):
                parsed.append(f"{_JSONL}-out={argument}")
            else:
                parsed.append(argument)
        return super().parse_args(ctx, parsed)


def track(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE]...",
            help="Texts, HTML, Markdown, EPUB, DOCX, PDF (docs/inputs.md), or folders of them; - is standard input.",
            allow_dash=True,
            show_default=False,
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
    as_jsonl: Annotated[
        bool, typer.Option(_JSONL, help="Write JSON, a line for each text: to stdout, or --jsonl OUT.jsonl.")
    ] = False,
    jsonl_out: Annotated[Path | None, typer.Option(f"{_JSONL}-out", hidden=True)] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with OUT.jsonl: texts that are in it are not read again.")
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html", metavar="OUT", parser=output_path, help="Write a report to look at; a folder for several files."
        ),
    ] = None,
    log: Annotated[
        Path | None,
        typer.Option(
            "--log", metavar="OUT", parser=output_path, help="Write the memory log; a folder for several files."
        ),
    ] = None,
    encoding: EncodingOption = None,
    save_text: Annotated[
        Path | None,
        typer.Option(
            "--save-text",
            metavar="OUT",
            parser=output_path,
            help="Write the text that offsets count; a folder for several files.",
        ),
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option("--gold", metavar="GOLD", help="Annotated people (JSON as from --json) to show in the report."),
    ] = None,
    to: FormatOption = None,
    out: ExportOutOption = None,
    edits: Annotated[
        Path | None,
        typer.Option("--edits", metavar="FILE", help="Corrections to apply, as `petra edit` keeps them."),
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
    force: ForceOption = False,
) -> None:
    """List the people of texts and where each is mentioned.

    --cast, --top, --min-mentions and --sort are for the table and the report's list; JSON and --to hold everybody.

    A file that cannot be read is reported on stderr, the others are tracked, and the exit status is 1.

    With --jsonl OUT.jsonl each text is written as soon as it is read: after Ctrl-C or a crash, --resume goes on.
    """
    if as_json and as_jsonl:
        raise typer.BadParameter("Choose one of --json and --jsonl.", param_hint="--json")
    if resume and jsonl_out is None:
        raise typer.BadParameter("Name the file to go on with: --jsonl OUT.jsonl --resume", param_hint="--resume")
    if to is not None and out is None and (as_json or (as_jsonl and jsonl_out is None)):
        raise typer.BadParameter(
            "stdout carries JSON already: name a file for the format with --out.", param_hint="--to"
        )
    if out is not None and to is None:
        raise typer.BadParameter("Name the format to write there with --to.", param_hint="--out")
    chosen = with_folders(given_files(files))
    several = len(chosen) > 1
    if gold is not None and (html is None or several):
        raise typer.BadParameter("An annotation is shown in the report of one text: give --html, and one FILE.")
    if resume and STDIN in chosen:
        raise typer.BadParameter("What was read from standard input is not there any more.", param_hint="--resume")
    if edits is not None and several:
        raise typer.BadParameter("Corrections are for one text: give one FILE.", param_hint="--edits")
    pages = None if html is None else OutputPlaces(html, ".html", "report", chosen)
    logs = None if log is None else OutputPlaces(log, ".log", "memory log", chosen)
    saved = None if save_text is None else OutputPlaces(save_text, ".txt", "text", chosen)
    exporter = None if to is None else Exporter(to, out, ExportOptions(), chosen)
    outputs = [(place, places.kind) for places in (pages, logs, saved) if places is not None for place in places]
    if out is not None and not several:
        outputs.append((out, "export"))
    check_outputs(
        outputs,
        [*chosen, *(each for each in (gold, edits) if each is not None), *([] if jsonl_out is None else [jsonl_out])],
        force=force,
    )
    corrections = _edits(edits)
    listing = _listing(top, min_mentions, sort, whom)
    writers = _writers(pages, logs, listing, gold)
    if saved is not None:
        writers.append(lambda file, tracking: _write_text(saved.of(file), tracking))
    if exporter is not None:
        writers.append(lambda file, tracking: exporter.write(file, tracking, inputs=chosen))
    with ExitStack() as held:
        archive = (
            None
            if jsonl_out is None
            else held.enter_context(_archive(jsonl_out, chosen, model, cells, threshold, resume=resume, force=force))
        )
        texts = Texts([file for file in chosen if archive is None or str(file) not in archive], encoding)
        objects: list[str] = []  # of an array, which is written when it is complete
        trackings = (
            _trackings(texts, load_tracker(model, device, backend=backend, threads=threads), cells, threshold)
            if len(texts)
            else ()
        )
        for number, (file, tracking) in enumerate(trackings):
            tracking = _corrected(tracking, corrections)
            if archive is None:
                if as_json and several:
                    objects.append(_json(tracking, profiles))
                elif as_json or as_jsonl:
                    typer.echo(_json(tracking, profiles, indent=None if as_jsonl else 2))
                elif to is None or out is not None:
                    _show(tracking, listing, profiles, heading=several, is_first=number == 0)
            for write in writers:
                try:
                    write(file, tracking)
                except PetraError as error:
                    texts.complain(error)
            if archive is not None:  # at last: a text that is in it is not read again
                archive.add(str(file), archive.read_by.line(_values(tracking, profiles)))
        if archive is not None:
            archive.put_in_order([str(file) for file in chosen])
            remark(f"{len(archive):,} texts are in {jsonl_out}.")
    if exporter is not None:
        exporter.close()
    if objects:
        typer.echo("[" + ",\n".join(objects) + "]")
    if texts.failed:
        raise typer.Exit(1)


def _trackings(
    texts: Texts, tracker: Tracker, cells: int | None, threshold: float | None
) -> Iterator[tuple[Path, Tracking]]:
    """Each text tracked, with its file. No bar is shown while the caller writes to stdout."""
    import dataclasses

    if len(texts) == 1:
        for text in texts:
            file = texts.sources.popleft()
            with progress(f"Reading {file}", of="tokens") as report:
                tracking = tracker.track(text, cells=cells, threshold=threshold, source=str(file), report=report)
            yield file, tracking
        return
    bar = TextsProgress(len(texts))
    trackings = tracker.track_many(texts, cells=cells, threshold=threshold, report=bar.tokens)
    while True:
        with bar:
            found = next(trackings, None)
        if found is None:
            return
        bar.done += 1
        file = texts.sources.popleft()
        yield file, dataclasses.replace(found, source=str(file))


def _archive(
    out: Path,
    texts: Sequence[Path],
    model: str | None,
    cells: int | None,
    threshold: float | None,
    *,
    resume: bool,
    force: bool,
) -> Archive:
    """The file of lines to add to; an old one is gone on with, or begun anew, only if that is asked for."""
    from petra.report.values.archive import Archive, ArchiveSettings
    from petra.trained import model_folder, read_record

    if out.resolve() in {file.resolve() for file in texts}:
        raise typer.BadParameter(f"{out} is one of the texts. Give another name.", param_hint=_JSONL)
    read_by = ArchiveSettings(model=str(read_record(model_folder(model))["name"]), cells=cells, threshold=threshold)
    if not resume and not force and out.is_file() and out.stat().st_size:
        raise typer.BadParameter(
            f"{out} is there already. Go on with it by --resume, or begin anew with --force.", param_hint=_JSONL
        )
    return Archive(out, read_by, anew=force and not resume)


def _edits(file: Path | None) -> tuple[Edit, ...]:
    from petra.log.edits import load_edits

    return () if file is None else load_edits(file)


def _corrected(tracking: Tracking, edits: tuple[Edit, ...]) -> Tracking:
    """A tracking with corrections; those that do not fit are told."""
    if not edits:
        return tracking
    corrected = tracking.corrected(edits)
    for misfit in corrected.editor().state.misfits:
        remark(f"{misfit}")
    return corrected


def _listing(
    top: int | None, min_mentions: int, order: Literal["mentions", "first", "name"] | None, is_cast: bool | None
) -> Listing:
    from petra.report.values.listing import Listing

    whom: Literal["cast", "everybody"] | None = None if is_cast is None else "cast" if is_cast else "everybody"
    return Listing(top=top, min_mentions=min_mentions, order=order, whom=whom)


def _values(tracking: Tracking, profiles: bool) -> dict[str, Any]:
    values = tracking.to_dict()
    if profiles:
        values["profiles"] = [profile.to_dict() for profile in tracking.profiles()]
    return values


def _json(tracking: Tracking, profiles: bool, *, indent: int | None = 2) -> str:
    from petra.report.values.as_json import dump

    return dump(_values(tracking, profiles), indent=indent)


def _show(tracking: Tracking, listing: Listing, profiles: bool, *, heading: bool, is_first: bool) -> None:
    """The people as a table, or their profiles; with several texts, under the name of its file."""
    from rich.console import Console
    from rich.text import Text

    from petra.report.tables.people import profile_lines, show_people

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
    pages: OutputPlaces | None, logs: OutputPlaces | None, listing: Listing, gold: Path | None
) -> list[Callable[[Path, Tracking], None]]:
    """What writes the files asked for."""
    from petra.report.values.from_json import read_annotation

    writers: list[Callable[[Path, Tracking], None]] = []
    if pages is not None:
        annotation = None if gold is None else read_annotation(gold)
        writers.append(lambda file, tracking: _write_html(pages.of(file), tracking, listing, annotation))
    if logs is not None:
        writers.append(lambda file, tracking: _write_log(logs.of(file), tracking))
    return writers


def _write_html(place: Path, tracking: Tracking, listing: Listing, annotation: Annotation | None) -> None:
    from petra.report.page.report_page import html_report
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


def _write_text(place: Path, tracking: Tracking) -> None:
    from petra.runtime.files import write_atomically

    write_atomically(place, tracking.text.encode("utf-8", "replace"))
    remark(f"Text written to {place}.")


def _write_log(place: Path, tracking: Tracking) -> None:
    from petra.log.storage import save

    save(tracking.log, place)
    remark(f"Memory log written to {place}.")
