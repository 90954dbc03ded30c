"""The site of the documentation is built without a warning, offline, and shows what the records hold."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser import opened, serious_faults

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytest.importorskip("material", reason="needs the extra docs")
pytest.importorskip("mkdocstrings", reason="needs the extra docs")

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as strictly as `make docs` builds it; a proxy that is not there keeps it off the network."""
    folder = tmp_path_factory.mktemp("site")
    environment = os.environ | {
        "NO_MKDOCS_2_WARNING": "1",
        "PYTHONPATH": str(ROOT / "src"),
        "http_proxy": "http://127.0.0.1:9",
        "https_proxy": "http://127.0.0.1:9",
    }
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    built = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (built.returncode, built.stderr) == (0, "")
    return folder


def shown(page: Path) -> str:
    """The words of a page, with single spaces."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page.read_text(encoding="utf-8"))).split())


def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        loaded = re.findall(r'<(?:script|img|link|iframe)\b[^>]*?(?:src|href)="?(https?:|//)', page.read_text("utf-8"))
        assert not loaded, page.name


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_keeps_anybody_from_reading(browser: Browser, site: Path, scheme: str) -> None:
    with opened(browser, color_scheme=scheme) as page:
        for name in ("index", "annotations", "archives", "books", "corrections", "reference/commands"):
            page.goto((site / f"{name}.html").as_uri())
            page.wait_for_load_state("networkidle")
            assert serious_faults(page) == [], name


def test_every_page_of_docs_is_on_the_site(site: Path) -> None:
    for page in (ROOT / "docs").glob("*.md"):
        assert (site / f"{page.stem}.html").is_file()


def test_files_outside_docs_are_taken_along(site: Path) -> None:
    assert (site / "recipes/base.toml").read_bytes() == (ROOT / "recipes/base.toml").read_bytes()
    assert (site / "results/paper/report.html").is_file()


def test_cards_and_results_are_those_of_the_records(site: Path) -> None:
    cards, results = shown(site / "reference/cards.html"), shown(site / "reference/results.html")
    for folder in (ROOT / "src/petra/models").iterdir():
        record = json.loads((folder / "record.json").read_text(encoding="utf-8"))
        assert f"GAP test, F1 {record['test_f1']:g}" in cards
        assert record["sha256"] in cards
        assert record["title"] in cards
    for path in (ROOT / "results").glob("*.json"):
        assert f"results/{path.name}" in results


def test_the_reference_has_every_command_and_public_name(site: Path) -> None:
    import petra

    commands, library = shown(site / "reference/commands.html"), shown(site / "reference/library.html")
    for command in ("petra track", "petra evaluate gap", "petra study new", "petra models get", "--min-mentions"):
        assert command in commands
    assert "merge 3 7 persons 3 and 7 are one" in commands
    for name in petra.__all__:
        assert name.startswith("_") or f".{name} " in library
    assert "track_many" in library
    assert "to_conll2012" in library


def test_equations_stand_beside_their_source(site: Path) -> None:
    page = shown(site / "paper.html")
    assert "The functions of the equations" in page
    assert "def update_usage" in page.replace(" ( ", "(")
