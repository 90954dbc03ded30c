"""The published result of recipes/gap-frozen.toml, trained anew: ``pytest -m recipe`` on a machine with a GPU."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from petra.cli.app import app
from petra.config import RunConfig

RECIPE = Path(__file__).parents[2] / "recipes/gap-frozen.toml"
TARGET = 79.5  # GAP test F1, mean of the seeds

pytestmark = [
    pytest.mark.recipe,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="trains for real: needs a CUDA GPU"),
    pytest.mark.filterwarnings("default"),  # of the compiler, which are no matter of this test
]


def test_the_mean_of_the_seeds_reaches_the_target(data: Path, tmp_path: Path) -> None:
    arguments = ["train", str(RECIPE), "--out", str(tmp_path), "--data", str(data), "--device", "cuda", "--test"]
    outcome = CliRunner().invoke(app, [*arguments, "--json"])
    assert outcome.exit_code == 0, outcome.stderr
    result = json.loads(outcome.stdout)
    assert [run["seed"] for run in result["runs"]] == list(RunConfig.read(RECIPE).seeds)  # none is left out
    assert result["mean_test_f1"] >= TARGET, result["runs"]
