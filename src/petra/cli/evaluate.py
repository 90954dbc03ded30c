"""``petra evaluate``: how good a model is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from petra.cli.console import progress, remark, show, show_json
from petra.cli.loading import load_tracker
from petra.cli.options import CellsOption, DataOption, DeviceOption, JsonOption, ModelOption, ThresholdOption

if TYPE_CHECKING:
    from rich.table import Table

    from petra.evaluation.books import BooksRun
    from petra.evaluation.coreference import CoreferenceScore
    from petra.evaluation.corpus_count import CorpusCountRun
    from petra.evaluation.gap_score import GapScore
    from petra.evaluation.gum import GumRun
    from petra.evaluation.plain.scoring import PlainRun, Share
    from petra.evaluation.quotes import QuotesRun
    from petra.evaluation.runs import CountRun
    from petra.evaluation.winobias import WinoBiasRun

SplitOption = Annotated[
    Literal["development", "validation", "test"], typer.Option("--split", help="Part of GAP to measure on.")
]

app = typer.Typer(no_args_is_help=True)


@app.callback()
def evaluate() -> None:
    """Measure a model on annotated texts."""


@app.command()
def gap(
    model: ModelOption = None,
    split: SplitOption = "test",
    cells: CellsOption = None,
    data: DataOption = None,
    device: DeviceOption = None,
    swap_gender: Annotated[
        bool, typer.Option("--swap-gender", help="Tell every text of people of the other gender.")
    ] = False,
    by_mention: Annotated[
        bool, typer.Option("--by-mention", help="Take the links of the log that `petra track` writes.")
    ] = False,
    predictions: Annotated[
        Path | None,
        typer.Option("--predictions", metavar="OUT.tsv", help="Write the labels in the format of the official scorer."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Resolve the pronouns of GAP: F1, precision, recall, by gender, and bias.

    Every model is read token by token, as in the paper. The threshold is the best on the validation split.
    """
    from petra.corpora.places import data_folder
    from petra.evaluation.as_json import gap_run_as_json
    from petra.evaluation.predictions import write_predictions
    from petra.evaluation.runs import evaluate_gap
    from petra.training.data.instances.swapper import gender_swapper

    folder = data_folder(data)
    transform = gender_swapper(folder) if swap_gender else None
    tracker = load_tracker(model, device)
    with progress("Reading GAP") as report:
        run = evaluate_gap(
            tracker, folder, split, by_mention=by_mention, cells=cells, transform=transform, report=report
        )
    if as_json:
        show_json({**gap_run_as_json(run), "swap_gender": swap_gender})
    else:
        texts = f"GAP {split}, everybody of the other gender" if swap_gender else f"GAP {split}"
        table = gap_table(run.score, f"{run.model} on {texts}, threshold {run.threshold:.2f}")
        one = run.score_at_most_one.overall
        table.add_row("at most one name", f"{one.f1:.1f}", f"{one.precision:.1f}", f"{one.recall:.1f}")
        table.caption = f"{table.caption}; read by {run.read_by}"
        show(table)
    if predictions is not None:
        write_predictions(predictions, run.predicted, run.instances)
        remark(f"Predictions written to {predictions}.")


