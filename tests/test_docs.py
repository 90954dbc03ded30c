"""The documentation holds: its Python runs, and the functions it names exist."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest
from absent import need_encoder
from tiny import tiny_span_model
from typer.testing import CliRunner

import petra
from petra.cli.app import app
from petra.cli.texts import read_source
from petra.consolidation.joining import JOIN_FEATURES, WEIGHTS
from petra.consolidation.ranking import RANK_FEATURES, RANKED_KINDS, learned_weights
from petra.linking.features import FEATURES
from petra.linking.scorer import initial_weights
from petra.report.export.format import format_names
from petra.speakers import scorer as speaker_weights
from petra.speakers.features import SPEAKER_FEATURES, SPEECH_FEATURES
from petra.tracker import Tracker

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def python_blocks(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def tiny_span_tracker(tiny_encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Tracker:
    return petra.load(tiny_span_model(tmp_path_factory.mktemp("models") / "tiny-spans", tiny_encoder), device="cpu")


@pytest.mark.parametrize("page", [page for page in PAGES if python_blocks(page)], ids=lambda page: page.name)
def test_the_python_of_a_page_runs(page: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks run in order and share names, as a reader would type them; a tiny model stands in for a trained one."""
    blocks = python_blocks(page)
    if any("petra.load(" in block or 'add_pipe("petra")' in block for block in blocks):
        explains = any(".explain(" in block for block in blocks)  # as models with a span head do
        tracker = request.getfixturevalue("tiny_span_tracker" if explains else "tiny_tracker")
        monkeypatch.setattr("petra.load", lambda *_, **__: tracker)
    names: dict[str, object] = {"__name__": page.stem}
    for number, block in enumerate(blocks, start=1):
        exec(compile(block, f"{page.name}, block {number}", "exec"), names)


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


def test_what_the_page_of_exports_shows_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs/exports.md").read_text(encoding="utf-8")
    shown = re.findall(r"^```sh\npetra (export [^\n]*)\n```\n\n```\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    assert len(shown) == 8
    for command, expected in shown:
        arguments, _, lines = command.partition(" | head -")
        outcome = CliRunner().invoke(app, arguments.split())
        assert outcome.exit_code == 0, outcome.output
        assert "".join(outcome.stdout.splitlines(keepends=True)[: int(lines) if lines else None]) == expected


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
