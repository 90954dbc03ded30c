"""docs/recipes.md tells every setting with its default."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from petra.config import (
    AdapterConfig,
    DistillationConfig,
    EncoderConfig,
    MemoryConfig,
    RunConfig,
    SpanConfig,
    SupervisionConfig,
    TrainingConfig,
)

PAGE = (Path(__file__).parents[1] / "docs/recipes.md").read_text(encoding="utf-8")
RECIPES = Path(__file__).parents[1] / "recipes"
SECTIONS = {
    "encoder": EncoderConfig,
    "memory": MemoryConfig,
    "training": TrainingConfig,
    "adapter": AdapterConfig,
    "spans": SpanConfig,
    "supervision": SupervisionConfig,
    "distillation": DistillationConfig,
}


@pytest.mark.parametrize("section", SECTIONS)
def test_every_setting_is_told(section: str) -> None:
    told = set(re.findall(rf"`{section}\.(\w+)`", PAGE))
    assert told == {field.name for field in dataclasses.fields(SECTIONS[section])}


def test_settings_before_the_sections_are_told() -> None:
    whole = {field.name for field in dataclasses.fields(RunConfig)} - SECTIONS.keys()
    assert whole == {"name", "seeds", "initialise_from"}
    assert all(re.search(rf"^(\| `{name}`|{name} = )", PAGE, re.MULTILINE) for name in whole)


@pytest.mark.parametrize("path", sorted(RECIPES.rglob("*.toml")), ids=lambda path: path.stem)
def test_every_recipe_opens_with_its_command(path: Path) -> None:
    first = path.read_text(encoding="utf-8").splitlines()[0]
    command = "reproduce" if path.stem.startswith("paper-") else "train"
    assert first.startswith(f"# petra {command} ")


@pytest.mark.parametrize("model", ["base", "small"])
def test_a_shipped_model_has_the_settings_of_its_recipe(model: str) -> None:
    shipped = RunConfig.read(Path(__file__).parents[1] / "src/petra/models" / model / "config.toml")
    recipe = RunConfig.read(RECIPES / f"{model}.toml")
    assert set(shipped.seeds) <= set(recipe.seeds)
    assert dataclasses.replace(shipped, seeds=recipe.seeds) == recipe


def sources(recipe: Path) -> set[str]:
    """The folders of the models that a recipe begins with, distils from or has labels from."""
    settings = re.findall(r'^(?:initialise_from|teachers?) = "(out/[^"]+)"', recipe.read_text(encoding="utf-8"), re.M)
    return set(settings)


def output(recipe: Path) -> str:
    """The folder that the first line of a recipe writes to."""
    found = re.search(r"--out (\S+)", recipe.read_text(encoding="utf-8").splitlines()[0])
    assert found is not None, f"the first line of {recipe} gives no command"
    return found[1]


def test_the_models_that_a_recipe_needs_are_made_by_recipes() -> None:
    outputs = {output(recipe): recipe for recipe in RECIPES.rglob("*.toml")}
    for recipe in outputs.values():
        for source in sources(recipe):
            assert any(f"{out}/".startswith(f"{source}/") or f"{source}/".startswith(f"{out}/") for out in outputs), (
                f"{recipe}: no recipe makes {source}"
            )
