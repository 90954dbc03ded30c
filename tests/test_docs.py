"""The documentation holds: its Python runs, and the functions it names exist."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import re
import shlex
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import bench_page
import pytest
from absent import need_encoder
from plain_tables import classes_table, plain_records, pronouns_table, right_table, scores_table
from tiny import tiny_span_model
from typer.testing import CliRunner

import petra
from petra.cli.app import app
from petra.cli.texts import read_source
from petra.consolidation.joining import JOIN_FEATURES, WEIGHTS
from petra.consolidation.ranking import RANK_FEATURES, RANKED_KINDS, learned_weights
from petra.encoder.catalogue import entry
from petra.linking.features import FEATURES
from petra.linking.scorer import initial_weights
from petra.report.export.format import format_names
from petra.speakers import scorer as speaker_weights
from petra.speakers.features import SPEAKER_FEATURES, SPEECH_FEATURES
from petra.tracker import Tracker

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


class Block(NamedTuple):
    """A block of Python or of the shell on a page, with the output that the next block shows."""

    code: str
    shown: str | None


def blocks(page: Path, language: str) -> list[Block]:
    """The blocks of a language; an output is a block of no language that follows with nothing between."""
    pattern = rf"^```{language}\n(.*?)^```$(?:\n\n^```\n(.*?)^```$)?"
    found = re.finditer(pattern, page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return [Block(*match.groups()) for match in found]


def needs_model(page: Path) -> bool:
    return any("petra.load(" in code or 'add_pipe("petra")' in code for code, _ in blocks(page, "python"))


def run(page: Path) -> list[tuple[str, str | None]]:
    """What each block of Python prints, beside what the page shows. Blocks share names, as a reader would type them."""
    names: dict[str, object] = {"__name__": page.stem}
    outputs: list[tuple[str, str | None]] = []
    for number, (code, shown) in enumerate(blocks(page, "python"), start=1):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(code, f"{page.name}, block {number}", "exec"), names)
        outputs.append((printed.getvalue(), shown))
    return outputs


@pytest.fixture(scope="module")
def tiny_span_tracker(tiny_encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Tracker:
    return petra.load(tiny_span_model(tmp_path_factory.mktemp("models") / "tiny-spans", tiny_encoder), device="cpu")


@pytest.fixture(scope="module")
def default_tracker() -> Tracker:
    need_encoder("mpnet-base")
    return petra.load(device="cpu")


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.name)
def test_the_python_of_a_page_runs(page: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tiny model stands in for a trained one, so that this runs on a machine without encoders."""
    if needs_model(page):
        explains = ".explain(" in page.read_text(encoding="utf-8")  # as models with a span head do
        tracker = request.getfixturevalue("tiny_span_tracker" if explains else "tiny_tracker")
        monkeypatch.setattr("petra.load", lambda *_, **__: tracker)
    run(page)


