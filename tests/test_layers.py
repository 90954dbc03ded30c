"""The tree is the pipeline: a stage imports only the stages above it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import petra

PACKAGE = Path(petra.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))

# Each line may import itself and the lines above it.
STAGES = (
    {"errors", "config", "domain", "runtime"},
    {"trained"},
    {"text"},
    {"english"},
    {"log"},
    {"encoder"},
    {"memory"},
    {"mentions"},
    {"linking"},
    {"reading"},
    {"people"},
    {"report"},
    {"tracker"},
    {"bench", "corpora", "training", "evaluation"},
    {"reproduction"},
    {"study"},
    {"web"},
    {"cli", "__init__"},
    {"integrations"},
)
WITHOUT_TORCH = {
    "errors",
    "config",
    "domain",
    "english",
    "log",
    "linking",
    "people",
    "report",
    "corpora",
    "evaluation",
    "study",
}


def stage_of(module: str) -> str:
    """The stage of a module of the package: ``petra.log.links`` is of ``log``."""
    return [*module.split("."), "__init__"][1]


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "petra":
            yield from (f"petra.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_point_up(path: Path) -> None:
    own = path.relative_to(PACKAGE).with_suffix("").parts[0]
    assert any(own in stage for stage in STAGES), f"give {own} its line in STAGES"
    allowed: set[str] = set()
    for stage in STAGES:
        allowed |= stage
        if own in stage:
            break
    for name in imports(path):
        if name.split(".")[0] == "petra":
            assert stage_of(name) in allowed, f"{own} must not import {name}"
        if own in WITHOUT_TORCH:
            assert name.split(".")[0] not in {"torch", "transformers"}, f"{own} works without {name}"
