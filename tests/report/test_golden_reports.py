"""Whole outputs against the files in tests/golden; tests/support/golden_reports.py writes them."""

from __future__ import annotations

import pytest
from golden_reports import FOLDER, reports


@pytest.mark.parametrize("name", sorted(reports()))
def test_a_report_is_as_it_was(name: str) -> None:
    assert reports()[name] == (FOLDER / name).read_text(encoding="utf-8"), "python tests/support/golden_reports.py"
