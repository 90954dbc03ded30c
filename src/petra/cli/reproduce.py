"""``petra reproduce``: the paper's study, from training to the report."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from petra.cli.console import remark, show
from petra.cli.options import DataOption, DeviceOption
from petra.reproduction.sections import SECTIONS

if TYPE_CHECKING:
    from rich.progress import TaskID

    from petra.publication.tables import Table
    from petra.reproduction.grid import GridConfig
    from petra.reproduction.progress import StudyProgress

_BRIEF = ("findings", "gap-test")  # shown when nothing is asked for by name; the report has the rest


def reproduce(
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder for records, tables, figures and the report.")
    ],
    tables: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TABLE", help=f"Any of {', '.join(SECTIONS)} (default: all, and a report).", show_default=False
        ),
    ] = None,
    recipe: Annotated[
        list[Path] | None,
        typer.Option(
            "--recipe",
            metavar="RECIPE",
            help="A grid, as recipes/paper-minilm.toml; several stand side by side (default: the paper's, MPNet-base).",
            show_default=False,
        ),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            metavar="MODEL",
            help="Train the runs of this model alone, as vanilla; may be given again (default: all of the grid's).",
            show_default=False,
        ),
    ] = None,
    beside: Annotated[
        list[Path] | None,
        typer.Option(
            "--beside",
            metavar="DIR",
            help="Where the same grid was made once more: all its runs are judged together with those in --out, "
            "and each grid by itself. May be given again.",
            show_default=False,
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A miniature of the grid, in minutes on a CPU.")] = False,
    no_train: Annotated[
        bool, typer.Option("--no-train", help="Take the records there are, and train nothing.")
    ] = False,
    keep_models: Annotated[
        bool, typer.Option("--keep-models", help="Also keep the models of the runs trained now, in --out.")
    ] = False,
    device: DeviceOption = None,
    data: DataOption = None,
) -> None:
    """Make the paper's tables and figures, with the published numbers beside ours.

    Runs that have a record in --out are never made again, and an interrupted study
    goes on where it was: at most one epoch is lost.
    """
    from petra.reproduction.baselines import kept_baselines
    from petra.reproduction.outputs import require_figures, write_outputs
    from petra.reproduction.paper_tables import TABLES
    from petra.reproduction.records import read_records
    from petra.reproduction.results import Results, read_studies

    names = _names(tables)
    grids = _grids(recipe, quick)
    require_figures(names)
    wanted = _only(grids, model)
    missing = sum(len(Results.of(grid, read_records(out / "runs")).missing) for grid in wanted)
    if missing and not no_train:
        chosen = [word for path in recipe or () for word in ("--recipe", str(path))]
        chosen += [word for name in model or () for word in ("--model", name)]
        chosen += [word for path in beside or () for word in ("--beside", str(path))]
        places = [
            word for name, value in (("--device", device), ("--data", data)) if value for word in (name, str(value))
        ]
        asked = [*chosen, *["--quick"] * quick, *["--keep-models"] * keep_models, "--out", str(out), *places]
        _train(wanted, out, device, data, keep_models, asked)
    is_whole = any(not Results.of(grid, {}).is_partial for grid in grids)
    baselines = kept_baselines(out, _data(data)) if is_whole else None
    studies = [study for grid in grids for study in read_studies(grid, [out, *(beside or ())], baselines)]
    write_outputs(studies, out, names)
    for name in names if tables else _BRIEF:
        for make in TABLES[name]:
            _show_table(make(studies))
    if missing and no_train:
        remark(f"{missing} runs are missing. Without --no-train they are trained.")
    remark(f"Tables and figures are in {out}." if tables else f"The report is in {out / 'report.html'}.")


def _data(option: Path | None) -> Path | None:
    """The data folder; None where there is none, for records need no corpora."""
    from petra.corpora.places import data_folder
    from petra.errors import DataError

    try:
        return data_folder(option)
    except DataError:
        return None


def _names(tables: Sequence[str] | None) -> tuple[str, ...]:
    for name in tables or ():
        if name not in SECTIONS:
            raise typer.BadParameter(f"No table named {name!r}. Choose from {', '.join(SECTIONS)}.", param_hint="TABLE")
    return tuple(dict.fromkeys(tables or SECTIONS))


def _grids(recipes: Sequence[Path] | None, quick: bool) -> list[GridConfig]:
    from petra.reproduction.grid import GridConfig, paper_grid, quick_grid

    if recipes and quick:
        raise typer.BadParameter("--quick has a recipe of its own. Give one or the other.", param_hint="--quick")
    if recipes:
        return [GridConfig.read(path) for path in dict.fromkeys(recipes)]
    return [quick_grid() if quick else paper_grid()]


def _only(grids: Sequence[GridConfig], models: Sequence[str] | None) -> list[GridConfig]:
    """The grids with the runs of these models alone, all if none is named."""
    known = dict.fromkeys(model for grid in grids for model in grid.settings.models)
    for name in models or ():
        if name not in known:
            raise typer.BadParameter(
                f"No model {name!r} in the grid. Choose from {', '.join(known)}.", param_hint="--model"
            )
    chosen = set(models or known)
    return [grid.only(chosen) for grid in grids if chosen & set(grid.settings.models)]


def _train(
    grids: Sequence[GridConfig],
    out: Path,
    device: str | None,
    data: Path | None,
    keep_models: bool,
    asked: Sequence[str],
) -> None:
    import shlex

    from petra.corpora.places import data_folder
    from petra.reproduction.study import GridStudy, run_study
    from petra.runtime.devices import choose_device
    from petra.training.objective import Hooks

    folder, place = data_folder(data), choose_device(device)
    with _ShownStudy() as shown:
        hooks = Hooks(
            on_fetch=lambda done, whole: shown.step("Fetching the encoder", done, whole),
            on_encode=lambda split, done, whole: shown.step(f"Encoding {split}", done, whole),
            on_batch=lambda done, whole: shown.step("Epoch", done, whole),
        )
        run_study(
            GridStudy(
                grids=grids,
                data=folder,
                out=out,
                device=place,
                command=shlex.join(["petra", "reproduce", *asked]),
                keep_models=keep_models,
                hooks=hooks,
                on_progress=shown.epoch,
            )
        )


class _ShownStudy:
    """How far the study is, on stderr: two bars and a line on a terminal, a line an epoch anywhere else."""

    def __enter__(self) -> _ShownStudy:
        from rich.console import Console, Group
        from rich.live import Live
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.text import Text

        console = Console(stderr=True)
        parts = (TextColumn("{task.description}"), BarColumn(bar_width=20), MofNCompleteColumn())
        self._bars = Progress(*parts, TextColumn("{task.fields[note]}"), console=console)
        self._runs: TaskID = self._bars.add_task("Runs", total=None, note="")
        self._now: TaskID = self._bars.add_task("Preparing", total=None, note="")
        self._line = Text()
        self._live = (
            Live(Group(self._bars, self._line), console=console, transient=True) if console.is_terminal else None
        )
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def step(self, what: str, done: int, whole: int) -> None:
        """Part of the work that goes on now."""
        self._bars.update(self._now, description=what, completed=done, total=whole)

    def epoch(self, progress: StudyProgress) -> None:
        """An epoch is done."""
        from petra.reproduction.words import duration

        if not self._live:
            remark(str(progress))
            return
        note = f"{progress.running} running, about {duration(progress.seconds_left)} left"
        self._bars.update(self._runs, completed=progress.done, total=progress.whole, note=note)
        self._line.plain = str(progress).split(";")[0]


def _show_table(table: Table) -> None:
    """A table for people on a terminal; in a pipe as Markdown, which never wraps."""
    from petra.publication.documents import Heading, as_markdown

    if not sys.stdout.isatty():
        typer.echo(as_markdown([Heading(2, table.title), table]))
        return
    from rich.table import Table as RichTable

    shown = RichTable(title=table.title, title_justify="left", caption="\n".join(table.notes), caption_justify="left")
    for at, column in enumerate(table.columns):
        shown.add_column(column.title, justify="right" if table.is_number(at) else "left", overflow="fold")
    for row in table.texts():
        shown.add_row(*row)
    show(shown)
