"""The documentation holds: its Python runs, and the functions it names exist."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def python_blocks(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", [page for page in PAGES if python_blocks(page)], ids=lambda page: page.name)
def test_the_python_of_a_page_runs(page: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks run in order and share names, as a reader would type them; a tiny model stands in for a trained one."""
    blocks = python_blocks(page)
    if any("petra.load(" in block or 'add_pipe("petra")' in block for block in blocks):
        tracker = request.getfixturevalue("tiny_tracker")
        monkeypatch.setattr("petra.load", lambda *_, **__: tracker)
    names: dict[str, object] = {"__name__": page.stem}
    for number, block in enumerate(blocks, start=1):
        exec(compile(block, f"{page.name}, block {number}", "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_names_exists(page: Path) -> None:
    for name in re.findall(r"`(petra(?:\.\w+){2,})`", page.read_text(encoding="utf-8")):
        module, _, member = name.rpartition(".")
        assert hasattr(importlib.import_module(module), member), f"{page.name} names {name}, which does not exist"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}, which does not exist"
