"""docs/recipes.md tells every setting with its default."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from petra.config import EncoderConfig, MemoryConfig, TrainingConfig

PAGE = (Path(__file__).parents[1] / "docs/recipes.md").read_text(encoding="utf-8")
SECTIONS = {"encoder": EncoderConfig, "memory": MemoryConfig, "training": TrainingConfig}


@pytest.mark.parametrize("section", SECTIONS)
def test_every_setting_is_told(section: str) -> None:
    told = set(re.findall(rf"`{section}\.(\w+)`", PAGE))
    assert told == {field.name for field in dataclasses.fields(SECTIONS[section])}