@pytest.mark.parametrize(
    "page", [page for page in PAGES if any(block.shown for block in blocks(page, "python"))], ids=lambda page: page.name
)
def test_the_python_of_a_page_prints_what_is_shown(
    page: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    if needs_model(page):
        tracker = request.getfixturevalue("default_tracker")
        monkeypatch.setattr("petra.load", lambda *_, **__: tracker)
    for printed, shown in run(page):
        assert shown is None or printed == shown


def shown_commands() -> list[tuple[str, str, str]]:
    """The single commands of ``petra`` on a page whose output is shown: the page, the arguments, the output."""
    return [
        (page.name, code.removeprefix("petra ").strip(), shown)
        for page in PAGES
        for code, shown in blocks(page, "sh")
        if shown is not None and code.startswith("petra ") and code.count("\n") == 1
    ]


@pytest.mark.parametrize("shown", shown_commands(), ids=lambda shown: f"{shown[0]}: {shown[1]}")
def test_a_command_prints_what_is_shown(
    shown: tuple[str, str, str], request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, command, expected = shown
    monkeypatch.chdir(ROOT)
    if not command.startswith(("export", "models")):  # those read with a model
        tracker = request.getfixturevalue("default_tracker")
        monkeypatch.setattr("petra.load", lambda *_, **__: tracker)
    arguments, _, lines = command.partition(" | head -")
    outcome = CliRunner().invoke(app, shlex.split(arguments))
    assert outcome.exit_code == 0, outcome.output
    assert "".join(outcome.stdout.splitlines(keepends=True)[: int(lines) if lines else None]) == expected


def test_outputs_are_shown_where_they_should_be() -> None:
    """So that a change of form does not take pages out of the checks unseen."""
    commands = Counter(page for page, _, _ in shown_commands())
    assert commands["exports.md"] == 8
    assert commands["index.md"] == 2
    shown = Counter(page.name for page in PAGES for block in blocks(page, "python") if block.shown is not None)
    assert {"README.md", "books.md", "index.md", "integrations.md", "linking.md", "quotations.md"} <= set(shown)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_names_exists(page: Path) -> None:
    for name in re.findall(r"`(petra(?:\.\w+){2,})`", page.read_text(encoding="utf-8")):
        module, _, member = name.rpartition(".")
        exists = hasattr(importlib.import_module(module), member) or importlib.util.find_spec(name) is not None
        assert exists, f"{page.name} names {name}, which does not exist"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}, which does not exist"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_files_that_a_page_names_exist(page: Path) -> None:
    """Places are given from the root or, on the page about the tree, from ``src/petra``; ``*`` stands for any name."""
    below = [ROOT, ROOT / "src/petra"] if page.name == "architecture.md" else [ROOT]
    pattern = r"`((?:src|tests|recipes)/[\w./*-]+)`" if len(below) == 1 else r"`(\w[\w/*-]*(?:/|\.\w+))`"
    for place in re.findall(pattern, page.read_text(encoding="utf-8")):
        assert any(any(folder.glob(place.rstrip("/"))) for folder in below), (
            f"{page.name} names {place}, which is not there"
        )


def test_what_petra_why_prints_is_true() -> None:
    need_encoder("mpnet-base")
    text = "Ada Vale wrote to Tom King every week. He kept her letters, and Ada never knew."
    command = ["why", "-", "--at", "39", "--model", "base", "--device", "cpu"]
    outcome = CliRunner().invoke(app, command, input=text)
    assert f"```\n{outcome.stdout}```" in (ROOT / "docs/linking.md").read_text(encoding="utf-8")


def test_the_linking_page_lists_every_feature_with_its_initial_weight() -> None:
    weights = initial_weights()
    rows = [
        f"| `{name}` | {(feature.__doc__ or '').splitlines()[0]} | {weights[name]:g} |"
        for name, feature in FEATURES.items()
    ]
    table = "\n".join(["| feature | example, and what it says | initial weight |", "| --- | --- | --- |", *rows])
    page = (ROOT / "docs/linking.md").read_text(encoding="utf-8")
    assert f"\n\n{table}\n\n" in page, f"The table of features in docs/linking.md should be\n{table}"


def test_the_books_page_lists_every_feature_of_joining_with_its_weight() -> None:
    rows = [
        f"| `{name}` | {(feature.__doc__ or '').splitlines()[0]} | {WEIGHTS[name]:g} |"
        for name, feature in JOIN_FEATURES.items()
    ]
    table = "\n".join(["| feature | example, and what it says | weight |", "| --- | --- | --- |", *rows])
    page = (ROOT / "docs/books.md").read_text(encoding="utf-8")
    assert f"\n\n{table}\n\n" in page, f"The table of features in docs/books.md should be\n{table}"


def test_the_books_page_lists_every_feature_of_ranking_with_its_weights() -> None:
    weights = learned_weights()
    head = " | ".join(f"`{kind}`" for kind in RANKED_KINDS)
    rows = [
        f"| `{name}` | {what} | {' | '.join(f'{weights[kind].get(name, 0):g}' for kind in RANKED_KINDS)} |"
        for name, what in RANK_FEATURES.items()
    ]
    table = "\n".join([f"| feature | what it says | {head} |", f"|{' --- |' * (2 + len(RANKED_KINDS))}", *rows])
    page = (ROOT / "docs/books.md").read_text(encoding="utf-8")
    assert f"\n\n{table}\n\n" in page, f"The table of ranking in docs/books.md should be\n{table}"


def test_the_quotations_page_lists_every_feature_with_its_weights() -> None:
    initial, learned = speaker_weights.initial_weights(), speaker_weights.learned_weights()
    page = (ROOT / "docs/quotations.md").read_text(encoding="utf-8")
    for features, first, last in (
        (SPEAKER_FEATURES, initial.speaker, learned.speaker),
        (SPEECH_FEATURES, initial.speech, learned.speech),
    ):
        rows = [f"| `{name}` | {text} | {first[name]:g} | {last[name]:g} |" for name, text in features.items()]
        table = "\n".join(["| feature | what it says | initial | learned |", "| --- | --- | --- | --- |", *rows])
        assert f"\n\n{table}\n\n" in page, f"A table of docs/quotations.md should be\n{table}"


def test_the_page_of_exports_lists_every_format() -> None:
    page = (ROOT / "docs/exports.md").read_text(encoding="utf-8")
    rows = [row.split(" | ")[0] for row in page.splitlines() if row.startswith("| `")]
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == format_names()
    assert (ROOT / "examples/letters.txt").read_text(encoding="utf-8") in page


def test_the_page_of_inputs_quotes_the_warnings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("charset_normalizer")
    monkeypatch.chdir(tmp_path)
    warnings: list[str] = []
    monkeypatch.setattr("petra.cli.texts.remark", warnings.append)
    Path("old.txt").write_bytes(
        "“Zoë,” said Ada – and she waited for him in the café until noon. ".encode("cp1252") * 2
    )
    Path("page.txt").write_bytes(b"<html><p>Ada met Tom.</p></html>")
    Path("brief.txt").write_bytes(b"Der Seemann schrieb einen Brief an seine Frau. " * 9)
    for file in ("old.txt", "page.txt", "brief.txt"):
        read_source(Path(file))
    assert "```\n" + "\n".join(warnings) + "\n```" in (ROOT / "docs/inputs.md").read_text(encoding="utf-8")


def test_the_speeds_of_the_page_are_those_of_the_records() -> None:
    page = bench_page.PAGE.read_text(encoding="utf-8")
    assert bench_page.with_table(page, bench_page.table(bench_page.records())) == page


def run_of(model: str) -> dict[str, Any]:
    """The scores of a shipped model: of its record and, where there is one, of its only run under results/."""
    record = json.loads((ROOT / f"src/petra/models/{model}/record.json").read_text(encoding="utf-8"))
    result = ROOT / f"results/gap-{model}.json"
    if not result.is_file():
        return dict(record)
    [run] = json.loads(result.read_text(encoding="utf-8"))["runs"]
    assert all(run[key] == record[key] for key in run.keys() & record.keys()), f"{result.name} and record.json differ"
    return {**record, **run}


def test_the_figures_of_the_models_page_are_those_of_the_records() -> None:
    baselines = json.loads((ROOT / "results/paper/baselines.json").read_text(encoding="utf-8"))
    beside = "always {best_constant}: {error_best_constant}, names counted once: {error_names}".format(**baselines)
    rows = {
        "GAP test F1 (precision, recall)": "{test_f1:.1f} ({test_precision:.1f}, {test_recall:.1f})",
        "masculine / feminine pronouns, bias": "{masculine_f1:.1f} / {feminine_f1:.1f}, {bias:.3f}",
        "GAP test F1, at most one name": "{at_most_one_test_f1:.1f}",
        f"counting error, best case / two-fold, in the log of mentions; {beside}": "{count_error_best} / "
        "{count_error_two_fold}",
        "LitBank test, mentions F1": "{litbank_test_mention_f1:.1f}",
        "LitBank test, CoNLL F1 (MUC, B3, CEAF-e)": "{litbank_test_conll:.1f} ({litbank_test_muc:.1f}, "
        "{litbank_test_b_cubed:.1f}, {litbank_test_ceaf_e:.1f})",
        "LitBank test, LEA F1": "{litbank_test_lea:.1f}",
        "GUM development, by head: mentions F1, CoNLL F1": "{gum_dev_mention_f1:.1f}, {gum_dev_conll:.1f}",
        "WinoBias development, with / against the stereotype: type 1": "{winobias_dev[type1][pro]:.1f} / "
        "{winobias_dev[type1][anti]:.1f}",
        "the same, type 2": "{winobias_dev[type2][pro]:.1f} / {winobias_dev[type2][anti]:.1f}",
    }
    paper = {
        "GAP test F1": "{test_f1:.1f}",
        "masculine / feminine pronouns, bias": "{masculine_f1:.1f} / {feminine_f1:.1f}, {bias:.3f}",
        f"counting error, best case / two-fold, in the log of tokens; {beside}": "{count_error_best} / "
        "{count_error_two_fold}",
    }
    page = (ROOT / "docs/models.md").read_text(encoding="utf-8")
    for models, expected in ((("base", "small"), rows), (("paper-petra-8", "paper-reader-8"), paper)):
        runs = [run_of(model) for model in models]
        for label, form in expected.items():
            row = f"| {label} | {' | '.join(form.format(**run) for run in runs)} |"
            assert row in page, f"docs/models.md should have the row\n{row}"


def test_the_sizes_of_the_models_page_are_those_of_the_files() -> None:
    page = (ROOT / "docs/models.md").read_text(encoding="utf-8")
    for folder in (ROOT / "src/petra/models").iterdir():
        size = (folder / "model.safetensors").stat().st_size / 1e6
        assert re.search(rf"^\| `{folder.name}`[^|]*\|[^|]*\| {size:.0f} MB \|", page, flags=re.MULTILINE), folder.name


def test_the_figures_of_the_readme_are_those_of_the_records() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    form = "| {test_f1:.1f} | {count_error_best} | {litbank_test_mention_f1:.1f}, {litbank_test_conll:.1f} |"
    for model in ("base", "small"):
        [row] = [line for line in page.splitlines() if line.startswith(f"| `{model}`")]
        assert row.endswith(form.format(**run_of(model)))
    frozen = json.loads((ROOT / "results/gap-frozen.json").read_text(encoding="utf-8"))
    row = "| {mean_test_f1:.1f} ± {std_test_f1:.1f} | {mean_count_error_best:.0f} ± {std_count_error_best:.0f} |"
    assert row.format(**frozen) in page


def test_the_sizes_of_encoders_are_those_of_the_catalogue() -> None:
    page = (ROOT / "docs/install.md").read_text(encoding="utf-8")
    for model, encoder in (("base", "mpnet-base"), ("small", "minilm")):
        size = round(entry(encoder).download_size / 1e6)
        assert model != "base" or f"{size} MB" in (ROOT / "docs/index.md").read_text(encoding="utf-8")
        assert re.search(rf"`petra models get {encoder}`[^,.]*`{model}`[^.]*?{size} MB", page.replace("\n", " ")), (
            encoder
        )


def test_the_figures_of_plain_texts_are_those_of_the_records() -> None:
    records = plain_records(ROOT / "results")
    errors, plain = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("errors.md", "plain.md"))
    tables = [right_table(records), classes_table(records), *map(pronouns_table, records.values())]
    for page, table in [*((errors, table) for table in tables), (plain, scores_table(records))]:
        assert f"\n\n{table}" in page, f"A page should have the table\n{table}"
    before = plain_records(ROOT / "results/before")
    history = (ROOT / "docs/history-errors.md").read_text(encoding="utf-8")
    for table in (right_table(before), classes_table(before)):
        assert f"\n\n{table}" in history, f"docs/history-errors.md should have the table\n{table}"
    models = (ROOT / "docs/models.md").read_text(encoding="utf-8")
    for part, label in (
        ("short", "short ones: pronouns right / names and nominals right"),
        ("long", "longer ones: the same"),
    ):
        shares = (
            f"{record[part]['pronouns']['percent']:.1f} / {record[part]['names_and_nominals']['percent']:.1f}"
            for record in records.values()
        )
        assert f"| plain texts, {label} | {' | '.join(shares)} |" in models
