"""``petra export``: what was found, in the formats of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from petra.cli.exporting import Exporter, ExportOutOption
from petra.cli.outputs import check_outputs
from petra.errors import PetraError
from petra.report.export.format import ExportOptions, Within, format_names

_PARTS: tuple[Literal["sentence", "paragraph", "chapter"], ...] = ("sentence", "paragraph", "chapter")


def export(
    trackings: Annotated[
        list[Path],
        typer.Argument(metavar="TRACKING", help="What petra track --json, --jsonl or --log wrote."),
    ],
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help=f"One of {', '.join(format_names())}.")],
    out: ExportOutOption = None,
    text: Annotated[
        Path | None,
        typer.Option("--text", metavar="FILE", help="The text, if it is not where the tracking says it came from."),
    ] = None,
    table: Annotated[
        Literal["mentions", "people", "quotations"],
        typer.Option("--table", help="Of csv and tsv: the table in OUT or on stdout."),
    ] = "mentions",
    network: Annotated[
        Literal["company", "speech"],
        typer.Option("--network", help="Of graphml and gexf: who is mentioned with whom, or who speaks to whom."),
    ] = "company",
    within: Annotated[
        str,
        typer.Option("--within", help="Company is to be mentioned in one sentence, paragraph, chapter or N words."),
    ] = "paragraph",
    everybody: Annotated[
        bool, typer.Option("--everybody", help="Put everybody into the network, not the cast alone.")
    ] = False,
) -> None:
    """Write what was found in texts in a format of other programs: tables, TEI, CoNLL, networks.

    Without --out the main file of the format goes to stdout. Offsets in all formats are those of the text.
    """
    from petra.cli.texts import read_source
    from petra.report.export.stored import read_stored

    check_outputs([] if out is None else [(out, "export")], [*trackings, *([text] if text else [])], force=True)
    if text is not None and len(trackings) > 1:
        raise typer.BadParameter("A text goes with one tracking.", param_hint="--text")
    options = ExportOptions(table=table, network=network, within=_within(within), everybody=everybody)
    given = None if text is None else read_source(text)
    found = [(file, each) for file in trackings for each in read_stored(file, given, read_source)]
    sources = [Path(tracked.source) if tracked.source else file for file, tracked in found]
    exporter = Exporter(to, out, options, sources)
    failed = False
    for source, (_, tracked) in zip(sources, found, strict=True):
        try:
            exporter.write(source, tracked, inputs=[*trackings, text or source])
        except PetraError as error:
            failed = True
            typer.echo(f"error: {error}", err=True)
    exporter.close()
    if failed:
        raise typer.Exit(1)


def _within(written: str) -> Within:
    for part in _PARTS:
        if written == part:
            return part
    if not (written.isdecimal() and int(written) > 0):
        raise typer.BadParameter(
            f"{written!r} is not one of {', '.join(_PARTS)}, nor a number of words.", param_hint="--within"
        )
    return int(written)
