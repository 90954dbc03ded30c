"""The files of a study: tables, figures and the report, made from records alone."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from petra.errors import ConfigError
from petra.publication.documents import as_html, as_markdown
from petra.reproduction.paper_tables import TABLES, runs_csv
from petra.reproduction.report import report
from petra.reproduction.results import Results
from petra.reproduction.sections import FIGURES, SECTIONS
from petra.runtime.files import write_atomically


def require_figures(names: Sequence[str]) -> None:
    """Say what is missing if a figure is asked for that cannot be drawn."""
    drawn = [name for name in names if name in FIGURES]
    if drawn and find_spec("matplotlib") is None:
        others = " ".join(name for name in SECTIONS if name not in FIGURES)
        raise ConfigError(
            f"Matplotlib, which draws {' and '.join(drawn)}, is not installed. "
            f"Install it with: pip install 'petra[plots]'. Or ask for tables alone: petra reproduce {others}"
        )


def write_outputs(studies: Sequence[Results], out: Path, names: Sequence[str]) -> None:
    """Write the tables and figures of that name; the report, too, if none is left out."""
    pictures: dict[str, bytes] = {}
    for name in names:
        for make in TABLES[name]:
            table = make(studies)
            write_atomically(out / f"tables/{table.name}.csv", table.to_csv().encode())
        if name in FIGURES:
            from petra.publication.figures import figure_file
            from petra.reproduction.figures import draw

            figure = draw(name, studies)
            pictures[name] = figure_file(figure, "svg")
            write_atomically(out / f"figures/{name}.svg", pictures[name])
            write_atomically(out / f"figures/{name}.png", figure_file(figure, "png"))
    if set(names) >= set(SECTIONS):
        blocks = report(studies, pictures)
        write_atomically(out / "runs.csv", runs_csv(studies).encode())
        write_atomically(out / "report.md", as_markdown(blocks).encode())
        write_atomically(out / "report.html", as_html(blocks).encode())