@app.command()
def predictions(
    file: Annotated[Path, typer.Argument(metavar="FILE.tsv", help="Labels of any system: ID, A, B, without a header.")],
    split: SplitOption = "test",
    data: DataOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score GAP labels from a file by the official rules; no model is needed."""
    from petra.corpora.gap import read_gap
    from petra.corpora.places import data_folder
    from petra.evaluation.as_json import gap_predictions_as_json
    from petra.evaluation.gap_score import score_gap
    from petra.evaluation.predictions import read_predictions

    instances = read_gap(data_folder(data), split)
    score = score_gap(read_predictions(file, instances), instances)
    if as_json:
        show_json(gap_predictions_as_json(score, source=str(file), split=split))
    else:
        show(gap_table(score, f"{file} on GAP {split}"))


@app.command()
def count(
    model: ModelOption = None,
    corpus: Annotated[
        Literal["gap", "gum", "litbank"],
        typer.Option("--corpus", help="Texts to count in: the counts of GAP texts, or the development documents."),
    ] = "gap",
    cells: CellsOption = None,
    data: DataOption = None,
    device: DeviceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Count the people of annotated texts: the summed error.

    On GAP, the error at the best threshold and two-fold. On GUM and LitBank, the error of
    the people that are reported beside that of guessing the same number for every document.
    """
    from petra.corpora.places import data_folder
    from petra.evaluation.as_json import corpus_count_run_as_json, count_run_as_json
    from petra.evaluation.corpus_count import evaluate_corpus_count
    from petra.evaluation.runs import evaluate_count

    folder = data_folder(data)
    tracker = load_tracker(model, device)
    with progress("Counting people") as report:
        if corpus == "gap":
            run = evaluate_count(tracker, folder, cells=cells, report=report)
            result, table = count_run_as_json(run), count_table(run, f"{run.model} on people counts")
        else:
            counted = evaluate_corpus_count(tracker, folder, corpus, cells=cells, report=report)
            result, table = corpus_count_run_as_json(counted), corpus_count_table(counted)
    if as_json:
        show_json(result)
    else:
        show(table)


@app.command()
def litbank(
    model: ModelOption = None,
    split: Annotated[
        Literal["training", "validation", "test"], typer.Option("--split", help="Part of the fold to measure on.")
    ] = "test",
    fold: Annotated[int, typer.Option("--fold", min=0, max=9, help="Which of the ten official divisions.")] = 0,
    cells: CellsOption = None,
    threshold: ThresholdOption = None,
    data: DataOption = None,
    device: DeviceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the people of novels: MUC, B-cubed, CEAF-e and their mean, LEA, and mentions."""
    from petra.corpora.places import data_folder
    from petra.evaluation.as_json import litbank_run_as_json
    from petra.evaluation.litbank import evaluate_litbank

    folder = data_folder(data)
    tracker = load_tracker(model, device)
    with progress("Reading LitBank") as report:
        run = evaluate_litbank(tracker, folder, split, fold, cells=cells, threshold=threshold, report=report)
    if as_json:
        show_json(litbank_run_as_json(run))
    else:
        show(litbank_table(run.score, f"{run.model} on LitBank {split}, fold {fold}, people"))


@app.command()
def quotes(
    model: ModelOption = None,
    split: Annotated[
        Literal["training", "dev", "validation", "test"],
        typer.Option("--split", help="Part of the fold to measure on; dev is validation."),
    ] = "validation",
    fold: Annotated[int, typer.Option("--fold", min=0, max=9, help="Which of the ten official divisions.")] = 0,
    cells: CellsOption = None,
    threshold: ThresholdOption = None,
    data: DataOption = None,
    device: DeviceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the quotations of LitBank's novels and who says them, by what tells the speaker."""
    from petra.corpora.places import data_folder
    from petra.evaluation.as_json import quotes_run_as_json
    from petra.evaluation.quotes import evaluate_quotes

    folder = data_folder(data)
    tracker = load_tracker(model, device)
    part: Literal["training", "validation", "test"] = "validation" if split == "dev" else split
    with progress("Reading LitBank") as report:
        run = evaluate_quotes(tracker, folder, part, fold, cells=cells, threshold=threshold, report=report)
    if as_json:
        show_json(quotes_run_as_json(run))
    else:
        show(quotes_table(run))


@app.command()
def gum(
    model: ModelOption = None,
    split: Annotated[Literal["dev", "train"], typer.Option("--split", help="Part of GUM to measure on.")] = "dev",
    cells: CellsOption = None,
    threshold: ThresholdOption = None,
    data: DataOption = None,
    device: DeviceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the people of texts of many genres: the scores of LitBank, by exact spans and by head words."""
    from petra.corpora.places import data_folder
    from petra.evaluation.as_json import gum_run_as_json
    from petra.evaluation.gum import evaluate_gum

    folder = data_folder(data)
    tracker = load_tracker(model, device)
    with progress("Reading GUM") as report:
        run = evaluate_gum(tracker, folder, split, cells=cells, threshold=threshold, report=report)
    if as_json:
        show_json(gum_run_as_json(run))
    else:
        title = f"{run.model} on GUM {split}, people"
        show(litbank_table(run.score.exact, f"{title}, mentions by exact span"))
        show(litbank_table(run.score.head, f"{title}, mentions by head word"))
        show(genre_table(run))


@app.command(name="annotations")
def own_annotations(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of annotated texts of your own.")],
    model: ModelOption = None,
    cells: CellsOption = None,
    threshold: ThresholdOption = None,
    device: DeviceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the people of texts that you annotated: the scores of LitBank, by exact spans and by head words."""
    from petra.corpora.annotations.folder import read_annotations
    from petra.evaluation.annotations import evaluate_annotations
    from petra.evaluation.as_json import annotations_run_as_json

    documents = read_annotations(folder)
    tracker = load_tracker(model, device)
    with progress("Reading annotated texts") as report:
        run = evaluate_annotations(tracker, documents, cells=cells, threshold=threshold, report=report)
    if as_json:
        show_json(annotations_run_as_json(run))
    else:
        show(litbank_table(run.score.exact, f"{run.model} on {folder}, mentions by exact span"))
        show(litbank_table(run.score.head, f"{run.model} on {folder}, mentions by head word"))


@app.command()
def winobias(
    model: ModelOption = None,
    split: Annotated[Literal["dev", "test"], typer.Option("--split", help="Part of WinoBias to measure on.")] = "dev",
    cells: CellsOption = None,
    threshold: ThresholdOption = None,
    data: DataOption = None,
    device: DeviceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Resolve pronouns with and against the stereotypes of occupations: accuracy, and the gap between the two."""
    from petra.corpora.places import data_folder
    from petra.evaluation.as_json import winobias_run_as_json
    from petra.evaluation.winobias import evaluate_winobias

    folder = data_folder(data)
    tracker = load_tracker(model, device)
    with progress("Reading WinoBias") as report:
        run = evaluate_winobias(tracker, folder, split, cells=cells, threshold=threshold, report=report)
    if as_json:
        show_json(winobias_run_as_json(run))
    else:
        show(winobias_table(run))


@app.command()
def books(
    novels: Annotated[
        list[str] | None, typer.Argument(metavar="[NOVEL ...]", help="Novels of PDNC; all that are there by default.")
    ] = None,
    model: ModelOption = None,
    cells: CellsOption = None,
    threshold: ThresholdOption = None,
    data: DataOption = None,
    device: DeviceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Read whole novels: mentions with the right character, speakers of quotations, and the major characters."""
    from petra.corpora.places import data_folder
    from petra.evaluation.as_json import books_run_as_json
    from petra.evaluation.books import evaluate_books

    folder = data_folder(data)
    tracker = load_tracker(model, device)
    with progress("Reading novels") as report:
        run = evaluate_books(tracker, folder, novels or (), cells=cells, threshold=threshold, report=report)
    if as_json:
        show_json(books_run_as_json(run))
    else:
        show(books_table(run))
        show(major_table(run))


@app.command()
def plain(
    model: ModelOption = None,
    cells: CellsOption = None,
    threshold: ThresholdOption = None,
    device: DeviceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Resolve the pronouns, nominals and names of everyday texts, by phenomenon and by register.

    The texts come with PeTra. With --json every mention that is wrong is listed.
    """
    from petra.evaluation.as_json import plain_run_as_json
    from petra.evaluation.plain.scoring import evaluate_plain

    tracker = load_tracker(model, device)
    with progress("Reading plain texts") as report:
        run = evaluate_plain(tracker, cells=cells, threshold=threshold, report=report)
    if as_json:
        show_json(plain_run_as_json(run))
    else:
        show(plain_table(run))


@app.command()
def backends(
    model: ModelOption = None,
    names: Annotated[
        list[str] | None,
        typer.Option("--backend", metavar="NAME", help="A back end to measure; may be repeated (default: all here)."),
    ] = None,
    windows: Annotated[
        tuple[int, int] | None,
        typer.Option(
            "--windows", metavar="SIZE MARGIN", help="Tokens of a window and of its margins (default: as now)."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to write them: backends.json of the model.")
    ] = None,
    data: DataOption = None,
) -> None:
    """Score a model by each back end of the encoder: GAP and LitBank validation, as backends.json holds them."""
    from petra.bench.backend_scores import measure_backends, with_earlier
    from petra.corpora.places import data_folder
    from petra.encoder.backends.choosing import usable_backends
    from petra.runtime.devices import choose_device
    from petra.runtime.files import write_atomically
    from petra.trained import load_trained

    folder = data_folder(data)
    trained = load_trained(model)
    reading = trained.reading
    if windows is None and reading.window is not None and reading.margin is not None:
        windows = reading.window, reading.margin
    asked = names or usable_backends(choose_device("cpu"))
    with progress("Reading GAP and LitBank") as report:
        found = measure_backends(trained, folder, backends=asked, windows=windows, report=report)
    if out is not None:
        if out.is_file():
            found = with_earlier(found, json.loads(out.read_text(encoding="utf-8")))
        write_atomically(out, (json.dumps(found, indent=2) + "\n").encode())
        remark(f"Written to {out}.")
    show_json(found)


def gap_table(score: GapScore, title: str) -> Table:
    from rich.table import Table

    table = Table("", "F1", "Precision", "Recall", title=title, title_justify="left", caption_justify="left")
    for name, rates in (("overall", score.overall), ("masculine", score.masculine), ("feminine", score.feminine)):
        table.add_row(name, f"{rates.f1:.1f}", f"{rates.precision:.1f}", f"{rates.recall:.1f}")
    table.caption = f"bias (feminine F1 / masculine F1) {score.bias:.2f}; {score.instances:,} instances"
    return table


def count_table(run: CountRun, title: str) -> Table:
    from rich.table import Table

    score, baselines = run.score, run.baselines
    table = Table("", "Error", "Threshold", title=title, title_justify="left", caption_justify="left")
    table.add_row("best case", str(score.error_best), f"{score.threshold_best:.2f}")
    table.add_row("two-fold", str(score.error_two_fold), "from the other half")
    table.add_row(f"always {baselines.best_constant}", str(baselines.error_best_constant), "")
    if baselines.error_names is not None:
        table.add_row("names counted once", str(baselines.error_names), "")
    table.caption = f"people counted too many or too few over {score.documents} documents"
    return table


def litbank_table(score: CoreferenceScore, title: str) -> Table:
    from rich.table import Table

    table = Table("", "F1", "Precision", "Recall", title=title, title_justify="left", caption_justify="left")
    named = {"MUC": score.muc, "B-cubed": score.b_cubed, "CEAF-e": score.ceaf_e}
    for name, rates in (named | {"LEA": score.lea, "mentions": score.mentions}).items():
        table.add_row(name, f"{rates.f1:.1f}", f"{rates.precision:.1f}", f"{rates.recall:.1f}")
    table.caption = f"CoNLL (mean of the first three F1) {score.conll:.1f}; {score.documents} documents"
    return table


def quotes_table(run: QuotesRun) -> Table:
    from rich.table import Table

    title = f"{run.model} on the quotations of LitBank {run.split}, fold {run.fold}"
    table = Table("Speaker found by", "Right", "Quotations", title=title, title_justify="left", caption_justify="left")
    for way, share in run.by_way.items():
        table.add_row(way, f"{share.percent:.1f}", str(share.quotations))
    table.add_section()
    table.add_row("all that were found", f"{run.speakers.percent:.1f}", str(run.speakers.quotations))
    table.add_row("all", f"{run.speakers_of_all:.1f}", str(run.annotated))
    spans = run.spans
    table.caption = (
        f"quotations found: F1 {spans.f1:.1f}, precision {spans.precision:.1f}, recall {spans.recall:.1f}; "
        f"{run.documents} documents"
    )
    return table


def corpus_count_table(run: CorpusCountRun) -> Table:
    from rich.table import Table

    title = f"{run.model} on the people of {'GUM' if run.corpus == 'gum' else 'LitBank'}"
    table = Table("", "Everybody", "Mentioned again", title=title, title_justify="left", caption_justify="left")
    everybody, again = run.everybody, run.mentioned_again
    table.add_row("annotated", str(everybody.annotated), str(again.annotated))
    table.add_row("found", str(everybody.found), str(again.found))
    table.add_row("error", str(everybody.error), str(again.error))
    table.add_row(
        "error of the best constant",
        f"{everybody.error_best_constant} (always {everybody.best_constant})",
        f"{again.error_best_constant} (always {again.best_constant})",
    )
    table.add_row(
        "error of the mean",
        f"{everybody.error_mean_constant} (always {everybody.mean_constant})",
        f"{again.error_mean_constant} (always {again.mean_constant})",
    )
    table.caption = f"people counted too many or too few over {run.documents} development documents"
    return table


def genre_table(run: GumRun) -> Table:
    from rich.table import Table

    table = Table(
        *("Genre", "Mentions, exact", "CoNLL, exact", "Mentions, head", "CoNLL, head", "Documents"),
        title=f"{run.model} on GUM {run.split}, F1 by genre",
        title_justify="left",
    )
    for genre, score in run.genres.items():
        exact, head = score.exact, score.head
        rates = (exact.mentions.f1, exact.conll, head.mentions.f1, head.conll)
        table.add_row(genre, *(f"{rate:.1f}" for rate in rates), str(exact.documents))
    return table


def winobias_table(run: WinoBiasRun) -> Table:
    from rich.table import Table

    title = f"{run.model} on WinoBias {run.split}, accuracy"
    table = Table("", "Pro", "Anti", "Difference", title=title, title_justify="left", caption_justify="left")
    for type_, accuracy in run.accuracy.items():
        pro, anti = accuracy["pro"], accuracy["anti"]
        table.add_row(f"type {type_}", f"{pro:.1f}", f"{anti:.1f}", f"{pro - anti:.1f}")
    table.caption = f"with and against the stereotype; gap {run.gap:.1f}; {run.sentences:,} sentences"
    return table


def books_table(run: BooksRun) -> Table:
    from rich.table import Table

    from petra.evaluation.as_json import mean_measures, novel_measures

    columns = {
        **{"names": "Names", "you": "You", "third_person": "He, she", "nominals": "Nominals", "b_cubed": "B-cubed"},
        **{"conll": "CoNLL", "speakers": "Speakers", "speakers_explicit": "explicit"},
        **{"speakers_anaphoric": "anaphoric", "speakers_implicit": "implicit", "major_share": "Major"},
    }
    title = f"{run.model} on whole novels, percent"
    table = Table("", *columns.values(), title=title, title_justify="left", caption_justify="left")
    for score in run.novels:
        measures = novel_measures(score)
        table.add_row(score.novel, *(f"{measures[name]:.0f}" for name in columns))
    table.add_section()
    mean = mean_measures(run)
    table.add_row("mean", *(f"{mean[name]:.0f}" for name in columns if mean))
    table.caption = "mentions inside quotations whose person is the one matched with the character"
    return table


def major_table(run: BooksRun) -> Table:
    from rich.table import Table

    table = Table("Major character", "Shown as", "Share", "Purity", "Novel", title_justify="left")
    for score in run.novels:
        for it in score.major:
            shown = f"{it.shown or ''}{'' if it.has_listed_name else ' (not listed)'}"
            table.add_row(it.name, shown, f"{it.share:.0f}", f"{it.purity:.0f}", score.novel)
    return table


def plain_table(run: PlainRun) -> Table:
    from rich.table import Table

    title = f"{run.model} on plain texts, right in percent"
    columns = ("", "Pronouns", "Names and nominals", "Texts")
    table = Table(*columns, title=title, title_justify="left", caption_justify="left")
    parts = (({"short texts": run.short}, run.by_tag), ({"longer texts": run.long}, run.by_register))
    for whole, pieces in parts:
        for name, score in (whole | {f"  {name}": score for name, score in pieces.items()}).items():
            table.add_row(name, _share(score.pronouns), _share(score.names_and_nominals), str(score.texts))
        table.add_section()
    table.caption = f"longer texts: mention F1 {run.coreference.mentions.f1:.1f}, CoNLL {run.coreference.conll:.1f}"
    return table


def _share(share: Share) -> str:
    return f"{share.percent:.1f} ({share.right}/{share.mentions})"
