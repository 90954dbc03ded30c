"""The report says what was found, what is missing and what collapsed, and stands alone."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from study_samples import grid, results

from petra.errors import ConfigError
from petra.evaluation.count_baselines import CountBaselines
from petra.publication.documents import Bullets, Heading, Item, Paragraph, Picture, as_html, as_markdown
from petra.publication.figures import figure_file
from petra.publication.tables import Table, TableColumn
from petra.reproduction import outputs
from petra.reproduction.comparisons import cell_use_words, correlation_words, cost_words, gap_test_words
from petra.reproduction.figures import draw
from petra.reproduction.grid import GridRun
from petra.reproduction.outputs import require_figures, write_outputs
from petra.reproduction.results import Results
from petra.reproduction.sections import FIGURES, SECTIONS

MODELS = ["vanilla", "learned-init", "fixed-key", "referential-reader"]
TEST_F1 = {"vanilla": 80.0, "learned-init": 79.0, "fixed-key": 79.5, "referential-reader": 75.0}


def measured(run: GridRun) -> dict[str, Any]:
    f1 = TEST_F1[run.model] + run.cells / 10 + run.seed / 10
    return {"validation_f1": f1, "test_f1": TEST_F1[run.model], "count_error_best": 100 - run.seed}


def study(**settings: Any) -> Results:
    return results(grid(models=MODELS, **settings), measured)


def made(tmp_path: Path, *studies: Results, names: tuple[str, ...] = tuple(SECTIONS)) -> str:
    write_outputs(studies, tmp_path, names)
    report = tmp_path / "report.md"
    return report.read_text(encoding="utf-8") if report.exists() else ""


def test_all_that_is_made(tmp_path: Path) -> None:
    report = made(tmp_path, study())
    names = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert names == [
        "figures/counting-error.png",
        "figures/counting-error.svg",
        "figures/validation-f1.png",
        "figures/validation-f1.svg",
        "report.html",
        "report.md",
        "runs.csv",
        "tables/cell-use.csv",
        "tables/correlation.csv",
        "tables/cost.csv",
        "tables/counting-error-two-fold.csv",
        "tables/counting-error.csv",
        "tables/findings.csv",
        "tables/gap-test.csv",
        "tables/validation-f1.csv",
    ]
    for title in SECTIONS.values():
        assert f"## {title}" in report
    assert "16 of 16 runs, 0 of them collapsed." in report
    for linked in re.findall(r"\]\((\S+)\)", report):
        assert (tmp_path / linked).exists()


def test_a_single_table_leaves_the_report_as_it_was(tmp_path: Path) -> None:
    made(tmp_path, study(), names=("correlation",))
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["correlation.csv"]


def test_missing_and_collapsed_runs_are_named(tmp_path: Path) -> None:
    def some(run: GridRun) -> dict[str, Any] | None:
        if (run.model, run.cells, run.seed) == ("fixed-key", 4, 2):
            return None
        is_bad = (run.model, run.cells, run.seed) == ("vanilla", 2, 1)
        return {**measured(run), **({"validation_f1": 61.5, "collapsed": True} if is_bad else {})}

    report = made(tmp_path, results(grid(models=MODELS), some))
    assert "15 of 16 runs, 1 of them collapsed. Missing: mpnet-base-fixed-key-4-2." in report
    assert (
        "**mpnet-base-vanilla-2-1:** validation F1 61.5 at epoch 8 of 10; calling every link true gives 61.0" in report
    )


def test_nothing_at_all_is_a_report_too(tmp_path: Path) -> None:
    report = made(tmp_path, results(grid(models=MODELS), lambda _: None))
    assert "0 of 16 runs" in report
    assert "and 4 more" in report  # of the 16 that are missing, twelve are named


def test_two_encoders_stand_side_by_side(tmp_path: Path) -> None:
    report = made(tmp_path, study(), study(encoder="minilm"))
    assert report.startswith("# The study of the PeTra paper with mpnet-base and minilm")
    assert "### minilm: " in report


def test_the_same_records_give_the_same_files(tmp_path: Path) -> None:
    made(tmp_path / "one", study())
    made(tmp_path / "two", study())
    for one in (tmp_path / "one").rglob("*"):
        if one.is_file():
            assert one.read_bytes() == (tmp_path / "two" / one.relative_to(tmp_path / "one")).read_bytes(), one


class Loads(HTMLParser):
    """Collects whatever a page would load."""

    def __init__(self) -> None:
        super().__init__()
        self.sources: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.sources += [value or "" for name, value in attrs if name in ("src", "href")]
        assert tag not in ("script", "link")


def test_the_page_needs_nothing_else(tmp_path: Path) -> None:
    made(tmp_path, study())
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    loads = Loads()
    loads.feed(page)
    assert len(loads.sources) == 2
    assert all(source.startswith("data:image/svg+xml;base64,") for source in loads.sources)


def test_a_document_as_markdown_and_as_html() -> None:
    table = Table(
        name="t",
        title="T",
        columns=(TableColumn("Who"), TableColumn("F1")),
        rows=(("a|b", 79.0), ("<c>", None)),
        notes=("Note.",),
    )
    blocks = [
        Heading(1, "A & B"),
        Paragraph("Some <words>."),
        Bullets((Item("One:", "first"),)),
        table,
        Picture("p.svg", 'A "picture"', b"<svg/>"),
    ]
    assert as_markdown(blocks) == (
        "# A & B\n\nSome <words>.\n\n- **One:** first\n\n| Who | F1 |\n| --- | ---: |\n| a&#124;b | 79.0 |\n| <c> | – |"
        '\n\nNote.\n\n![A "picture"](p.svg)\n'
    )
    page = as_html(blocks)
    assert "<title>A &amp; B</title>" in page
    assert "<p>Some &lt;words&gt;.</p>" in page
    assert '<td>&lt;c&gt;</td><td class="number">–</td>' in page
    assert 'alt="A &quot;picture&quot;"' in page


def words(items: list[Item]) -> str:
    return "\n".join(f"{item.lead} {item.text}" for item in items)


def test_agreement_in_words() -> None:
    text = words(gap_test_words(study()))
    assert "PeTra 80.0 ± 0.0 here; in the paper 81.5 ± 0.6 with BERT base (-1.5) and 85.3 ± 0.6 with BERT large" in text
    order = "PeTra > PeTra + Fixed Key > PeTra + Learned Init > Referential Reader"
    assert f"Order: {order} here; in the paper with BERT base the same and with BERT large the same." in text
    assert "PeTra's lead over the Referential Reader is +5.0 here" in text
    assert "agrees in direction" in text


def test_disagreement_in_words() -> None:
    turned = results(grid(models=MODELS), lambda run: {**measured(run), "test_f1": 150 - TEST_F1[run.model]})
    text = words(gap_test_words(turned))
    assert (
        "Order: Referential Reader > PeTra + Learned Init > PeTra + Fixed Key > PeTra here; in the paper with" in text
    )
    assert "does not agree in direction" in text
    against = results(grid(models=MODELS), lambda run: {**measured(run), "count_error_best": run.seed})
    assert "Positive for all models in the paper, not here for PeTra, " in words(correlation_words(against))
    assert "Positive for all models in the paper, and here: agrees." in words(correlation_words(study()))


def test_the_use_of_cells_in_words() -> None:
    some = results(grid(models=MODELS), lambda run: {**measured(run), "overwrite_kl": 0.5})
    text = words(cell_use_words(some)).splitlines()
    assert text[0].endswith("The worst runs prefer some cells here and prefer none in the paper: does not agree.")
    assert text[1].endswith("The worst runs prefer some cells here and prefer some cells in the paper: agrees.")


def test_times_in_words() -> None:
    # 20 s for 10 epochs are 2 s an epoch.
    assert "4 runs in 80 s, 2.000 s an epoch and model.\n" in words(cost_words(study()))


BASELINES = CountBaselines(
    documents=100, best_constant=3, error_best_constant=140, error_constant_two_fold=141, error_names=148
)


def twice() -> list[Results]:
    """A grid that was made two times, with what counting costs without a model."""
    parts = [replace(study(), name=name, baselines=BASELINES) for name in ("one", "two")]
    return [Results.joined(parts), *parts]


def test_a_grid_made_twice_is_reported_together_and_apart(tmp_path: Path) -> None:
    report = made(tmp_path, *twice())
    assert "**mpnet-base, 2 grids:** 32 of 32 runs" in report
    assert "**mpnet-base, one:** 16 of 16 runs" in report
    assert report.count("### mpnet-base, 2 grids: ") > 0
    assert "| mpnet-base, two | 4 |" in report
    assert len((tmp_path / "runs.csv").read_text(encoding="utf-8").splitlines()) == 33  # each run once
    assert "| Always 3 | Names once |" in report
    findings = (tmp_path / "tables/findings.csv").read_text(encoding="utf-8")
    assert len(findings.splitlines()) == 12  # over all runs alone


def test_the_figure_of_counting_has_a_line_for_the_constant() -> None:
    (legend,) = draw("counting-error", twice()).legends
    assert "Always 3 people" in [text.get_text() for text in legend.get_texts()]


def test_degenerate_runs_are_counted() -> None:
    def stuck(run: GridRun) -> dict[str, Any]:
        share = (0.95, 0.05) if (run.model, run.seed) == ("fixed-key", 1) else (0.9, 0.1)
        return {**measured(run), "overwrite_distribution": share}

    text = words(cell_use_words(results(grid(models=MODELS), stuck)))
    assert text.count("degenerate") == 1
    assert "2 of 4 runs are degenerate." in text


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_has_a_line_for_each_model_and_a_panel_for_each_encoder(name: str) -> None:
    figure = draw(name, [study(), study(encoder="minilm")])
    assert [panel.get_title() for panel in figure.axes] == ["mpnet-base", "minilm"]
    for panel in figure.axes:
        assert len(panel.containers) == len(MODELS)
    [legend] = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [
        "PeTra",
        "PeTra + Learned Init",
        "PeTra + Fixed Key",
        "Referential Reader",
    ]
    assert figure_file(figure, "png").startswith(b"\x89PNG")
    assert figure_file(figure, "svg").startswith(b"<?xml")


def test_a_figure_without_runs_can_be_drawn() -> None:
    figure = draw("validation-f1", [results(grid(), lambda _: None)])
    assert figure_file(figure, "png").startswith(b"\x89PNG")


def test_without_matplotlib_figures_are_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outputs, "find_spec", lambda _: None)
    require_figures(["gap-test", "cost"])
    with pytest.raises(
        ConfigError, match=r"pip install 'petra\[plots\]'.*petra reproduce findings gap-test correlation"
    ):
        require_figures(["gap-test", "validation-f1"])
