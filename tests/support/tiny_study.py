"""A grid over the tiny encoder and the small corpus, trained in seconds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from petra.reproduction.grid import GridConfig
from petra.reproduction.study import GridStudy

MODELS = ["vanilla", "learned-init", "fixed-key", "referential-reader"]


def tiny_values(encoder: Path, **grid: Any) -> dict[str, Any]:
    """The values of a recipe; those of [grid] may be given."""
    return {
        "name": "tiny",
        "seeds": [1, 2],
        "grid": {"models": ["vanilla"], "cells": [2, 3], **grid},
        "encoder": {"name": str(encoder), "layers": [2, 3], "window": 40, "margin": 8},
        "memory": {"hidden_size": 8, "mlp_size": 8, "key_size": 2},
        "training": {"max_epochs": 3, "batch_size": 4, "learning_rate": 1e-2},
    }


def tiny_grid(encoder: Path, **grid: Any) -> GridConfig:
    return GridConfig.from_values(tiny_values(encoder, **grid))


def tiny_study(grid: GridConfig, data: Path, out: Path, **options: Any) -> GridStudy:
    return GridStudy(grids=[grid], data=data, out=out, device=torch.device("cpu"), **options)
