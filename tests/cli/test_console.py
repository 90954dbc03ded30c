from __future__ import annotations

import io

import pytest
from rich.console import Console

from petra.cli import console
from petra.cli.console import TextsProgress, progress


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """A terminal of 200 columns that stderr goes to."""
    shown = io.StringIO()
    monkeypatch.setattr(
        console, "_console", lambda stderr: Console(file=shown, force_terminal=True, width=200, _environ={})
    )
    return shown


def test_texts_and_tokens_are_counted_from_the_start(terminal: io.StringIO) -> None:
    bar = TextsProgress(40)
    with bar:
        assert "0 of 40 texts, 0 of 0 tokens" in terminal.getvalue()
        bar.tokens(0, 16_384)
    assert "0 of 40 texts, 0 of 16,384 tokens" in terminal.getvalue()
    bar.done += 1
    with bar:
        bar.tokens(700, 16_384)
    assert "1 of 40 texts, 700 of 16,384 tokens" in terminal.getvalue()


def test_tokens_of_one_text_are_counted_from_the_start(terminal: io.StringIO) -> None:
    with progress("Reading", of="tokens") as report:
        assert "0 tokens" in terminal.getvalue()
        report(384, 1_000)
    assert "384 of 1,000 tokens" in terminal.getvalue()
