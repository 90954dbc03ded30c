"""``petra study``: the paper's human evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from petra.cli.console import progress, remark, show, show_json
from petra.cli.loading import load_tracker
from petra.cli.options import CellsOption, DataOption, DeviceOption, JsonOption
from petra.errors import ConfigError, StudyError

if TYPE_CHECKING:
    from petra.log.memory_log import MemoryLog
    from petra.publication.tables import Table
    from petra.study.answers import Answers
    from petra.study.study import Study
    from petra.tracker import Tracker

app = typer.Typer(no_args_is_help=True)


class _ShownReading:
    """A model that shows how far it has read."""

    def __init__(self, tracker: Tracker) -> None:
        self._tracker = tracker

    @property
    def name(self) -> str:
        return self._tracker.name

    def logs(self, texts: Sequence[str], *, cells: int | None = None) -> Iterator[MemoryLog]:
        with progress(f"{self.name} reads") as report:
            for done, log in enumerate(self._tracker.logs(texts, cells=cells), start=1):
                report(done, len(texts))
                yield log


FolderArgument = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the study.")]
DatabaseOption = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        envvar="PETRA_STUDY_DATABASE",
        help="Where answers are kept, for example postgresql://user@host/name (default: a SQLite file in DIR).",
        show_default=False,
    ),
]
UrlOption = Annotated[
    str | None,
    typer.Option("--url", help="Address that annotators reach the server by, for example https://study.example.org."),
]


@app.callback()
def study() -> None:
    """Let people judge models by their memory logs, as in the paper."""


@app.command()
def new(
    folder: FolderArgument,
    model: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", help="Model name or folder; give two or more.", show_default=False),
    ] = None,
    paper: Annotated[
        bool, typer.Option("--paper", help="The paper's own study: PeTra against the Referential Reader, 8 cells.")
    ] = False,
    documents: Annotated[
        list[str] | None,
        typer.Option(
            "--documents",
            help="A text file, an id of GAP such as validation-17, or a split such as gap-test; repeatable "
            "(default: gap-validation).",
            show_default=False,
        ),
    ] = None,
    draw: Annotated[
        int | None,
        typer.Option(
            "--draw", min=1, help="Documents to draw from these (default: 50 of a split, else all).", show_default=False
        ),
    ] = None,
    set_size: Annotated[int, typer.Option("--set-size", min=1, help="Documents for one annotator.")] = 10,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Annotators for each document.")] = 2,
    seed: Annotated[int, typer.Option("--seed", help="Decides the documents, the sets and who is model A.")] = 0,
    cells: CellsOption = None,
    title: Annotated[
        str | None, typer.Option("--title", help="What annotators see at the top.", show_default=False)
    ] = None,
    instructions: Annotated[
        Path | None,
        typer.Option("--instructions", metavar="FILE", help="Your own instructions, as text (default: the paper's)."),
    ] = None,
    consent: Annotated[
        Path | None,
        typer.Option("--consent", metavar="FILE", help="What annotators agree to, as text (default: a text of ours)."),
    ] = None,
    contact: Annotated[
        str | None,
        typer.Option("--contact", help="Whom annotators write to, in the consent text.", show_default=False),
    ] = None,
    pilot: Annotated[
        bool,
        typer.Option("--pilot", help="A trial for two annotators: 4 documents that the study itself does not draw."),
    ] = False,
    data: DataOption = None,
    device: DeviceOption = None,
) -> None:
    """Make a study: draw documents, deal them into sets, and let every model read them.

    The defaults are the paper's: 50 documents, two rounds of five sets of 10.
    """
    from petra.study.design import Design
    from petra.study.documents import PAPER_SPLIT, find_texts
    from petra.study.guidance.consent import default_consent
    from petra.study.making import create_study
    from petra.study.storage import check_place
    from petra.text.source import read_text

    if paper and (model or documents or draw or cells or (set_size, rounds) != (10, 2)):
        raise typer.BadParameter(
            "The paper's study has its models, documents and sets. Leave the other options out, or leave out --paper.",
            param_hint="--paper",
        )
    models = _paper_models() if paper else model or []
    if len(models) < 2:
        raise typer.BadParameter("A study compares models. Give two or more, or --paper.", param_hint="--model")
    check_place(folder)
    words = None if instructions is None else read_text(instructions)
    agreed = default_consent(contact) if consent is None else read_text(consent)
    texts = find_texts(documents or [PAPER_SPLIT], data)
    number = draw or (min(50, len(texts)) if _names_split(documents) else len(texts))
    design = Design(num_documents=number, set_size=set_size, rounds=rounds, seed=seed)
    made = create_study(
        folder,
        readers=(_ShownReading(load_tracker(name, device)) for name in models),
        texts=texts,
        design=design,
        cells=cells,
        names=None if paper else _names(models),
        title=title,
        instructions=words,
        consent=agreed,
        is_paper=paper,
        is_pilot=pilot,
    )
    remark(
        f"A {'pilot' if pilot else 'study'} of {len(made.documents)} documents for {len(made.annotators)} annotators "
        f"is in {folder}. "
        f"Serve it with: petra study serve {folder}"
    )


@app.command()
def power(
    share: Annotated[
        float,
        typer.Option("--share", help="Percent of the answers for a model that the better one is expected to get."),
    ] = 60,
    other: Annotated[float, typer.Option("--from", help="Percent that it is to be told from.")] = 50,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Annotators for each document.")] = 2,
    set_size: Annotated[int, typer.Option("--set-size", min=1, help="Documents for one annotator.")] = 10,
    neutral: Annotated[
        float, typer.Option("--neutral", help="Percent of neutral answers (default: the paper's).")
    ] = 18,
    correlation: Annotated[
        float | None,
        typer.Option(
            "--correlation",
            help="Of two answers to one document, 0 to 1 (default: the paper's, 0.23).",
            show_default=False,
        ),
    ] = None,
    chance: Annotated[float, typer.Option("--power", help="Percent of studies that would tell.")] = 80,
    as_json: JsonOption = False,
) -> None:
    """Say how many documents and annotators tell one share of preferences from another."""
    from dataclasses import asdict

    from petra.study.results.power import PAPER_CORRELATION, documents_needed

    found = documents_needed(
        share / 100,
        other / 100,
        rounds=rounds,
        set_size=set_size,
        neutral=neutral / 100,
        correlation=PAPER_CORRELATION if correlation is None else correlation,
        power=chance / 100,
    )
    if as_json:
        show_json({"schema": "petra.study-power/1", **asdict(found)})
    else:
        print(
            f"{found.documents} documents with {rounds} answers each, by {found.annotators} annotators, tell {share:g} "
            f"from {other:g} % in {chance:g} % of studies ({found.answers} independent answers that prefer a model)."
        )


@app.command()
def serve(
    folder: FolderArgument,
    database: DatabaseOption = None,
    host: Annotated[str, typer.Option("--host", help="Address to listen on; 0.0.0.0 for all.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port to listen on; 0 for a free one.")] = 8600,
    url: UrlOption = None,
) -> None:
    """Serve a study until Ctrl-C; prints every annotator's private link.

    Links stay the same, and answers are kept, from one run to the next.
    """
    from petra.web.serving.running import require, run

    require()
    base = None if url is None else _base(url)
    with _opened(folder, database) as (made, answers):
        from petra.web.study.app import study_app

        def ready(address: str) -> None:
            remark(
                f"Answers are kept in {answers.place}. Give each annotator one of these links; Ctrl-C ends the server."
            )
            _print_links(made, base or address.rstrip("/"))

        names = [] if base is None else [urlsplit(base).hostname or ""]
        run(study_app(folder, made, answers, hosts=names), host=host, port=port, ready=ready)


@app.command()
def links(folder: FolderArgument, url: UrlOption = None) -> None:
    """Print the private link of every annotator."""
    from petra.study.storage import read_study

    _print_links(read_study(folder), _base(url or "http://127.0.0.1:8600"))


@app.command()
def report(
    folder: FolderArgument,
    database: DatabaseOption = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="OUT", help="Folder for the report, CSV and JSON files and figures."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show what the answers given so far say: preferences, agreement, progress."""
    from petra.study.results import tables
    from petra.study.results.analysis import analyse
    from petra.study.results.report import draws_pictures, report_json, write_report

    with _opened(folder, database) as (made, answers):
        analysis = analyse(made, answers.all())
        remark(f"{len(analysis.judgements)} of {made.num_tasks} answers are in {answers.place}.")
    if out is not None:  # first: whoever reads the tables may stop before their end
        write_report(out, made, analysis)
        if not draws_pictures():
            remark("The figures are left out: Matplotlib is not installed (pip install 'petra[plots]').")
        remark(f"The report is in {out / 'report.html'}.")
    if as_json:
        show_json(report_json(made, analysis))
    else:
        for make in (
            tables.preference_table,
            tables.difference_table,
            tables.agreement_summary,
            tables.agreement_table,
            tables.progress_table,
        ):
            _show_table(make(made, analysis))


