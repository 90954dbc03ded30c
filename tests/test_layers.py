"""The tree is the pipeline: a stage imports only the stages above it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import petra

PACKAGE = Path(petra.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
PAGE = Path(__file__).parents[1] / "docs/architecture.md"

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
    {"speakers"},
    {"consolidation"},
    {"reading"},
    {"people"},
    {"report"},
    {"tracker"},
    {"bench", "corpora", "training", "evaluation", "publication"},
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
    "speakers",
    "consolidation",
    "people",
    "report",
    "corpora",
    "evaluation",
    "publication",
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


def test_the_architecture_page_lists_the_rooms_in_order() -> None:
    # A row is | 9 | `linking/` | what it does | no |: the line of STAGES, the room, and no if it is one WITHOUT_TORCH.
    rows = re.findall(
        r"^\| (\d+) \| `(\w+)(?:/|\.py)` \| .+ \| (no)? ?\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    numbers = [int(number) for number, _, _ in rows]
    assert numbers == sorted(numbers)
    listed = [{room for number, room, _ in rows if int(number) == stage} for stage in range(1, len(STAGES) + 1)]
    assert listed == list(STAGES)
    assert {room for _, room, torch in rows if torch} == WITHOUT_TORCH


def test_every_room_of_the_tree_has_a_line() -> None:
    rooms = {path.relative_to(PACKAGE).with_suffix("").parts[0] for path in MODULES}
    assert rooms == set().union(*STAGES)


# Names that each module of their kind has one of: its schema, its file format, the prefix of its weights, its commands.
OF_EACH_MODULE = {"SCHEMA", "FORMAT", "PREFIX", "T", "app"}


def definitions() -> Iterator[tuple[str, str]]:
    """Every class, and every public name assigned in a module, with the module."""
    for path in MODULES:
        module = path.relative_to(PACKAGE).as_posix()
        tree = ast.parse(path.read_text(encoding="utf-8"))
        yield from ((node.name, module) for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
        for node in tree.body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            yield from ((it.id, module) for it in targets if isinstance(it, ast.Name) and not it.id.startswith("_"))


def test_a_name_is_defined_once() -> None:
    places: dict[str, list[str]] = {}
    for name, module in definitions():
        places.setdefault(name, []).append(module)
    assert {name: at for name, at in places.items() if len(at) > 1 and name not in OF_EACH_MODULE} == {}
