"""``petra show``: pictures of memory logs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from petra.cli.console import progress, remark
from petra.cli.loading import load_tracker
from petra.cli.options import CellsOption, DeviceOption, ModelOption, ThresholdOption
from petra.cli.outputs import ForceOption, OutputKind, check_outputs
from petra.cli.texts import STDIN, given_files, read_source
from petra.errors import ConfigError

if TYPE_CHECKING:
    from petra.log.memory_log import MemoryLog
    from petra.report.picture.files import PictureFileForm
    from petra.report.picture.panels import Panel

_ZIP = b"PK\x03\x04"  # how a stored log begins, and no text
_MOST_LETTERS = 12  # named in a remark
_KINDS: dict[str, OutputKind] = {
    "png": "png picture",
    "svg": "svg picture",
    "pdf": "pdf picture",
    "html": "html picture",
}


def show(
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="PICTURE", help="File to write: .png, .svg, .pdf or .html.")
    ],
    inputs: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[INPUT]...",
            help="Memory logs, as petra track --log writes them, or texts; - is standard input.",
            allow_dash=True,
            show_default=False,
        ),
    ] = None,
    title: Annotated[
        list[str] | None,
        typer.Option("--title", help="Title of a log; once for each, in their order (default: model and cells)."),
    ] = None,
    first: Annotated[
        str | None,
        typer.Option("--from", metavar="PLACE", help="Begin here: a character offset, or words of the text."),
    ] = None,
    last: Annotated[
        str | None, typer.Option("--to", metavar="PLACE", help="End here: a character offset, or words of the text.")
    ] = None,
    columns: Annotated[int, typer.Option("--columns", min=10, max=200, help="Tokens on a line.")] = 40,
    people: Annotated[
        bool, typer.Option("--people", help="Also show who is meant: a colour and a number for each person.")
    ] = False,
    all_tokens: Annotated[bool, typer.Option("--all-tokens", help="Do not skip text without people.")] = False,
    all_cells: Annotated[bool, typer.Option("--all-cells", help="Do not leave out cells that are not used.")] = False,
    font: Annotated[
        str | None,
        typer.Option("--font", metavar="FAMILY", help="Installed font for characters that DejaVu Sans lacks."),
    ] = None,
    model: ModelOption = None,
    cells: CellsOption = None,
    threshold: ThresholdOption = None,
    device: DeviceOption = None,
    force: ForceOption = False,
) -> None:
    """Draw what the memory decided on every token: the paper's picture of a memory log.

    Several logs of one text stand one above the other, over the same tokens, and words on which they differ are
    marked. If a page does not hold all, text on which they agree is left out; --all-tokens shows it.
    """
    from petra.report.picture.files import form_of, picture_file, require
    from petra.report.picture.panels import View, make_panels
    from petra.runtime.files import write_atomically

    try:
        form = form_of(out)
    except ConfigError as error:
        raise typer.BadParameter(str(error), param_hint="--out") from None
    require(form)
    chosen = given_files(inputs)
    if title and len(title) > len(chosen):
        raise typer.BadParameter(f"{len(title)} titles for {len(chosen)} of INPUT.", param_hint="--title")
    check_outputs([(out, _KINDS[form])], chosen, force=force)
    logs = _logs(chosen, model, cells, threshold, device)
    view = View(
        first=first,
        last=last,
        threshold=threshold,
        columns_per_line=columns,
        all_tokens=all_tokens,
        all_cells=all_cells,
        with_people=people,
        compared=True,
    )
    panels = make_panels(logs, view, _titles(chosen, logs, title or []))
    write_atomically(out, picture_file(panels, form, font=font))
    _tell(panels, form, font, end_chosen=last is not None)
    remark(f"Picture written to {out}.")


def _logs(
    files: Sequence[Path], model: str | None, cells: int | None, threshold: float | None, device: str | None
) -> list[MemoryLog]:
    """The log of each file: the one stored in it, or that of reading the text in it."""
    from petra.log.storage import load

    # A file that cannot be read is reported before the model is loaded, which takes time.
    stored = {file: load(file) for file in files if _is_log(file)}
    texts = {file: read_source(file) for file in files if file not in stored}
    if not texts:
        if cells is not None:
            raise typer.BadParameter("A stored log was read with its own cells. Give the text.", param_hint="--cells")
        return [stored[file] for file in files]
    tracker = load_tracker(model, device)
    for file, text in texts.items():
        with progress(f"Reading {file}") as report:
            stored[file] = tracker.track(text, cells=cells, threshold=threshold, report=report).log
    return [stored[file] for file in files]


def _is_log(file: Path) -> bool:
    if file == STDIN or file.suffix.lower() in (".epub", ".docx"):  # which begin like a log
        return False
    try:
        with file.open("rb") as content:
            return content.read(len(_ZIP)) == _ZIP
    except OSError:
        return False  # reading it as a text has the words for what is wrong


def _titles(files: Sequence[Path], logs: Sequence[MemoryLog], given: Sequence[str]) -> list[str]:
    """The titles of logs: those given, then their own, with the files' names where they would be the same."""
    from petra.report.picture.panels import own_title

    own = [own_title(log) for log in logs]
    if len(set(own)) < len(own):
        own = [f"{'stdin' if file == STDIN else file.name}: {title}" for file, title in zip(files, own, strict=True)]
    return [*given, *own[len(given) :]]


def _tell(panels: Sequence[Panel], form: PictureFileForm, font: str | None, *, end_chosen: bool) -> None:
    """Remarks on what a picture does not show."""
    from petra.report.picture.captions import cut_remark
    from petra.report.picture.files import undrawable

    for panel in panels:
        if panel.only_differences:
            remark("Text on which the readings agree is left out, so that a page holds the picture.")
        if panel.is_cut:
            advice = "Choose a shorter part" if end_chosen else "Choose a part"
            remark(f"{cut_remark(panel)} {advice} with --from and --to.")
    if missing := undrawable(panels, form, font=font):
        shown = missing if len(missing) <= _MOST_LETTERS else f"{missing[:_MOST_LETTERS]} and others"
        remark(
            f"No font at hand has {shown}: boxes stand for them. "
            "Name a font that does with --font, or make an SVG or HTML file, which use the reader's fonts."
        )