@contextmanager
def _opened(folder: Path, database: str | None) -> Iterator[tuple[Study, Answers]]:
    """A study and its answers, until the end of the block."""
    from importlib.util import find_spec

    if find_spec("sqlalchemy") is None:
        raise ConfigError("SQLAlchemy, which keeps the answers, is not installed. Install it: pip install 'petra[web]'")
    from petra.study.answers import Answers
    from petra.study.databases import database_of
    from petra.study.storage import read_study

    made = read_study(folder)
    with Answers(database_of(folder, database), made.id) as answers:
        yield made, answers


def _paper_models() -> Sequence[str]:
    """The models of the paper's study, if they are here."""
    from petra.study.making import PAPER_MODELS
    from petra.trained import is_model

    if missing := [name for name in PAPER_MODELS if not is_model(name)]:
        raise StudyError(
            f"The paper's study compares {' and '.join(PAPER_MODELS)}; {' and '.join(missing)} is not among the models "
            "here. `petra reproduce --keep-models` trains it; give the folder of such a model: "
            "petra study new DIR --model paper-petra-8 --model FOLDER"
        )
    return PAPER_MODELS


def _names(models: Sequence[str]) -> list[str]:
    """What the report calls the models: their own names, or what was asked for where two have the same."""
    from petra.trained import model_folder, read_record

    own = [str(read_record(model_folder(model))["name"]) for model in models]
    return own if len(set(own)) == len(own) else list(models)


def _names_split(documents: Sequence[str] | None) -> bool:
    return documents is None or any(name.startswith("gap-") for name in documents)


def _base(url: str) -> str:
    """The address that links begin with."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise typer.BadParameter(
            f"{url!r} is no address of a server. Give one such as https://study.example.org", param_hint="--url"
        )
    return f"{parts.scheme}://{parts.netloc}"


def _print_links(made: Study, base: str) -> None:
    for annotator in made.annotators:
        print(f"annotator {annotator.number}\t{base}/a/{annotator.token}", flush=True)


def _show_table(table: Table) -> None:
    from rich.table import Table as Drawn

    drawn = Drawn(title=table.title, title_justify="left", caption="\n".join(table.notes), caption_justify="left")
    for at, column in enumerate(table.columns):
        drawn.add_column(column.title, justify="right" if table.is_number(at) else "left")
    for row in table.texts():
        drawn.add_row(*row)
    show(drawn)
