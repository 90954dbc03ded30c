"""The stages of a recipe, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from petra.config import Recipe, Stage
from petra.training.references import References, check_references, find_references, stage_folder

RunStage = Callable[[Stage, Path, References], None]  # trains the seeds of a stage and keeps them in a folder


def run_stages(recipe: Recipe, folder: Path, run_stage: RunStage, *, only: str | None = None) -> None:
    """Run the stages of a recipe in their order, or only the one of a name; the models it refers to must be there."""
    chosen = recipe.stages if only is None else (recipe.stage(only),)
    check_references(recipe, chosen)
    for stage in chosen:
        run_stage(stage, stage_folder(folder, recipe, stage), find_references(recipe, stage, folder))
