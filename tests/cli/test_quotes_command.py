from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from petra.cli.app import app
from petra.tracker import Tracker

STORY = "Amelia met Paul.\n\n“Come,” said Paul, “it is late.”\n\nAmelia told him: “Why?”\n"

Quotes = Callable[..., Result]


@pytest.fixture
def quotes(tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Quotes:
    """Runs `petra quotes` on the story with the tiny model."""
    monkeypatch.setenv("PETRA_MODEL", str(tiny_model))
    (tmp_path / "story.txt").write_text(STORY, encoding="utf-8")

    def run(*options: str) -> Result:
        return CliRunner().invoke(app, ["quotes", str(tmp_path / "story.txt"), "--device", "cpu", *options])

    return run


def test_a_table(quotes: Quotes) -> None:
    outcome = quotes()
    assert (outcome.exit_code, outcome.stderr) == (0, "")
    headings, first, second = outcome.stdout.splitlines()
    assert headings.split() == ["Line", "Speaker", "To", "Found", "by", "Quotation"]
    assert first.endswith("“Come,” “it is late.”")
    assert second.split()[0] == "5"


def test_csv_has_a_row_for_each_quotation(quotes: Quotes) -> None:
    rows = list(csv.DictReader(io.StringIO(quotes("--csv").stdout)))
    assert [row["text"] for row in rows] == ["“Come,” “it is late.”", "“Why?”"]
    assert STORY[int(rows[1]["start"]) : int(rows[1]["end"])] == "“Why?”"


def test_json_is_that_of_track_with_what_is_said(quotes: Quotes, tiny_tracker: Tracker) -> None:
    values = json.loads(quotes("--json").stdout)
    expected = json.loads(tiny_tracker.track(STORY).to_json())
    assert [quotation.pop("text") for quotation in values["quotations"]] == ["“Come,” “it is late.”", "“Why?”"]
    assert (values["people"], values["quotations"]) == (expected["people"], expected["quotations"])
    assert values["quotations"][0]["parts"] == [[18, 25], [37, 50]]


def test_a_text_without_quotations(tiny_model: Path) -> None:
    outcome = CliRunner().invoke(app, ["quotes", "-", "--model", str(tiny_model)], input="It rained.")
    assert (outcome.exit_code, outcome.stdout) == (0, "No quotations were found.\n")


def test_one_form_at_a_time(quotes: Quotes) -> None:
    assert quotes("--csv", "--json").exit_code == 2
